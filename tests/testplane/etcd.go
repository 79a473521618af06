// etcd.go runs etcd inside this process, on loopback, with its data in the
// data folder.
package main

import (
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
)

func startEtcd(dataDir string, port int) (*embed.Etcd, error) {
	cfg := embed.NewConfig()
	cfg.Dir = filepath.Join(dataDir, "etcd")
	cfg.LogLevel = "error"
	cfg.LogOutputs = []string{"stderr"}
	// The data need to survive this process, not a power cut.
	cfg.UnsafeNoFsync = true
	cfg.QuotaBackendBytes = 4 << 30

	client := url.URL{Scheme: "http", Host: fmt.Sprintf("127.0.0.1:%d", port)}
	peer := url.URL{Scheme: "http", Host: "127.0.0.1:0"}
	cfg.ListenClientUrls, cfg.AdvertiseClientUrls = []url.URL{client}, []url.URL{client}
	cfg.ListenPeerUrls, cfg.AdvertisePeerUrls = []url.URL{peer}, []url.URL{peer}
	cfg.InitialCluster = cfg.InitialClusterFromName(cfg.Name)

	etcd, err := embed.StartEtcd(cfg)
	if err != nil {
		return nil, err
	}
	select {
	case <-etcd.Server.ReadyNotify():
		return etcd, nil
	case err := <-etcd.Err():
		return nil, err
	case <-time.After(time.Minute):
		etcd.Close()
		return nil, fmt.Errorf("not ready after a minute")
	}
}
