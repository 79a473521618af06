// Mhc-controller is a controller for MachineHealthChecks that decides with the
// policy. It is made to be copied: main.go starts it, profile.go finds out
// which rules apply, controller.go feeds a fleet from watches, asks it for
// decisions and carries them out.
package main

import (
	"context"
	"flag"
	"os"
	"time"

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

var options struct {
	profile, watchFilter, metrics, electionNamespace string
	elect                                            bool
	timeout                                          time.Duration
}

func main() {
	flag.StringVar(&options.profile, "profile", auto, "rules to apply: auto for those of the Cluster API that is installed, or documented, cluster-api-v1.13, cluster-api-v1.14, cluster-api, the newest")
	flag.StringVar(&options.watchFilter, "watch-filter", "", "handle only health checks with this value of the label "+clusterv1.WatchLabel)
	flag.StringVar(&options.metrics, "metrics-bind-address", "127.0.0.1:8080", "where to serve metrics; 0 for nowhere")
	flag.BoolVar(&options.elect, "leader-elect", false, "let only one of several copies act")
	flag.StringVar(&options.electionNamespace, "leader-election-namespace", "", "where copies elect their leader; default: where they run")
	flag.DurationVar(&options.timeout, "policy-timeout", 5*time.Second, "how long a decision may take")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	if err := run(ctrl.SetupSignalHandler()); err != nil {
		ctrl.Log.Error(err, "Stopped")
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	engine, err := capipolicy.New(capipolicy.Options{Timeout: options.timeout})
	if err != nil {
		return err
	}
	defer engine.Close()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, clusterv1.AddToScheme} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme: scheme,
		// What nobody reads need not be kept, nor be passed to the policy.
		Cache:                   cache.Options{DefaultTransform: cache.TransformStripManagedFields()},
		Metrics:                 metricsserver.Options{BindAddress: options.metrics},
		LeaderElection:          options.elect,
		LeaderElectionID:        "mhc-controller.capi-policy",
		LeaderElectionNamespace: options.electionNamespace,
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
	profile, err := resolveProfile(ctx, mgr.GetAPIReader(), options.profile)
	if err != nil {
		return err
	}
	r := &reconciler{Client: mgr.GetClient(), workloads: workloads, watchFilter: options.watchFilter}
	r.fleets = capipolicy.NewFleets(engine, profile, r.fill)
	defer r.fleets.Close()
	if err := r.setupWithManager(mgr); err != nil {
		return err
	}
	return mgr.Start(ctx)
}
