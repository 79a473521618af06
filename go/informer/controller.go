package informer

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	capipolicy "github.com/capi-policy/capi-policy/go"
)

// EventHandler is for controller-runtime: it puts the object of an event into
// its fleet and enqueues the objects of these kinds whose decision depends on
// it, and no others.
func (f Feed) EventHandler(kinds ...string) handler.EventHandler {
	type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]
	handle := func(ctx context.Context, q queue, do func(context.Context, metav1.Object) (*capipolicy.Fleet, error), object client.Object) {
		fleet, err := do(ctx, object)
		if fleet == nil {
			return
		}
		if err == nil {
			err = Enqueue(ctx, fleet, q, kinds...)
		}
		if err != nil {
			log.FromContext(ctx).Error(err, "Cannot update the fleet", "kind", f.Kind.Kind, "object", client.ObjectKeyFromObject(object))
		}
	}
	return handler.Funcs{
		CreateFunc: func(ctx context.Context, e event.CreateEvent, q queue) { handle(ctx, q, f.Upsert, e.Object) },
		UpdateFunc: func(ctx context.Context, e event.UpdateEvent, q queue) { handle(ctx, q, f.Upsert, e.ObjectNew) },
		DeleteFunc: func(ctx context.Context, e event.DeleteEvent, q queue) { handle(ctx, q, f.Delete, e.Object) },
	}
}

// Enqueue enqueues the objects of these kinds that a fleet has to decide about
// now.
func Enqueue(ctx context.Context, fleet *capipolicy.Fleet, queue workqueue.TypedRateLimitingInterface[reconcile.Request], kinds ...string) error {
	if len(kinds) == 0 {
		return nil // not all of them
	}
	due, err := fleet.Due(ctx, time.Now(), kinds...)
	for _, subject := range due {
		queue.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: subject.Namespace, Name: subject.Name}})
	}
	return err
}
