// etcd.go answers what upstream asks of the etcd members on control-plane
// machines: who is there, who leads, move the lead, remove one. It stores nothing.

package provider

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"hash/fnv"
	"net"
	"slices"
	"strings"
	"sync"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// removedMember marks the static pod of a member that has been removed.
const removedMember = "test.capi-policy/removed-member"

// etcdServer stands for every member of every cluster. The static pods called
// etcd-NODE are the members, the name of the pod is the host that a client names.
type etcdServer struct {
	etcdserverpb.UnimplementedClusterServer
	etcdserverpb.UnimplementedMaintenanceServer
	client client.Client
	live   client.Reader

	mu      sync.Mutex
	leaders map[string]uint64 // by cluster
}

// addEtcd gives the address it listens on.
func addEtcd(mgr ctrl.Manager) (string, error) {
	listener, err := net.Listen("tcp", loopback+":0")
	if err != nil {
		return "", err
	}
	e := &etcdServer{client: mgr.GetClient(), live: mgr.GetAPIReader(), leaders: map[string]uint64{}}
	signer := &certificates{live: e.live, signed: map[string]*tls.Certificate{}}
	server := grpc.NewServer(grpc.Creds(credentials.NewTLS(&tls.Config{GetCertificate: signer.get})))
	etcdserverpb.RegisterClusterServer(server, e)
	etcdserverpb.RegisterMaintenanceServer(server, e)
	return listener.Addr().String(), mgr.Add(manager.RunnableFunc(func(ctx context.Context) error {
		context.AfterFunc(ctx, server.Stop)
		if err := server.Serve(listener); err != nil && !errors.Is(err, grpc.ErrServerStopped) {
			return fmt.Errorf("etcd: %w", err)
		}
		return nil
	}))
}

// etcdCluster is what one request is about.
type etcdCluster struct {
	name    string
	asked   uint64
	members []*etcdserverpb.Member
	pods    map[uint64]*corev1.Pod
}

func (e *etcdServer) cluster(ctx context.Context) (*etcdCluster, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	host, _, _ := strings.Cut(strings.Join(md.Get(":authority"), ""), ":")
	asked := &corev1.Pod{}
	if err := e.live.Get(ctx, client.ObjectKey{Namespace: metav1.NamespaceSystem, Name: host}, asked); err != nil {
		return nil, err
	}
	c := &etcdCluster{name: asked.Labels[clusterv1.ClusterNameLabel], asked: memberID(asked), pods: map[uint64]*corev1.Pod{}}
	pods := &corev1.PodList{}
	if err := e.live.List(ctx, pods, client.InNamespace(metav1.NamespaceSystem),
		client.MatchingLabels{"component": "etcd", clusterv1.ClusterNameLabel: c.name}); err != nil {
		return nil, err
	}
	for _, pod := range pods.Items {
		if _, gone := pod.Annotations[removedMember]; gone {
			continue
		}
		id := memberID(&pod)
		c.pods[id] = &pod
		url := []string{"https://" + pod.Spec.NodeName}
		c.members = append(c.members, &etcdserverpb.Member{ID: id, Name: pod.Spec.NodeName, PeerURLs: url, ClientURLs: url})
	}
	return c, nil
}

// leader is the one that was chosen, or else the first.
func (e *etcdServer) leader(c *etcdCluster) uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	chosen := e.leaders[c.name]
	if len(c.members) > 0 && !slices.ContainsFunc(c.members, func(m *etcdserverpb.Member) bool { return m.ID == chosen }) {
		chosen = c.members[0].ID
		e.leaders[c.name] = chosen
	}
	return chosen
}

func (c *etcdCluster) header() *etcdserverpb.ResponseHeader {
	return &etcdserverpb.ResponseHeader{ClusterId: hash(c.name), MemberId: c.asked}
}

func (e *etcdServer) Status(ctx context.Context, _ *etcdserverpb.StatusRequest) (*etcdserverpb.StatusResponse, error) {
	c, err := e.cluster(ctx)
	if err != nil {
		return nil, err
	}
	return &etcdserverpb.StatusResponse{Header: c.header(), Leader: e.leader(c)}, nil
}

func (e *etcdServer) MemberList(ctx context.Context, _ *etcdserverpb.MemberListRequest) (*etcdserverpb.MemberListResponse, error) {
	c, err := e.cluster(ctx)
	if err != nil {
		return nil, err
	}
	return &etcdserverpb.MemberListResponse{Header: c.header(), Members: c.members}, nil
}

func (e *etcdServer) Alarm(ctx context.Context, _ *etcdserverpb.AlarmRequest) (*etcdserverpb.AlarmResponse, error) {
	c, err := e.cluster(ctx)
	if err != nil {
		return nil, err
	}
	return &etcdserverpb.AlarmResponse{Header: c.header()}, nil
}

func (e *etcdServer) MoveLeader(ctx context.Context, r *etcdserverpb.MoveLeaderRequest) (*etcdserverpb.MoveLeaderResponse, error) {
	c, err := e.cluster(ctx)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.leaders[c.name] = r.TargetID
	return &etcdserverpb.MoveLeaderResponse{Header: c.header()}, nil
}

func (e *etcdServer) MemberRemove(ctx context.Context, r *etcdserverpb.MemberRemoveRequest) (*etcdserverpb.MemberRemoveResponse, error) {
	c, err := e.cluster(ctx)
	if err != nil {
		return nil, err
	}
	if pod := c.pods[r.ID]; pod != nil {
		before := pod.DeepCopy()
		pod.Annotations[removedMember] = ""
		if err := e.client.Patch(ctx, pod, client.MergeFrom(before)); client.IgnoreNotFound(err) != nil {
			return nil, err
		}
	}
	return &etcdserverpb.MemberRemoveResponse{Header: c.header()}, nil
}

func memberID(pod *corev1.Pod) uint64 { return hash(pod.Spec.NodeName) }

func hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}
