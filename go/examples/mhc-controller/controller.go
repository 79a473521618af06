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
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/cluster-api/util/patch"
	"sigs.k8s.io/cluster-api/util/predicates"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	capipolicy "github.com/capi-policy/capi-policy/go"
	"github.com/capi-policy/capi-policy/go/clusterapi"
	"github.com/capi-policy/capi-policy/go/informer"
)

// kind is what this controller decides about.
const kind = "MachineHealthCheck"

var decisionSeconds = prometheus.NewHistogram(prometheus.HistogramOpts{
	Name: "mhc_controller_decision_seconds", Help: "How long the policy took for a decision.", Buckets: prometheus.ExponentialBuckets(1e-5, 4, 10),
})

func init() { metrics.Registry.MustRegister(decisionSeconds) }

// reconciler decides about MachineHealthChecks. Watches put objects into the
// fleet of their cluster and enqueue what is due; a reconcile asks the fleet.
type reconciler struct {
	client.Client
	workloads   clustercache.ClusterCache
	fleets      *capipolicy.Fleets
	watchFilter string
	controller  controller.Controller
	// connections are the readers of the workload clusters whose Nodes the fleets
	// have: a client.Reader by capipolicy.Cluster.
	connections sync.Map
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
		name := o.GetName()
		switch o := o.(type) {
		case *clusterv1.MachineHealthCheck:
			name = o.Spec.ClusterName
		case *clusterv1.Machine:
			name = o.Spec.ClusterName
		}
		return r.fleets.Lookup(capipolicy.Cluster{Namespace: o.GetNamespace(), Name: name})
	}}
}

// nodes puts the Nodes of a workload cluster into its fleet.
func (r *reconciler) nodes(cluster capipolicy.Cluster) informer.Feed {
	return informer.Feed{
		Kind: corev1.SchemeGroupVersion.WithKind("Node"), WorkloadCluster: &cluster,
		Fleet: func(metav1.Object) *capipolicy.Fleet { return r.fleets.Lookup(cluster) },
	}
}

func (r *reconciler) healthChecksOf(ctx context.Context, cluster client.Object) []ctrl.Request {
	list := &clusterv1.MachineHealthCheckList{}
	if err := r.List(ctx, list, client.InNamespace(cluster.GetNamespace())); err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "Cannot list health checks")
	}
	var requests []ctrl.Request
	for i := range list.Items {
		if list.Items[i].Spec.ClusterName == cluster.GetName() {
			requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
	}
	return requests
}

// Reconcile decides about a health check and acts.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	mhc := &clusterv1.MachineHealthCheck{}
	if err := r.Get(ctx, request.NamespacedName, mhc); err != nil {
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
	start := time.Now()
	decision, err := fleet.Update(ctx, capipolicy.Subject{Kind: kind, Namespace: mhc.Namespace, Name: mhc.Name}, start)
	decisionSeconds.Observe(time.Since(start).Seconds())
	if refused := (*capipolicy.SnapshotError)(nil); errors.As(err, &refused) {
		return ctrl.Result{}, reconcile.TerminalError(err) // only a change of the objects helps, and that is watched
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := r.act(ctx, mhc, decision.Evaluation); err != nil {
		return ctrl.Result{}, err
	}
	if decision.Problem != "" {
		return ctrl.Result{}, errors.New(decision.Problem)
	}
	return ctrl.Result{RequeueAfter: decision.RequeueAfter()}, nil
}

// fill fills an empty fleet from the caches: the first time, and after a trap.
func (r *reconciler) fill(ctx context.Context, cluster capipolicy.Cluster, fill *capipolicy.Fill) error {
	namespace := client.InNamespace(cluster.Namespace)
	err := errors.Join(
		r.feed("Cluster").Replace(ctx, fill, r, &clusterv1.ClusterList{}, namespace),
		r.feed("Machine").Replace(ctx, fill, r, &clusterv1.MachineList{}, namespace, client.MatchingLabels{clusterv1.ClusterNameLabel: cluster.Name}),
		r.feed(kind).Replace(ctx, fill, r, &clusterv1.MachineHealthCheckList{}, namespace))
	if reader, ok := r.connections.Load(cluster); ok {
		err = errors.Join(err, r.nodes(cluster).Replace(ctx, fill, reader.(client.Reader), &corev1.NodeList{}))
	}
	return err
}

// readNodes watches the Nodes of a workload cluster and says whether anything is
// known about them. A connection that broke is a fact to decide by; one that was
// never there says nothing.
func (r *reconciler) readNodes(ctx context.Context, cluster capipolicy.Cluster, fleet *capipolicy.Fleet) (bool, error) {
	key, nodes := client.ObjectKey{Namespace: cluster.Namespace, Name: cluster.Name}, r.nodes(cluster)
	reader, err := r.workloads.GetReader(ctx, key)
	if err == nil {
		err = r.workloads.Watch(ctx, key, clustercache.NewWatcher(clustercache.WatcherOptions{
			Name: "mhc-controller-nodes", Watcher: r.controller, Kind: &corev1.Node{}, EventHandler: nodes.EventHandler(kind),
		}))
	}
	if errors.Is(err, clustercache.ErrClusterNotConnected) {
		r.connections.Delete(cluster)
		before := !r.workloads.GetHealthCheckingState(ctx, key).LastProbeSuccessTime.IsZero()
		return before, fleet.MarkIncomplete(ctx, nodes.Scope())
	}
	if last, _ := r.connections.Load(cluster); last == reader || err != nil {
		return err == nil, err
	}
	if err := nodes.Replace(ctx, fleet, reader, &corev1.NodeList{}); err != nil {
		return false, err
	}
	r.connections.Store(cluster, reader)
	return true, nil
}

// readRemediation reads the template of external remediation and the requests
// that were made from it.
func (r *reconciler) readRemediation(ctx context.Context, mhc *clusterv1.MachineHealthCheck, fleet *capipolicy.Fleet) error {
	templateKind, requestKind, ok := clusterapi.RemediationKinds(mhc)
	if !ok {
		return nil
	}
	template, requests := &unstructured.Unstructured{}, &unstructured.UnstructuredList{}
	template.SetGroupVersionKind(templateKind)
	requests.SetGroupVersionKind(requestKind.GroupVersion().WithKind(requestKind.Kind + "List"))
	name := client.ObjectKey{Namespace: mhc.Namespace, Name: mhc.Spec.Remediation.TemplateRef.Name}
	err := r.Get(ctx, name, template)
	if apierrors.IsNotFound(err) {
		err = fleet.Delete(ctx, capipolicy.Ref{Group: templateKind.Group, Kind: templateKind.Kind, Namespace: name.Namespace, Name: name.Name})
	} else if err == nil {
		err = fleet.Upsert(ctx, template)
	}
	if err != nil {
		return err
	}
	return informer.Feed{Kind: requestKind}.Replace(ctx, fleet, r, requests, client.InNamespace(mhc.Namespace))
}

// act stores what was decided and carries out the actions. What is so already
// costs no write.
func (r *reconciler) act(ctx context.Context, mhc *clusterv1.MachineHealthCheck, decision *capipolicy.Evaluation) error {
	var errs []error
	for _, decided := range decision.Machines {
		machine := &clusterv1.Machine{}
		err := r.Get(ctx, client.ObjectKey{Namespace: mhc.Namespace, Name: decided.Name}, machine, client.UnsafeDisableDeepCopy)
		if err != nil {
			errs = append(errs, client.IgnoreNotFound(err))
			continue
		}
		owned := clusterapi.MachineConditionsOfHealthChecks
		if conditions, changed := clusterapi.Merge(machine.Status.Conditions, decided.Conditions, owned...); changed {
			machine = machine.DeepCopy()
			err := r.patch(ctx, machine, owned, func() { machine.SetConditions(conditions) })
			errs = append(errs, client.IgnoreNotFound(err))
		}
	}
	for _, action := range decision.Actions {
		errs = append(errs, r.carryOut(ctx, action))
	}
	owned := []string{clusterv1.PausedCondition, clusterv1.MachineHealthCheckRemediationAllowedCondition}
	return errors.Join(append(errs, r.patch(ctx, mhc, owned, func() { clusterapi.StoreHealthCheck(mhc, decision) }))...)
}

// carryOut does what is not part of the health check itself.
func (r *reconciler) carryOut(ctx context.Context, action capipolicy.Action) error {
	object, err := clusterapi.Object(action)
	if object == nil || err != nil {
		return err
	}
	ctrl.LoggerFrom(ctx).Info("Acting", "action", action.Type(), "object", client.ObjectKeyFromObject(object))
	if _, ok := action.(capipolicy.CreateRemediationRequest); ok {
		return client.IgnoreAlreadyExists(r.Create(ctx, object))
	}
	return client.IgnoreNotFound(r.Delete(ctx, object))
}

// patch stores what change changes, and these conditions as their only writer.
func (r *reconciler) patch(ctx context.Context, o client.Object, owned []string, change func()) error {
	helper, err := patch.NewHelper(o, r.Client)
	if err != nil {
		return err
	}
	change()
	return helper.Patch(ctx, o, patch.WithOwnedConditions{Conditions: owned})
}
