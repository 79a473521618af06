// apiserver.go runs kube-apiserver inside this process.
package main

import (
	"context"
	"fmt"
	"net"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

// runAPIServer returns only when the server has stopped.
func runAPIServer(id *identity, port int, etcd string) error {
	cmd := app.NewAPIServerCommand()
	cmd.SetArgs([]string{
		"--etcd-servers=" + etcd,
		"--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", port),
		"--cert-dir=" + id.certDir(),
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + id.serviceAccountKey(),
		"--service-account-signing-key-file=" + id.serviceAccountKey(),
		"--token-auth-file=" + id.tokenFile(),
		"--authorization-mode=RBAC",
		"--service-cluster-ip-range=10.96.0.0/16",
		// No machine but this one can reach the server, so it has no endpoint to announce.
		"--advertise-address=127.0.0.1",
		"--endpoint-reconciler-type=none",
		// Both need a controller that does not run here: one that creates the default
		// service accounts, one that takes the not-ready taint off a new node.
		"--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
		"--profiling=false",
	})
	return cmd.Execute()
}

// waitReady asks /readyz until it says ok, so that the RBAC defaults exist too.
func waitReady(ctx context.Context, config *rest.Config, failed <-chan error) error {
	client, err := kubernetes.NewForConfig(unthrottled(config))
	if err != nil {
		return err
	}
	for {
		_, err := client.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		if err == nil {
			return nil
		}
		select {
		case err := <-failed:
			return fmt.Errorf("stopped: %w", err)
		case <-ctx.Done():
			return fmt.Errorf("not ready: %w", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
