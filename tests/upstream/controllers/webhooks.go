// webhooks.go serves upstream's webhooks on loopback and tells the API server of them.

package controllers

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	certutil "k8s.io/client-go/util/cert"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

const loopback = "127.0.0.1"

// webhookServer is the server and the configurations that name it.
type webhookServer struct {
	server         webhook.Server
	configurations []client.Object
}

// newWebhookServer makes a certificate for loopback and points the module's
// own configurations at it.
func newWebhookServer(release Release, o Options) (*webhookServer, error) {
	certificate, key, err := certutil.GenerateSelfSignedCertKey(loopback, nil, nil)
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	s := &webhookServer{server: webhook.NewServer(webhook.Options{
		Host: loopback,
		Port: port,
		TLSOpts: []func(*tls.Config){func(c *tls.Config) {
			c.GetCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &pair, nil }
		}},
	})}
	folders := map[string]string{"core": filepath.Join(o.ClusterAPI, release.Core, "config", "webhook")}
	if o.Kubeadm {
		folders["kubeadm"] = filepath.Join(o.ClusterAPI, "controlplane", "kubeadm", "config", "webhook")
	}
	address := fmt.Sprintf("https://%s:%d", loopback, port)
	for name, folder := range folders {
		configurations, err := readConfigurations(name, filepath.Join(folder, "manifests.yaml"), address, certificate)
		if err != nil {
			return nil, err
		}
		s.configurations = append(s.configurations, configurations...)
	}
	return s, nil
}

// readConfigurations expects two in the file, the mutating one, then the
// validating one, and gives both the name of the provider they belong to.
func readConfigurations(name, file, address string, ca []byte) ([]client.Object, error) {
	manifests, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	point := func(c *admissionv1.WebhookClientConfig) {
		url := address + *c.Service.Path
		*c = admissionv1.WebhookClientConfig{URL: &url, CABundle: ca}
	}
	mutating, validating := &admissionv1.MutatingWebhookConfiguration{}, &admissionv1.ValidatingWebhookConfiguration{}
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(manifests), 4096)
	for _, into := range []client.Object{mutating, validating} {
		if err := decoder.Decode(into); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		into.SetName("upstream-" + name)
	}
	for i := range mutating.Webhooks {
		point(&mutating.Webhooks[i].ClientConfig)
	}
	for i := range validating.Webhooks {
		point(&validating.Webhooks[i].ClientConfig)
	}
	return []client.Object{mutating, validating}, nil
}

// install waits for the server to listen, then tells the API server of it.
func (s *webhookServer) install(ctx context.Context, mgr ctrl.Manager) error {
	started := s.server.StartedChecker()
	if err := wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, time.Minute, true, func(context.Context) (bool, error) {
		return started(&http.Request{}) == nil, nil
	}); err != nil {
		return err
	}
	if err := s.remove(ctx, mgr); err != nil {
		return err
	}
	for _, c := range s.configurations {
		if err := mgr.GetClient().Create(ctx, c); err != nil {
			return err
		}
	}
	return s.awaitCalled(ctx, mgr)
}

func (s *webhookServer) remove(ctx context.Context, mgr ctrl.Manager) error {
	for _, c := range s.configurations {
		c.SetResourceVersion("")
		if err := mgr.GetClient().Delete(ctx, c); client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	return nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", loopback+":0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
