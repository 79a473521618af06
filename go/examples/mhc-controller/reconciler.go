package main

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/types"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	capipolicy "github.com/capi-policy/capi-policy/go"
)

// reconciler evaluates MachineHealthChecks.
type reconciler struct {
	client    client.Client
	workloads clustercache.ClusterCache
	policy    *capipolicy.Engine
	profile   capipolicy.Profile
	apply     bool
}

func (r *reconciler) setupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("mhc-controller").
		For(&clusterv1.MachineHealthCheck{}).
		Watches(&clusterv1.Machine{}, handler.EnqueueRequestsFromMapFunc(func(ctx context.Context, o client.Object) []ctrl.Request {
			return r.healthChecks(ctx, o.GetNamespace(), o.(*clusterv1.Machine).Spec.ClusterName)
		})).
		Watches(&clusterv1.Cluster{}, handler.EnqueueRequestsFromMapFunc(r.healthChecksOf)).
		// A workload cluster that can be read again.
		WatchesRawSource(r.workloads.GetClusterSource("mhc-controller", r.healthChecksOf)).
		Complete(r)
}

func (r *reconciler) healthChecksOf(ctx context.Context, cluster client.Object) []ctrl.Request {
	return r.healthChecks(ctx, cluster.GetNamespace(), cluster.GetName())
}

// healthChecks are those of a Cluster.
func (r *reconciler) healthChecks(ctx context.Context, namespace, cluster string) []ctrl.Request {
	list := &clusterv1.MachineHealthCheckList{}
	if err := r.client.List(ctx, list, client.InNamespace(namespace)); err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "Cannot list health checks")
		return nil
	}
	var requests []ctrl.Request
	for i := range list.Items {
		if mhc := &list.Items[i]; mhc.Spec.ClusterName == cluster {
			requests = append(requests, ctrl.Request{NamespacedName: types.NamespacedName{Namespace: mhc.Namespace, Name: mhc.Name}})
		}
	}
	return requests
}

// Reconcile reads, evaluates, reports and, if asked to, patches.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	mhc := &clusterv1.MachineHealthCheck{}
	if err := r.client.Get(ctx, request.NamespacedName, mhc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	snapshot, err := r.read(ctx, mhc)
	if errors.Is(err, errConnecting) {
		ctrl.LoggerFrom(ctx).Info("Waiting for the workload cluster")
		return ctrl.Result{}, nil // the connection is watched
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	decision, err := r.policy.Evaluate(ctx, *snapshot)
	if refused := (*capipolicy.SnapshotError)(nil); errors.As(err, &refused) {
		// Only a change of the objects helps, and that is watched.
		return ctrl.Result{}, reconcile.TerminalError(err)
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	r.report(ctx, snapshot, decision)
	if r.apply {
		if err := r.patch(ctx, snapshot, decision); err != nil {
			return ctrl.Result{}, err
		}
	}
	if decision.Problem != "" {
		return ctrl.Result{}, errors.New(decision.Problem)
	}
	return ctrl.Result{RequeueAfter: decision.RequeueAfter()}, nil
}
