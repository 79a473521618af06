// plane.go puts the parts together: etcd behind a proxy, the API server behind
// another, CRDs installed.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// startTimeout is how long the whole plane may take to become ready.
const startTimeout = 3 * time.Minute

// plane is a running control plane.
type plane struct {
	ready    ready
	etcd     *embed.Etcd
	toEtcd   *proxy // between the API server and etcd
	toServer *proxy // between the clients and the API server
}

func start(o options) (*plane, error) {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	if err := os.MkdirAll(o.dataDir, 0o700); err != nil {
		return nil, err
	}
	p := &plane{}

	id, err := loadIdentity(o.dataDir, o.users)
	if err != nil {
		return nil, fmt.Errorf("identity: %w", err)
	}
	if p.etcd, err = startEtcd(o.dataDir, o.etcdPort); err != nil {
		return nil, fmt.Errorf("etcd: %w", err)
	}
	etcdAddress := p.etcd.Clients[0].Addr().String()
	if p.toEtcd, err = startProxy(0, etcdAddress); err != nil {
		return nil, fmt.Errorf("proxy to etcd: %w", err)
	}
	serverPort, err := freePort()
	if err != nil {
		return nil, err
	}
	if p.toServer, err = startProxy(o.port, fmt.Sprintf("127.0.0.1:%d", serverPort)); err != nil {
		return nil, fmt.Errorf("proxy to the API server: %w", err)
	}
	server := "https://" + p.toServer.address()

	failed := make(chan error, 1)
	go func() { failed <- runAPIServer(id, serverPort, "http://"+p.toEtcd.address()) }()
	kubeconfigs, err := id.writeKubeconfigs(ctx, server)
	if err != nil {
		return nil, fmt.Errorf("kubeconfigs: %w", err)
	}
	admin := kubeconfigs[adminUser]
	delete(kubeconfigs, adminUser)
	config, err := clientcmd.BuildConfigFromFlags("", admin)
	if err != nil {
		return nil, err
	}
	if err := waitReady(ctx, config, failed); err != nil {
		return nil, fmt.Errorf("API server: %w", err)
	}
	go func() { fail(fmt.Errorf("API server stopped: %w", <-failed)) }()

	client, err := dynamic.NewForConfig(unthrottled(config))
	if err != nil {
		return nil, err
	}
	if err := installCRDs(ctx, client, o.crdDirs, splitList(o.crdGroups)); err != nil {
		return nil, fmt.Errorf("CRDs: %w", err)
	}
	p.ready = ready{
		Ready:      true,
		Kubeconfig: admin,
		Server:     server,
		Etcd:       "http://" + etcdAddress,
		Users:      kubeconfigs,
	}
	return p, nil
}

// unthrottled lifts the client's own limit of five requests a second.
func unthrottled(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	config.QPS = -1
	return config
}

func splitList(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}
