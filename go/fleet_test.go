package capipolicy

import (
	"context"
	"encoding/json"
	"testing"
	"time"
)

// A fleet that keeps its objects itself has all of them again after its instance
// was lost.
func TestFleetIsFilledAgain(t *testing.T) {
	fleet := NewFleet(newEngine(t), FleetOptions{})
	defer fleet.Close()
	now := time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)
	node := Cluster{Namespace: "default", Name: "prod"}
	for _, err := range []error{
		fleet.Upsert(t.Context(), fleetObject("Cluster", "prod", `"spec":{"paused":true}`)),
		fleet.Upsert(t.Context(), Typed("cluster.x-k8s.io/v1beta2", "Machine", json.RawMessage(
			`{"metadata":{"name":"m1","namespace":"default","labels":{"cluster.x-k8s.io/cluster-name":"prod"}},"spec":{"clusterName":"prod"},"status":{"nodeRef":{"name":"n1"}}}`))),
		fleet.Upsert(t.Context(), fleetObject("Machine", "gone", `"spec":{"clusterName":"prod"}`)),
		fleet.Delete(t.Context(), Ref{Group: "cluster.x-k8s.io", Kind: "Machine", Namespace: "default", Name: "gone"}),
		fleet.Replace(t.Context(), Scope{Kind: "Node", WorkloadCluster: &node}, json.RawMessage(`{"items":[{"metadata":{"name":"n1"},"status":{"conditions":[{"type":"Ready","status":"True"}]}}]}`)),
		fleet.MarkComplete(t.Context(), Scope{Group: "cluster.x-k8s.io", Kind: "Machine"}),
		fleet.MarkComplete(t.Context(), Scope{Group: "cluster.x-k8s.io", Kind: "MachineSet"}),
		fleet.MarkIncomplete(t.Context(), Scope{Group: "cluster.x-k8s.io", Kind: "MachineSet"}),
		fleet.Observe(t.Context(), Audience{}, Observed{RemoteConditionsGracePeriodSeconds: 60}),
		fleet.Observe(t.Context(), Audience{WorkloadCluster: &node}, Observed{RemoteConditionsGracePeriodSeconds: 90}),
		fleet.Observe(t.Context(), Audience{Kind: "Machine", Namespace: "default", Name: "m1"}, Observed{UpdatingReason: "Test"}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	state := func() string {
		t.Helper()
		snapshot, err := fleet.Snapshot(t.Context(), Subject{Kind: "Machine", Namespace: "default", Name: "m1"}, now)
		if err != nil {
			t.Fatal(err)
		}
		wanted, err := fleet.ask(t.Context(), "fleet-wanted")
		if err != nil {
			t.Fatal(err)
		}
		decidable, err := fleet.ask(t.Context(), "fleet-decidable")
		if err != nil {
			t.Fatal(err)
		}
		return string(snapshot) + string(wanted) + string(decidable)
	}
	before := state()
	fleet.turn <- struct{}{}
	fleet.drop()
	<-fleet.turn
	if after := state(); after != before {
		t.Errorf("before: %s\nafter: %s", before, after)
	}
}

func TestRefillThatFails(t *testing.T) {
	failing := true
	fleet := NewFleet(newEngine(t), FleetOptions{Refill: func(context.Context, *Fill) error {
		if failing {
			return context.DeadlineExceeded
		}
		return nil
	}})
	defer fleet.Close()
	if _, err := fleet.Decidable(t.Context()); err == nil {
		t.Error("no error")
	}
	failing = false
	if _, err := fleet.Decidable(t.Context()); err != nil {
		t.Error(err)
	}
}

func fleetObject(kind, name, members string) json.RawMessage {
	return json.RawMessage(`{"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"` + kind + `","metadata":{"namespace":"default","name":"` + name +
		`","labels":{"cluster.x-k8s.io/cluster-name":"prod"}},` + members + `}`)
}
