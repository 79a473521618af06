// Mhc-controller evaluates every MachineHealthCheck of a management cluster
// with the policy and reports what it decided; with --apply it patches the
// conditions, too. It shows how a controller embeds the policy: read, evaluate,
// report, patch.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	capipolicy "github.com/capi-policy/capi-policy/go"
)

func main() {
	profile := flag.String("profile", string(capipolicy.ProfileDocumented), "rules to apply: documented, cluster-api-v1.13, cluster-api-v1.14 or cluster-api, the newest")
	apply := flag.Bool("apply", false, "patch conditions and counters; without it they are only reported")
	flag.Parse()

	ctrl.SetLogger(zap.New())
	if err := run(ctrl.SetupSignalHandler(), capipolicy.Profile(*profile), *apply); err != nil {
		fmt.Fprintln(os.Stderr, "mhc-controller:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, profile capipolicy.Profile, apply bool) error {
	engine, err := capipolicy.New(capipolicy.Options{})
	if err != nil {
		return err
	}
	defer engine.Close()

	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, clusterv1.AddToScheme} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme: scheme,
		// What nobody reads need not be kept, nor written into snapshots.
		Cache:   cache.Options{DefaultTransform: cache.TransformStripManagedFields()},
		Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		return err
	}
	workloads, err := clustercache.SetupWithManager(ctx, mgr, clustercache.Options{
		SecretClient: mgr.GetAPIReader(),
		Client:       clustercache.ClientOptions{UserAgent: "mhc-controller"},
	}, controller.Options{})
	if err != nil {
		return err
	}
	r := &reconciler{client: mgr.GetClient(), workloads: workloads, policy: engine, profile: profile, apply: apply}
	if err := r.setupWithManager(mgr); err != nil {
		return err
	}
	return mgr.Start(ctx)
}
