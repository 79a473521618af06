// etcdcertificate.go gives the members of each cluster a serving certificate of
// that cluster's etcd authority: since v1.14 upstream accepts no other.

package provider

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/secret"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// certificates signs, and remembers what it has signed by the authority's certificate.
type certificates struct {
	live client.Reader

	mu     sync.Mutex
	signed map[string]*tls.Certificate
}

// get is the certificate of the member that a client wants to talk to: the name
// of its static pod is the server name of the handshake.
func (s *certificates) get(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	authority, err := s.authority(hello.Context(), hello.ServerName)
	if err != nil {
		return nil, fmt.Errorf("etcd authority of %q: %w", hello.ServerName, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := string(authority.Leaf.Raw)
	if s.signed[name] == nil {
		if s.signed[name], err = sign(authority); err != nil {
			return nil, err
		}
	}
	return s.signed[name], nil
}

// authority is what upstream has made for the cluster of a static pod.
func (s *certificates) authority(ctx context.Context, member string) (*tls.Certificate, error) {
	pod := &corev1.Pod{}
	if err := s.live.Get(ctx, client.ObjectKey{Namespace: metav1.NamespaceSystem, Name: member}, pod); err != nil {
		return nil, err
	}
	cluster := client.ObjectKey{Namespace: pod.Labels[clusterNamespaceLabel], Name: pod.Labels[clusterv1.ClusterNameLabel]}
	held := &corev1.Secret{}
	if err := s.live.Get(ctx, client.ObjectKey{Namespace: cluster.Namespace, Name: secret.Name(cluster.Name, secret.EtcdCA)}, held); err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(held.Data[secret.TLSCrtDataName], held.Data[secret.TLSKeyDataName])
	return &pair, err
}

func sign(authority *tls.Certificate) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "etcd"},
		NotBefore:    authority.Leaf.NotBefore,
		NotAfter:     time.Now().AddDate(1, 0, 0),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, authority.Leaf, key.Public(), authority.PrivateKey)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{certificate}, PrivateKey: key}, nil
}
