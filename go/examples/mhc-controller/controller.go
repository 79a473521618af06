package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/cluster-api/util/predicates"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	capipolicy "github.com/capi-policy/capi-policy/go"
	"github.com/capi-policy/capi-policy/go/informer"
)

// kind is what this controller decides about.
const kind = "MachineHealthCheck"

var decisionSeconds = prometheus.NewHistogram(prometheus.HistogramOpts{
	Name: "mhc_controller_decision_seconds", Help: "How long the policy took for a decision.", Buckets: prometheus.ExponentialBuckets(1e-5, 4, 10),
})

func init() { metrics.Registry.MustRegister(decisionSeconds) }

// reconciler decides about MachineHealthChecks. Objects reach the fleet of their
// cluster through watches; a reconcile asks the fleet.
type reconciler struct {
	client.Client
	workloads   clustercache.ClusterCache
	fleets      *capipolicy.Fleets
	watchFilter string
	controller  controller.Controller
	// decisions are the last ones, complete, by name of the health check.
	decisions sync.Map
	// connected are the workload clusters whose Nodes the fleet has.
	connected sync.Map
}

func (r *reconciler) setupWithManager(mgr ctrl.Manager) (err error) {
	filter := predicates.ResourceHasFilterLabel(mgr.GetScheme(), mgr.GetLogger(), r.watchFilter)
	r.controller, err = ctrl.NewControllerManagedBy(mgr).
		Named("mhc-controller").
		For(&clusterv1.MachineHealthCheck{}, builder.WithPredicates(filter)).
		Watches(&clusterv1.MachineHealthCheck{}, r.feed(kind).EventHandler(kind)).
		Watches(&clusterv1.Machine{}, r.feed("Machine").EventHandler(kind)).
		Watches(&clusterv1.Cluster{}, r.feed("Cluster").EventHandler(kind)).
		WatchesRawSource(r.workloads.GetClusterSource("mhc-controller", r.healthChecksOf)). // connected, disconnected
		WithOptions(controller.Options{MaxConcurrentReconciles: 4, ReconciliationTimeout: time.Minute}).
		Build(r)
	return err
}

// feed puts objects of a kind into the fleet of their cluster.
func (r *reconciler) feed(kind string) informer.Feed {
	return informer.Feed{Kind: clusterv1.GroupVersion.WithKind(kind), Fleet: func(o metav1.Object) *capipolicy.Fleet {
		return r.fleets.Lookup(capipolicy.Cluster{Namespace: o.GetNamespace(), Name: clusterName(o)})
	}}
}

func clusterName(o metav1.Object) string {
	switch o := o.(type) {
	case *clusterv1.MachineHealthCheck:
		return o.Spec.ClusterName
	case *clusterv1.Machine:
		return o.Spec.ClusterName
	}
	return o.GetName()
}

func (r *reconciler) healthChecksOf(ctx context.Context, cluster client.Object) []ctrl.Request {
	list := &clusterv1.MachineHealthCheckList{}
	if err := r.List(ctx, list, client.InNamespace(cluster.GetNamespace())); err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "Cannot list health checks")
	}
	var requests []ctrl.Request
	for _, mhc := range list.Items {
		if mhc.Spec.ClusterName == cluster.GetName() {
			requests = append(requests, ctrl.Request{NamespacedName: types.NamespacedName{Namespace: mhc.Namespace, Name: mhc.Name}})
		}
	}
	return requests
}

// Reconcile decides about a health check and acts.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	mhc := &clusterv1.MachineHealthCheck{}
	if err := r.Get(ctx, request.NamespacedName, mhc); err != nil {
		r.decisions.Delete(request.NamespacedName)
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if r.watchFilter != "" && mhc.Labels[clusterv1.WatchLabel] != r.watchFilter {
		return ctrl.Result{}, nil
	}
	cluster := capipolicy.Cluster{Namespace: mhc.Namespace, Name: mhc.Spec.ClusterName}
	fleet := r.fleets.Get(cluster)
	if known, err := r.readNodes(ctx, cluster, fleet); err != nil || !known {
		return ctrl.Result{}, err // the connection is watched
	}
	if err := r.readRemediation(ctx, mhc, fleet); err != nil {
		return ctrl.Result{}, err
	}
	decision, err := r.decide(ctx, request.NamespacedName, fleet)
	if refused := (*capipolicy.SnapshotError)(nil); errors.As(err, &refused) {
		return ctrl.Result{}, reconcile.TerminalError(err) // only a change of the objects helps, and that is watched
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := r.act(ctx, mhc, decision); err != nil {
		return ctrl.Result{}, err
	}
	if decision.Problem != "" {
		return ctrl.Result{}, errors.New(decision.Problem)
	}
	return ctrl.Result{RequeueAfter: decision.RequeueAfter()}, nil
}

// decide asks the fleet for what has changed and gives the whole decision.
func (r *reconciler) decide(ctx context.Context, name types.NamespacedName, fleet *capipolicy.Fleet) (*capipolicy.Evaluation, error) {
	start := time.Now()
	update, err := fleet.Update(ctx, capipolicy.Subject{Kind: kind, Namespace: name.Namespace, Name: name.Name}, start)
	decisionSeconds.Observe(time.Since(start).Seconds())
	if err != nil {
		return nil, err
	}
	whole := &capipolicy.Evaluation{}
	if last, ok := r.decisions.Load(name); ok {
		*whole = *last.(*capipolicy.Evaluation)
	} else if update.Reduced != nil {
		return nil, errors.New("the decision before is not known") // cannot happen while decisions live as long as fleets
	}
	whole.Apply(update)
	r.decisions.Store(name, whole)
	return whole, nil
}

// fill fills an empty fleet from the caches: the first time, and after a trap.
func (r *reconciler) fill(ctx context.Context, cluster capipolicy.Cluster, fill *capipolicy.Fill) error {
	machines, checks := &clusterv1.MachineList{}, &clusterv1.MachineHealthCheckList{}
	if err := r.List(ctx, machines, client.InNamespace(cluster.Namespace), client.MatchingLabels{clusterv1.ClusterNameLabel: cluster.Name}); err != nil {
		return err
	}
	if err := r.List(ctx, checks, client.InNamespace(cluster.Namespace)); err != nil {
		return err
	}
	clusters := []clusterv1.Cluster{{}}
	if err := r.Get(ctx, client.ObjectKey{Namespace: cluster.Namespace, Name: cluster.Name}, &clusters[0]); apierrors.IsNotFound(err) {
		clusters = clusters[:0]
	} else if err != nil {
		return err
	}
	scope := func(kind string) capipolicy.Scope {
		return capipolicy.Scope{Group: clusterv1.GroupVersion.Group, Kind: kind, Namespace: cluster.Namespace}
	}
	err := errors.Join(
		fill.Replace(ctx, scope("Cluster"), clusters),
		fill.Replace(ctx, scope("Machine"), machines.Items),
		fill.Replace(ctx, scope(kind), checks.Items),
	)
	if _, ok := r.connected.Load(cluster); !ok || err != nil {
		return err
	}
	return r.replaceNodes(ctx, cluster, fill)
}

// nodes puts the Nodes of a workload cluster into its fleet.
func (r *reconciler) nodes(cluster capipolicy.Cluster) informer.Feed {
	return informer.Feed{
		Kind: corev1.SchemeGroupVersion.WithKind("Node"), WorkloadCluster: &cluster,
		Fleet: func(metav1.Object) *capipolicy.Fleet { return r.fleets.Lookup(cluster) },
	}
}

// readNodes watches the Nodes of a workload cluster and says whether anything is
// known about them. A connection that broke is a fact to decide by; one that was
// never there says nothing.
func (r *reconciler) readNodes(ctx context.Context, cluster capipolicy.Cluster, fleet *capipolicy.Fleet) (bool, error) {
	key := client.ObjectKey{Namespace: cluster.Namespace, Name: cluster.Name}
	err := r.workloads.Watch(ctx, key, clustercache.NewWatcher(clustercache.WatcherOptions{
		Name: "mhc-controller-nodes", Watcher: r.controller, Kind: &corev1.Node{}, EventHandler: r.nodes(cluster).EventHandler(kind),
	}))
	if errors.Is(err, clustercache.ErrClusterNotConnected) {
		r.connected.Delete(cluster)
		before := !r.workloads.GetHealthCheckingState(ctx, key).LastProbeSuccessTime.IsZero()
		return before, fleet.MarkIncomplete(ctx, r.nodes(cluster).Scope())
	}
	if _, ok := r.connected.Load(cluster); ok || err != nil {
		return ok, err
	}
	if err := r.replaceNodes(ctx, cluster, fleet); err != nil {
		return false, err
	}
	r.connected.Store(cluster, true)
	return true, nil
}

// replaceNodes makes the Nodes that the workload cluster has all that there are.
func (r *reconciler) replaceNodes(ctx context.Context, cluster capipolicy.Cluster, fleet interface {
	Replace(ctx context.Context, scope capipolicy.Scope, objects any) error
}) error {
	workload, err := r.workloads.GetReader(ctx, client.ObjectKey{Namespace: cluster.Namespace, Name: cluster.Name})
	if err != nil {
		return err
	}
	nodes := &corev1.NodeList{}
	if err := workload.List(ctx, nodes); err != nil {
		return err
	}
	return fleet.Replace(ctx, r.nodes(cluster).Scope(), nodes.Items)
}

// readRemediation reads the template of external remediation and the requests
// that were made from it.
func (r *reconciler) readRemediation(ctx context.Context, mhc *clusterv1.MachineHealthCheck, fleet *capipolicy.Fleet) error {
	ref := mhc.Spec.Remediation.TemplateRef
	if !ref.IsDefined() {
		return nil
	}
	template, requests := remediationObjects(ref)
	name := client.ObjectKey{Namespace: mhc.Namespace, Name: ref.Name}
	switch err := r.Get(ctx, name, template); {
	case apierrors.IsNotFound(err):
		group := template.GroupVersionKind()
		if err := fleet.Delete(ctx, capipolicy.Ref{Group: group.Group, Kind: group.Kind, Namespace: name.Namespace, Name: name.Name}); err != nil {
			return err
		}
	case err != nil:
		return err
	default:
		if err := fleet.Upsert(ctx, template); err != nil {
			return err
		}
	}
	if err := r.List(ctx, requests, client.InNamespace(mhc.Namespace)); err != nil {
		return err
	}
	kind := requestKind(ref)
	return fleet.Replace(ctx, capipolicy.Scope{Group: kind.Group, Kind: kind.Kind, Namespace: mhc.Namespace}, requests.Items)
}
