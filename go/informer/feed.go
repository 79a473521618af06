// Package informer feeds fleets from client-go's informers, which are those of
// controller-runtime's cache, too:
//
//	machines := informer.Feed{
//		Kind:  clusterv1.GroupVersion.WithKind("Machine"),
//		Fleet: func(o metav1.Object) *capipolicy.Fleet { return fleets.Lookup(informer.ClusterOf(o)) },
//	}
//	factory.Machines().Informer().AddEventHandler(machines.Handler(report)) // client-go
//	builder.Watches(&clusterv1.Machine{}, machines.EventHandler("MachineHealthCheck")) // controller-runtime
//
// An event costs the encoding of one object.
package informer

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	capipolicy "github.com/capi-policy/capi-policy/go"
)

// clusterNameLabel is on every object of a workload cluster.
const clusterNameLabel = "cluster.x-k8s.io/cluster-name"

// Feed puts the objects of one kind into fleets.
type Feed struct {
	// Kind is the kind of the objects: those of a cache don't tell.
	Kind schema.GroupVersionKind
	// Fleet is the fleet that an object belongs to; nil for none.
	Fleet func(object metav1.Object) *capipolicy.Fleet
	// WorkloadCluster is where Nodes are read from; nil for all other kinds.
	WorkloadCluster *capipolicy.Cluster
}

// ClusterOf is the workload cluster that an object's label names.
func ClusterOf(object metav1.Object) capipolicy.Cluster {
	return capipolicy.Cluster{Namespace: object.GetNamespace(), Name: object.GetLabels()[clusterNameLabel]}
}

// Upsert puts an object into its fleet and gives the fleet; nil if it belongs to
// none.
func (f Feed) Upsert(ctx context.Context, object metav1.Object) (*capipolicy.Fleet, error) {
	fleet := f.Fleet(object)
	if fleet == nil {
		return nil, nil
	}
	typed := capipolicy.Typed(f.Kind.GroupVersion().String(), f.Kind.Kind, object)
	if f.WorkloadCluster != nil {
		return fleet, fleet.UpsertNode(ctx, *f.WorkloadCluster, typed)
	}
	return fleet, fleet.Upsert(ctx, typed)
}

// Delete takes an object out of its fleet and gives the fleet; nil if it belongs
// to none.
func (f Feed) Delete(ctx context.Context, object metav1.Object) (*capipolicy.Fleet, error) {
	fleet := f.Fleet(object)
	if fleet == nil {
		return nil, nil
	}
	return fleet, fleet.Delete(ctx, capipolicy.Ref{
		Group: f.Kind.Group, Kind: f.Kind.Kind, Namespace: object.GetNamespace(), Name: object.GetName(), WorkloadCluster: f.WorkloadCluster,
	})
}

// Scope is what the fleet has all of once an informer without selectors has
// synced.
func (f Feed) Scope() capipolicy.Scope {
	return capipolicy.Scope{Group: f.Kind.Group, Kind: f.Kind.Kind, WorkloadCluster: f.WorkloadCluster}
}

// Replacer is a capipolicy.Fleet, or a capipolicy.Fill.
type Replacer interface {
	Replace(ctx context.Context, scope capipolicy.Scope, objects any) error
}

// Replace lists objects and makes them all that a fleet has of the kind, in the
// namespace that the options name or in all of them.
func (f Feed) Replace(ctx context.Context, fleet Replacer, reader client.Reader, list client.ObjectList, opts ...client.ListOption) error {
	if err := reader.List(ctx, list, opts...); err != nil {
		return err
	}
	objects, err := meta.ExtractList(list)
	if err != nil {
		return err
	}
	scope, listed := f.Scope(), client.ListOptions{}
	scope.Namespace = listed.ApplyOptions(opts).Namespace
	return fleet.Replace(ctx, scope, objects)
}

// Handler is for client-go's informers. It reports each fleet that has changed,
// or the error.
func (f Feed) Handler(report func(*capipolicy.Fleet, error)) cache.ResourceEventHandler {
	handle := func(do func(context.Context, metav1.Object) (*capipolicy.Fleet, error), object any) {
		if last, ok := object.(cache.DeletedFinalStateUnknown); ok {
			object = last.Obj
		}
		if object, ok := object.(metav1.Object); ok {
			if fleet, err := do(context.Background(), object); fleet != nil {
				report(fleet, err)
			}
		}
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { handle(f.Upsert, object) },
		UpdateFunc: func(old, object any) {
			// A resync tells nothing new.
			if before, ok := old.(metav1.Object); ok && before.GetResourceVersion() != "" {
				if after, ok := object.(metav1.Object); ok && after.GetResourceVersion() == before.GetResourceVersion() {
					return
				}
			}
			handle(f.Upsert, object)
		},
		DeleteFunc: func(object any) { handle(f.Delete, object) },
	}
}
