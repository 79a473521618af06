package informer_test

import (
	"context"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	capipolicy "github.com/capi-policy/capi-policy/go"
	"github.com/capi-policy/capi-policy/go/informer"
)

var group = schema.GroupVersion{Group: "cluster.x-k8s.io", Version: "v1beta2"}

// object is one of a cache: without apiVersion and kind.
func object(name, version string, members map[string]any) *unstructured.Unstructured {
	o := &unstructured.Unstructured{Object: members}
	o.SetNamespace("default")
	o.SetName(name)
	o.SetResourceVersion(version)
	o.SetLabels(map[string]string{"cluster.x-k8s.io/cluster-name": "prod"})
	return o
}

func machine(version, ready string) *unstructured.Unstructured {
	return object("m1", version, map[string]any{
		"spec":   map[string]any{"clusterName": "prod"},
		"status": map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": ready, "reason": "Test", "lastTransitionTime": "2025-06-01T11:00:00Z"}}},
	})
}

// newFeed feeds one fleet, with objects of a kind.
func newFeed(t *testing.T, kind string) (*capipolicy.Fleet, informer.Feed) {
	t.Helper()
	engine, err := capipolicy.New(capipolicy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(engine.Close)
	fleet := capipolicy.NewFleet(engine, capipolicy.FleetOptions{})
	t.Cleanup(fleet.Close)
	return fleet, informer.Feed{Kind: group.WithKind(kind), Fleet: func(o metav1.Object) *capipolicy.Fleet {
		if informer.ClusterOf(o) == (capipolicy.Cluster{Namespace: "default", Name: "prod"}) {
			return fleet
		}
		return nil
	}}
}

func decidable(t *testing.T, fleet *capipolicy.Fleet) []string {
	t.Helper()
	subjects, err := fleet.Decidable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range subjects {
		names = append(names, s.Kind+" "+s.Name)
	}
	return names
}

func TestHandlerFollowsAnInformer(t *testing.T) {
	fleet, feed := newFeed(t, "Machine")
	changes := 0
	handler := feed.Handler(func(_ *capipolicy.Fleet, err error) {
		changes++
		if err != nil {
			t.Error(err)
		}
	})
	first := machine("1", "True")
	handler.OnAdd(first, true)
	handler.OnUpdate(first, machine("2", "False"))
	if got := decidable(t, fleet); !slices.Equal(got, []string{"Machine m1"}) || changes != 2 {
		t.Errorf("got %v after %d changes", got, changes)
	}
	handler.OnUpdate(first, first) // a resync
	other := machine("1", "True")
	other.SetLabels(map[string]string{"cluster.x-k8s.io/cluster-name": "another"})
	handler.OnAdd(other, false)
	if changes != 2 {
		t.Errorf("%d changes, although nothing has changed in this fleet", changes)
	}
	handler.OnDelete(cache.DeletedFinalStateUnknown{Key: "default/m1", Obj: first})
	if got := decidable(t, fleet); len(got) > 0 || changes != 3 {
		t.Errorf("got %v after %d changes", got, changes)
	}
}

func TestEventHandlerEnqueuesWhatIsDue(t *testing.T) {
	fleet, machines := newFeed(t, "Machine")
	checks := machines
	checks.Kind = group.WithKind("MachineHealthCheck")
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
	defer queue.ShutDown()
	check := object("workers", "1", map[string]any{"spec": map[string]any{"clusterName": "prod", "selector": map[string]any{}}})
	checks.EventHandler("MachineHealthCheck").Create(t.Context(), event.CreateEvent{Object: check}, queue)
	enqueued(t, queue, "workers")
	evaluate(t.Context(), t, fleet)

	handler := machines.EventHandler("MachineHealthCheck")
	handler.Create(t.Context(), event.CreateEvent{Object: machine("1", "True")}, queue)
	enqueued(t, queue, "workers")
	evaluate(t.Context(), t, fleet)
	handler.Delete(t.Context(), event.DeleteEvent{Object: machine("1", "True")}, queue)
	enqueued(t, queue, "workers")
}

func evaluate(ctx context.Context, t *testing.T, fleet *capipolicy.Fleet) {
	t.Helper()
	due, err := fleet.Due(ctx, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, subject := range due {
		if _, err := fleet.Update(ctx, subject, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
}

func enqueued(t *testing.T, queue workqueue.TypedRateLimitingInterface[reconcile.Request], name string) {
	t.Helper()
	if queue.Len() != 1 {
		t.Fatalf("%d are enqueued", queue.Len())
	}
	request, _ := queue.Get()
	queue.Done(request)
	if request.Namespace != "default" || request.Name != name {
		t.Errorf("%v is enqueued", request)
	}
}
