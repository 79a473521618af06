// kubelet.go forwards ports, the one thing that upstream asks of a kubelet: it
// talks to etcd through the API server and the kubelet of a control-plane node.

package provider

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	certutil "k8s.io/client-go/util/cert"
	"k8s.io/kubelet/pkg/cri/streaming/portforward"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

const loopback = "127.0.0.1"

// kubelet stands for the kubelets of all control-plane nodes.
type kubelet struct {
	port int32
	etcd string // the address behind every forwarded port
}

// addKubelet serves port forwarding, and etcd behind it.
func addKubelet(mgr ctrl.Manager) (*kubelet, error) {
	certificate, key, err := certutil.GenerateSelfSignedCertKey(loopback, nil, nil)
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, err
	}
	etcd, err := addEtcd(mgr)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", loopback+":0")
	if err != nil {
		return nil, err
	}
	k := &kubelet{port: int32(listener.Addr().(*net.TCPAddr).Port), etcd: etcd}
	mux := http.NewServeMux()
	mux.HandleFunc("/portForward/{namespace}/{pod}", func(w http.ResponseWriter, r *http.Request) {
		portforward.ServePortForward(w, r, k, r.PathValue("pod"), "", nil, time.Hour, time.Minute, portforward.SupportedProtocols)
	})
	server := &http.Server{
		Handler: mux,
		// The protocol of forwarding is not one that HTTP/2 could be upgraded to.
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"http/1.1"}},
	}
	return k, mgr.Add(manager.RunnableFunc(func(ctx context.Context) error {
		context.AfterFunc(ctx, func() { server.Close() })
		if err := server.ServeTLS(listener, "", ""); !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("kubelet: %w", err)
		}
		return nil
	}))
}

// PortForward joins the stream with etcd: upstream forwards to nothing else.
func (k *kubelet) PortForward(_ context.Context, _ string, _ types.UID, _ int32, stream io.ReadWriteCloser) error {
	defer stream.Close()
	conn, err := net.Dial("tcp", k.etcd)
	if err != nil {
		return err
	}
	defer conn.Close()
	// Either side may hang up: that is how each of these conversations ends.
	go func() {
		io.Copy(conn, stream)
		conn.Close()
	}()
	io.Copy(stream, conn)
	return nil
}

// announce writes this kubelet's address to a Node that exists.
func (k *kubelet) announce(ctx context.Context, c client.Client, name string) error {
	node := &corev1.Node{}
	if err := c.Get(ctx, client.ObjectKey{Name: name}, node); err != nil {
		return client.IgnoreNotFound(err)
	}
	if node.Status.DaemonEndpoints.KubeletEndpoint.Port == k.port {
		return nil
	}
	before := node.DeepCopy()
	node.Status.DaemonEndpoints.KubeletEndpoint.Port = k.port
	node.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: loopback}}
	return client.IgnoreNotFound(c.Status().Patch(ctx, node, client.MergeFrom(before)))
}
