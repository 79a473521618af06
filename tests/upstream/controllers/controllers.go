// Package controllers sets up the real Cluster API controllers and webhooks
// in one manager, as the module's own main does.
package controllers

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/selection"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	bootstrapv1 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta2"
	controlplanev1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/cluster-api/feature"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// Options say what to run.
type Options struct {
	// ClusterAPI is the folder of the module sigs.k8s.io/cluster-api.
	ClusterAPI string
	// Kubeadm adds the controller of KubeadmControlPlane, whose CRDs must be there.
	Kubeadm bool
	// WatchFilter is what every manager's --watch-filter is: nothing happens for events of objects without it.
	WatchFilter string
	// HealthCheckFilter is the watch filter of the health checks' controller alone.
	HealthCheckFilter string
	// Alone leaves the webhooks out, and gives each controller as many workers as Cluster API's managers do: what is
	// measured is then the controllers' work.
	Alone bool
}

// Running is a manager with the controllers in it.
type Running struct {
	Manager  ctrl.Manager
	webhooks *webhookServer
}

// Scheme knows Kubernetes, CRDs and Cluster API.
func Scheme(older ...func(*runtime.Scheme) error) (*runtime.Scheme, error) {
	s := runtime.NewScheme()
	current := []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, apiextensionsv1.AddToScheme,
		clusterv1.AddToScheme, bootstrapv1.AddToScheme, controlplanev1.AddToScheme,
	}
	for _, add := range append(current, older...) {
		if err := add(s); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// New sets everything up but starts nothing.
func New(ctx context.Context, restConfig *rest.Config, release Release, o Options) (*Running, error) {
	// With the rate limit a health check reacts only every 15 seconds.
	if err := feature.MutableGates.Set("ReconcilerRateLimiting=false"); err != nil {
		return nil, err
	}
	scheme, err := Scheme(release.Schemes...)
	if err != nil {
		return nil, err
	}
	server := &webhookServer{}
	if !o.Alone {
		if server, err = newWebhookServer(release, o); err != nil {
			return nil, fmt.Errorf("webhooks: %w", err)
		}
	}
	withClusterName, err := labels.NewRequirement(clusterv1.ClusterNameLabel, selection.Exists, nil)
	if err != nil {
		return nil, err
	}
	mgr, err := ctrl.NewManager(restConfig, ctrl.Options{
		Scheme:        scheme,
		WebhookServer: server.server,
		Metrics:       metricsserver.Options{BindAddress: "0"},
		Controller:    config.Controller{UsePriorityQueue: ptr.To(feature.Gates.Enabled(feature.PriorityQueue))},
		Cache: cache.Options{ByObject: map[client.Object]cache.ByObject{
			&corev1.Secret{}: {Label: labels.NewSelector().Add(*withClusterName)},
		}},
		Client: client.Options{Cache: &client.CacheOptions{
			DisableFor:   []client.Object{&corev1.ConfigMap{}, &corev1.Secret{}},
			Unstructured: true,
		}},
	})
	if err != nil {
		return nil, err
	}
	if err := release.AddIndexes(ctx, mgr); err != nil {
		return nil, err
	}
	secrets, err := client.New(mgr.GetConfig(), client.Options{
		HTTPClient: mgr.GetHTTPClient(),
		Cache:      &client.CacheOptions{Reader: mgr.GetCache()},
	})
	if err != nil {
		return nil, err
	}
	clusters, err := newClusterCache(ctx, mgr, secrets, o)
	if err != nil {
		return nil, err
	}
	if err := release.add(ctx, Parts{Manager: mgr, Clusters: clusters, Secrets: secrets, Options: o}); err != nil {
		return nil, err
	}
	return &Running{Manager: mgr, webhooks: server}, nil
}

func newClusterCache(ctx context.Context, mgr ctrl.Manager, secrets client.Client, o Options) (clustercache.ClusterCache, error) {
	return clustercache.SetupWithManager(ctx, mgr, clustercache.Options{
		SecretClient:     secrets,
		WatchFilterValue: o.WatchFilter,
		Cache:            clustercache.CacheOptions{Indexes: []clustercache.CacheOptionsIndex{clustercache.NodeProviderIDIndex}},
		Client: clustercache.ClientOptions{
			QPS:       1000,
			Burst:     1000,
			UserAgent: "upstream",
			Cache: clustercache.ClientCacheOptions{DisableFor: []client.Object{
				&corev1.ConfigMap{}, &corev1.Secret{}, &corev1.Pod{}, &appsv1.DaemonSet{},
				&storagev1.VolumeAttachment{}, &corev1.PersistentVolume{},
			}},
		},
	}, o.of("ClusterCache"))
}

// of is how a controller runs. Alone it has the workers that its --…-concurrency is by default.
func (o Options) of(name string) controller.Options {
	workers := 10
	switch {
	case o.Alone && (name == "Machine" || name == "ClusterCache"):
		workers = 100
	case o.Alone:
		workers = 50
	}
	return controller.Options{MaxConcurrentReconciles: workers}
}

// Await returns when the caches are filled and the webhooks answer.
func (r *Running) Await(ctx context.Context) error {
	if !r.Manager.GetCache().WaitForCacheSync(ctx) {
		return fmt.Errorf("caches were not filled: %w", ctx.Err())
	}
	if r.webhooks.server == nil {
		return nil
	}
	return r.webhooks.install(ctx, r.Manager)
}

// RemoveWebhooks takes the configurations off the server.
func (r *Running) RemoveWebhooks(ctx context.Context) error {
	return r.webhooks.remove(ctx, r.Manager)
}
