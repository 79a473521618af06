// garbage.go deletes by owner reference.

package provider

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// collected are the kinds whose orphans are deleted. There is no
// kube-controller-manager beside the API server that would do it.
var collected = []schema.GroupVersionKind{
	clusterv1.GroupVersion.WithKind("Cluster"),
	clusterv1.GroupVersion.WithKind("MachineDeployment"),
	clusterv1.GroupVersion.WithKind("MachineSet"),
	clusterv1.GroupVersion.WithKind("Machine"),
	clusterv1.GroupVersion.WithKind("MachineHealthCheck"),
	clusterv1.GroupVersion.WithKind("MachinePool"),
	InfrastructureCluster,
	InfrastructureMachine,
	InfrastructureMachinePool,
	InfrastructureMachineTemplate,
	BootstrapConfig,
	BootstrapConfigTemplate,
	ControlPlane,
	Remediation,
	corev1.SchemeGroupVersion.WithKind("Secret"),
}

// addGarbageCollector deletes, once a second, what has owners of which none exists.
func addGarbageCollector(mgr ctrl.Manager, kinds []schema.GroupVersionKind) error {
	g := garbageCollector{kinds, mgr.GetClient(), mgr.GetAPIReader()}
	return mgr.Add(manager.RunnableFunc(func(ctx context.Context) error {
		for tick := time.NewTicker(time.Second); ; {
			select {
			case <-ctx.Done():
				return nil
			case <-tick.C:
				if err := g.collect(ctx); err != nil && ctx.Err() == nil {
					mgr.GetLogger().Error(err, "garbage collection")
				}
			}
		}
	}))
}

type garbageCollector struct {
	kinds  []schema.GroupVersionKind
	cached client.Client
	live   client.Reader
}

func (g garbageCollector) collect(ctx context.Context) error {
	var objects []metav1.PartialObjectMetadata
	alive := map[types.UID]bool{}
	for _, kind := range g.kinds {
		list := &metav1.PartialObjectMetadataList{}
		list.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
		if err := g.cached.List(ctx, list); err != nil {
			return err
		}
		for _, o := range list.Items {
			o.SetGroupVersionKind(kind)
			objects = append(objects, o)
			alive[o.UID] = true
		}
	}
	for _, o := range objects {
		orphan, err := g.orphan(ctx, &o, alive)
		if err != nil {
			return err
		}
		if orphan {
			if err := g.cached.Delete(ctx, &o, client.Preconditions{UID: &o.UID}); err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
				return err
			}
		}
	}
	return nil
}

// orphan asks the server before it calls an owner gone: the cache may not
// have heard of it yet.
func (g garbageCollector) orphan(ctx context.Context, o *metav1.PartialObjectMetadata, alive map[types.UID]bool) (bool, error) {
	if len(o.OwnerReferences) == 0 || !o.DeletionTimestamp.IsZero() {
		return false, nil
	}
	for _, ref := range o.OwnerReferences {
		if alive[ref.UID] {
			return false, nil
		}
	}
	for _, ref := range o.OwnerReferences {
		owner := &metav1.PartialObjectMetadata{}
		owner.SetGroupVersionKind(schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind))
		err := g.live.Get(ctx, types.NamespacedName{Namespace: o.Namespace, Name: ref.Name}, owner)
		if err != nil && !apierrors.IsNotFound(err) {
			return false, err
		}
		if err == nil && owner.UID == ref.UID {
			return false, nil
		}
	}
	return true, nil
}
