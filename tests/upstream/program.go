// Package upstream runs the real Cluster API controllers of one release and a
// provider that only pretends, against one API server: flags in, one line of
// JSON out when the caches are filled, gone when its standard input closes.
//
// The programs are in the folders named after releases, each a module of its
// own: two versions of Cluster API can't be in one.
package upstream

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"capi-policy.test/upstream/controllers"
	"capi-policy.test/upstream/fleet"
	"capi-policy.test/upstream/provider"
)

// answer is one line on standard output.
type answer struct {
	OK      bool    `json:"ok"`
	Command string  `json:"command"`
	Error   string  `json:"error,omitempty"`
	Seconds float64 `json:"seconds"`
}

// Main reads the flags, starts the parts and answers commands.
func Main(release controllers.Release) {
	// Not the package's own set: controller-runtime has a --kubeconfig in that.
	flags := flag.NewFlagSet("upstream", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "`FILE` of the API server, which is the management cluster and every workload cluster")
	clusterAPI := flags.String("cluster-api", "", "`DIR` of the module sigs.k8s.io/cluster-api, for its webhook configurations")
	kubeadm := flags.Bool("kubeadm-control-plane", false, "run the controller of KubeadmControlPlane too")
	filter := flags.String("health-check-filter", "", "handle only health checks with this `VALUE` of the label cluster.x-k8s.io/watch-filter")
	watchFilter := flags.String("watch-filter", "", "what the --watch-filter of Cluster API's managers is: handle only events of objects with this `VALUE` of the label cluster.x-k8s.io/watch-filter")
	alone := flags.Bool("controllers-alone", false, "run neither webhooks nor the provider, and as many workers as Cluster API's managers do: for measurements")
	klog.InitFlags(flags)
	flags.Parse(os.Args[1:])
	ctrl.SetLogger(klog.Background())

	out := json.NewEncoder(os.Stdout)
	os.Stdout = os.Stderr // whatever a library prints must not mix with the protocol

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	lines := readLines(stop)
	if *filter == "" {
		*filter = *watchFilter
	}
	o := controllers.Options{ClusterAPI: *clusterAPI, Kubeadm: *kubeadm, WatchFilter: *watchFilter, HealthCheckFilter: *filter, Alone: *alone}
	u, err := start(ctx, stop, *kubeconfig, release, o)
	if err != nil {
		u.stop()
		fail(err)
	}
	out.Encode(map[string]bool{"ready": true})
	for {
		select {
		case line := <-lines:
			out.Encode(u.answer(ctx, line))
		case <-ctx.Done():
			u.stop()
			return
		}
	}
}

// upstream is what a command needs.
type upstream struct {
	client     client.Client
	kubeconfig []byte
	running    *controllers.Running
}

func start(ctx context.Context, stop func(), kubeconfig string, release controllers.Release, o controllers.Options) (*upstream, error) {
	u := &upstream{}
	var err error
	if u.kubeconfig, err = os.ReadFile(kubeconfig); err != nil {
		return u, err
	}
	config, err := clientcmd.RESTConfigFromKubeConfig(u.kubeconfig)
	if err != nil {
		return u, err
	}
	config.QPS = -1 // no limit of the client's own
	if !o.Alone {
		if err := provider.InstallCRDs(ctx, config); err != nil {
			return u, fmt.Errorf("provider CRDs: %w", err)
		}
	}
	u.running, err = controllers.New(ctx, config, release, o)
	if err != nil {
		return u, fmt.Errorf("controllers: %w", err)
	}
	mgr := u.running.Manager
	u.client = mgr.GetClient()
	if !o.Alone {
		if err := provider.Add(mgr, o.Kubeadm); err != nil {
			return u, fmt.Errorf("provider: %w", err)
		}
	}
	go func() {
		if err := mgr.Start(ctx); err != nil {
			u.stop()
			fail(err)
		}
		stop()
	}()
	return u, u.running.Await(ctx)
}

// stop takes the webhooks away: with nobody behind them the server would
// refuse every write to a Cluster API object.
func (u *upstream) stop() {
	if u.running == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	u.running.RemoveWebhooks(ctx)
}

// answer obeys one command.
func (u *upstream) answer(ctx context.Context, line string) answer {
	began := time.Now()
	a := answer{OK: true, Command: line}
	size, err := fleet.ParseSize(line)
	if err == nil {
		err = fleet.Create(ctx, u.client, u.kubeconfig, size)
	}
	if err != nil {
		a.OK, a.Error = false, err.Error()
	}
	a.Seconds = math.Round(time.Since(began).Seconds()*100) / 100
	return a
}

// readLines calls atEnd when the input closes.
func readLines(atEnd func()) <-chan string {
	lines := make(chan string, 16)
	go func() {
		defer atEnd()
		for s := bufio.NewScanner(os.Stdin); s.Scan(); {
			if line := strings.TrimSpace(s.Text()); line != "" {
				lines <- line
			}
		}
	}()
	return lines
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "upstream:", err)
	os.Exit(1)
}
