package capipolicy

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// A fleet that keeps its objects itself is the same again after its instance was
// lost, whatever changes it took.
func TestFleetIsFilledAgain(t *testing.T) {
	engine := newEngine(t)
	for seed := range uint64(60) {
		fleet := NewFleet(engine, FleetOptions{})
		random := rand.New(rand.NewPCG(seed, 0))
		for range 30 {
			for _, s := range randomChange(random) {
				if err := fleet.change(t.Context(), s); err != nil {
					t.Fatal(err)
				}
			}
		}
		before := stateOf(t, fleet)
		fleet.Reset()
		if after := stateOf(t, fleet); after != before {
			t.Errorf("seed %d\nbefore: %s\nafter:  %s", seed, before, after)
		}
		fleet.Close()
	}
}

// randomChange is about a few objects, in scopes that overlap.
func randomChange(random *rand.Rand) []step {
	prod := &Cluster{Namespace: "default", Name: "prod"}
	group, clusters := "cluster.x-k8s.io", []*Cluster{nil, prod}
	number := random.IntN(3)
	machine, node := fmt.Sprintf("m%d", number), fmt.Sprintf("n%d", number)
	nodeText := fmt.Sprintf(`{"apiVersion":"v1","kind":"Node","metadata":{"name":%q,"annotations":{"cluster.x-k8s.io/cluster-namespace":"default",`+
		`"cluster.x-k8s.io/cluster-name":"prod"}},"status":{"conditions":[{"type":"Ready","status":%q}]}}`, node, []string{"True", "False"}[random.IntN(2)])
	machines := Scope{Group: group, Kind: "Machine", Namespace: []string{"", "default"}[random.IntN(2)]}
	nodes := Scope{Kind: "Node", WorkloadCluster: clusters[random.IntN(2)]}
	machineText := fleetObject("Machine", machine, fmt.Sprintf(`"spec":{"clusterName":"prod"},"status":{"nodeRef":{"name":%q}}`, node))
	facts := Observed{UpdatingReason: fmt.Sprint(random.IntN(3))}
	changes := [][]step{
		{upsert(fleetObject("Cluster", "prod", fmt.Sprintf(`"spec":{"paused":%t}`, random.IntN(2) == 0)), nil)},
		{upsert(machineText, nil)},
		{remove(Ref{Group: group, Kind: "Machine", Namespace: "default", Name: machine})},
		{upsert([]byte(nodeText), prod)},
		{remove(Ref{Kind: "Node", Name: node, WorkloadCluster: prod})},
		{replace(nodes, []json.RawMessage{json.RawMessage(nodeText)})},
		{replace(machines, json.RawMessage(fmt.Sprintf(`{"items":[{"metadata":{"name":%q,"namespace":"default"},"spec":{"clusterName":"prod"}}]}`, machine)))},
		{mark(machines, true)},
		{mark(nodes, true)},
		{assume([]Assumption{AssumeNothing, AssumePresentKindsAreComplete, AssumeEverythingIsComplete}[random.IntN(3)])},
		{observe(Audience{}, Observed{RemoteConditionsGracePeriodSeconds: int64(random.IntN(3))})},
		{observe(Audience{WorkloadCluster: prod}, Observed{RemoteConditionsGracePeriodSeconds: int64(random.IntN(3))})},
		{upsert(machineText, nil), observe(Audience{Kind: "Machine", Namespace: "default", Name: machine}, facts)},
	}
	return changes[random.IntN(len(changes))]
}

// stateOf is all that a fleet tells about itself.
func stateOf(t *testing.T, fleet *Fleet) string {
	t.Helper()
	subjects, err := fleet.Decidable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var state strings.Builder
	for _, subject := range subjects {
		snapshot, err := fleet.Snapshot(t.Context(), subject, time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&state, "%s\n", snapshot)
	}
	for _, function := range []string{"fleet-wanted", "fleet-size"} {
		text, err := fleet.ask(t.Context(), function)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&state, "%s\n", text)
	}
	return state.String()
}

func TestWhatIsIncompleteStaysSo(t *testing.T) {
	fleet := NewFleet(newEngine(t), FleetOptions{})
	defer fleet.Close()
	machines := Scope{Group: "cluster.x-k8s.io", Kind: "Machine"}
	for _, s := range []step{
		upsert(fleetObject("Cluster", "prod", `"spec":{}`), nil),
		replace(machines, []json.RawMessage{fleetObject("Machine", "m1", `"spec":{"clusterName":"prod"}`)}),
		mark(machines, false),
	} {
		if err := fleet.change(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	before := stateOf(t, fleet)
	fleet.Reset()
	if after := stateOf(t, fleet); after != before || strings.Contains(after, `"Machine","complete":true`) {
		t.Errorf("before: %s\nafter:  %s", before, after)
	}
}

// Machines come and go for as long as a controller runs.
func TestJournalDoesNotGrow(t *testing.T) {
	fleet := NewFleet(newEngine(t), FleetOptions{})
	defer fleet.Close()
	if err := fleet.MarkComplete(t.Context(), Scope{Group: "cluster.x-k8s.io", Kind: "Machine"}); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		name := fmt.Sprint("m", i)
		for _, s := range []step{
			upsert(fleetObject("Machine", name, `"spec":{"clusterName":"prod"}`), nil),
			remove(Ref{Group: "cluster.x-k8s.io", Kind: "Machine", Namespace: "default", Name: name}),
		} {
			if err := fleet.change(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := len(fleet.journal.objects); got != 0 {
		t.Errorf("%d objects are kept", got)
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
