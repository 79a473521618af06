// clusters.go provisions infrastructure clusters and control planes without machines.

package provider

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// addClusters gives an infrastructure cluster its endpoint and calls it provisioned.
func addClusters(mgr ctrl.Manager) error {
	return watch(mgr, InfrastructureCluster, func(ctx context.Context, c client.Client, o *unstructured.Unstructured) error {
		return patchWith(ctx, c, o,
			map[string]any{"controlPlaneEndpoint": map[string]any{"host": "127.0.0.1", "port": int64(6443)}},
			map[string]any{"initialization": map[string]any{"provisioned": true}})
	})
}

// addControlPlanes calls a control plane initialized, with all of its replicas
// up to date, and managed elsewhere: with neither that nor control-plane
// machines, upstream would not drain a node.
func addControlPlanes(mgr ctrl.Manager) error {
	return watch(mgr, ControlPlane, func(ctx context.Context, c client.Client, o *unstructured.Unstructured) error {
		replicas, _, _ := unstructured.NestedInt64(o.Object, "spec", "replicas")
		version, _, _ := unstructured.NestedString(o.Object, "spec", "version")
		return patchWith(ctx, c, o, nil, map[string]any{
			"initialization":              map[string]any{"controlPlaneInitialized": true},
			"externalManagedControlPlane": true,
			"version":                     version,
			"replicas":                    replicas,
			"readyReplicas":               replicas,
			"availableReplicas":           replicas,
			"upToDateReplicas":            replicas,
		})
	})
}

var concurrently = controller.Options{MaxConcurrentReconciles: 10}

// watch runs f on each living object of the kind, whenever it changes.
func watch(mgr ctrl.Manager, kind schema.GroupVersionKind, f func(context.Context, client.Client, *unstructured.Unstructured) error) error {
	c := mgr.GetClient()
	return ctrl.NewControllerManagedBy(mgr).For(New(kind)).WithOptions(concurrently).Complete(reconcile.Func(func(ctx context.Context, r ctrl.Request) (ctrl.Result, error) {
		o := New(kind)
		if err := c.Get(ctx, r.NamespacedName, o); err != nil {
			return ctrl.Result{}, client.IgnoreNotFound(err)
		}
		if !o.GetDeletionTimestamp().IsZero() {
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, f(ctx, c, o)
	}))
}

// patchWith merges fields into spec and status; what is so already costs no write.
func patchWith(ctx context.Context, c client.Client, o *unstructured.Unstructured, spec, status map[string]any) error {
	for _, part := range []struct {
		field  string
		values map[string]any
		patch  func(context.Context, client.Object, client.Patch) error
	}{
		{"spec", spec, func(ctx context.Context, o client.Object, p client.Patch) error { return c.Patch(ctx, o, p) }},
		{"status", status, func(ctx context.Context, o client.Object, p client.Patch) error { return c.Status().Patch(ctx, o, p) }},
	} {
		before := o.DeepCopy()
		for key, value := range part.values {
			if err := unstructured.SetNestedField(o.Object, value, part.field, key); err != nil {
				return err
			}
		}
		patch := client.MergeFrom(before)
		if data, err := patch.Data(o); err != nil || string(data) == "{}" {
			if err != nil {
				return err
			}
			continue
		}
		if err := part.patch(ctx, o, patch); err != nil {
			return client.IgnoreNotFound(err)
		}
	}
	return nil
}
