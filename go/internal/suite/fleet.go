package suite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	capipolicy "github.com/capi-policy/capi-policy/go"
)

// Now is when the example fleet is evaluated.
var Now = time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)

// Prod is the workload cluster of the example fleet.
var Prod = capipolicy.Cluster{Namespace: "default", Name: "prod"}

// filler is what a Fleet and a Fill have in common.
type filler interface {
	Upsert(ctx context.Context, object any) error
	UpsertNode(ctx context.Context, cluster capipolicy.Cluster, node any) error
	MarkComplete(ctx context.Context, scope capipolicy.Scope) error
}

// FillFleet puts a running cluster with so many machines into a fleet.
func FillFleet(ctx context.Context, f filler, machines int) error {
	objects := []any{
		Object("Cluster", "prod", `"status":{"initialization":{"infrastructureProvisioned":true,"controlPlaneInitialized":true},`+
			`"conditions":[`+condition("InfrastructureReady", "True")+`,`+condition("ControlPlaneInitialized", "True")+`]}`),
		Object("MachineDeployment", "md", `"spec":{"clusterName":"prod","replicas":`+fmt.Sprint(machines)+`,"selector":{"matchLabels":{"pool":"md"}}}`),
		Object("MachineSet", "ms", `"spec":{"clusterName":"prod","replicas":`+fmt.Sprint(machines)+`,"selector":{"matchLabels":{"pool":"md"}}}`),
		Object("MachineHealthCheck", "mhc", `"spec":{"clusterName":"prod","selector":{"matchLabels":{"pool":"md"}},`+
			`"checks":{"unhealthyNodeConditions":[{"type":"Ready","status":"False","timeoutSeconds":300}]}}`),
	}
	for i := range machines {
		objects = append(objects, Machine(i, "True"))
	}
	for _, object := range objects {
		if err := f.Upsert(ctx, object); err != nil {
			return err
		}
	}
	for i := range machines {
		if err := f.UpsertNode(ctx, Prod, Node(i, "True")); err != nil {
			return err
		}
	}
	for _, kind := range []string{"Cluster", "MachineDeployment", "MachineSet", "MachineHealthCheck", "Machine"} {
		if err := f.MarkComplete(ctx, capipolicy.Scope{Group: group, Kind: kind}); err != nil {
			return err
		}
	}
	return f.MarkComplete(ctx, capipolicy.Scope{Kind: "Node", WorkloadCluster: &Prod})
}

const group = "cluster.x-k8s.io"

// owners are what an object of this kind has as its controller.
var owners = map[string][2]string{"MachineSet": {"MachineDeployment", "md"}, "Machine": {"MachineSet", "ms"}}

// Object is an object of Cluster API with these members beside its metadata.
func Object(kind, name, members string) json.RawMessage {
	owner := ""
	if o, ok := owners[kind]; ok {
		owner = fmt.Sprintf(`,"ownerReferences":[{"apiVersion":"%s/v1beta2","kind":%q,"name":%q,"uid":"uid-%s","controller":true}]`, group, o[0], o[1], o[1])
	}
	return json.RawMessage(fmt.Sprintf(`{"apiVersion":"%s/v1beta2","kind":%q,"metadata":{"creationTimestamp":"2025-06-01T10:00:00Z","generation":1,`+
		`"labels":{"cluster.x-k8s.io/cluster-name":"prod","pool":"md"},"name":%q,"namespace":"default","uid":"uid-%s"%s},%s}`,
		group, kind, name, name, owner, members))
}

// Machine is one of the example's machines, which is ready or not.
func Machine(i int, ready string) json.RawMessage {
	name := fmt.Sprintf("m%04d", i)
	return Object("Machine", name, fmt.Sprintf(`"spec":{"clusterName":"prod","version":"v1.34.1","providerID":"test:///%s"},`+
		`"status":{"nodeRef":{"name":%q},"phase":"Running","conditions":[%s,%s,%s,%s,%s]}`, name, name,
		condition("Available", ready), condition("Ready", ready), condition("UpToDate", "True"), condition("InfrastructureReady", "True"),
		condition("NodeHealthy", "True")))
}

// Node is the Node of a machine.
func Node(i int, ready string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"apiVersion":"v1","kind":"Node","metadata":{"name":"m%04d"},"spec":{"providerID":"test:///m%04d"},`+
		`"status":{"conditions":[%s]}}`, i, i, condition("Ready", ready)))
}

func condition(kind, status string) string {
	return fmt.Sprintf(`{"lastTransitionTime":"2025-06-01T11:30:00Z","message":"","observedGeneration":1,"reason":%q,"status":%q,"type":%q}`, kind, status, kind)
}

// subject is an object of the example.
func subject(kind, name string) capipolicy.Subject {
	return capipolicy.Subject{Kind: kind, Namespace: "default", Name: name}
}

// newFleet is the example in a fleet that keeps its objects itself.
func newFleet(t *testing.T, engine *capipolicy.Engine, machines int) *capipolicy.Fleet {
	t.Helper()
	fleet := capipolicy.NewFleet(engine, capipolicy.FleetOptions{})
	t.Cleanup(fleet.Close)
	check(t, FillFleet(t.Context(), fleet, machines))
	return fleet
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func fleetDecidesAsAFreshSnapshot(t *testing.T, open Open) {
	engine := open(t, capipolicy.Options{})
	fleet := newFleet(t, engine, 20)
	sameAsFresh(t, engine, fleet)
	check(t, fleet.UpsertNode(t.Context(), Prod, Node(3, "False")))
	check(t, fleet.Upsert(t.Context(), Machine(4, "False")))
	check(t, fleet.Delete(t.Context(), machineRef(5)))
	check(t, fleet.Observe(t.Context(), capipolicy.Audience{WorkloadCluster: &Prod}, capipolicy.Observed{NodeReadErrors: []string{"m0006"}}))
	sameAsFresh(t, engine, fleet)
	size, err := fleet.Size(t.Context())
	check(t, err)
	if size.Objects != 4+19+20 || size.Bytes < 20_000 || fleet.MemoryBytes() == 0 {
		t.Errorf("got %+v", size)
	}
}

// sameAsFresh compares every decision with the stateless one, byte by byte.
func sameAsFresh(t *testing.T, engine *capipolicy.Engine, fleet *capipolicy.Fleet) {
	t.Helper()
	subjects, err := fleet.Decidable(t.Context())
	check(t, err)
	if len(subjects) < 20 {
		t.Fatalf("only these can be decided: %v", subjects)
	}
	for _, subject := range subjects {
		snapshot, err := fleet.Snapshot(t.Context(), subject, Now)
		check(t, err)
		want, err := engine.EvaluateJSON(t.Context(), snapshot)
		check(t, err)
		got, err := fleet.EvaluateJSON(t.Context(), subject, Now)
		check(t, err)
		if !bytes.Equal(got, want) {
			t.Errorf("%v\nfresh: %s\nfleet: %s", subject, want, got)
		}
	}
}

// fleetUpdatesAddUp compares each update, of which most is taken from those
// before, with the decision as a whole.
func fleetUpdatesAddUp(t *testing.T, open Open) {
	fleet := newFleet(t, open(t, capipolicy.Options{}), 50)
	mhc := subject("MachineHealthCheck", "mhc")
	first, err := fleet.Update(t.Context(), mhc, Now)
	check(t, err)
	if !first.Complete || len(first.ChangedMachines) != 50 {
		t.Fatalf("the first answer is not complete: %+v", first)
	}
	firstJSON, err := json.Marshal(first)
	check(t, err)
	node := func(i int, ready string) func() error {
		return func() error { return fleet.UpsertNode(t.Context(), Prod, Node(i, ready)) }
	}
	changes := []struct {
		do                       func() error
		changed, removed, counts int
	}{
		{node(7, "False"), 1, 0, 50},
		{node(8, "False"), 1, 0, 50},
		{func() error { return fleet.Upsert(t.Context(), Machine(50, "True")) }, 1, 0, 51},
		{func() error { return fleet.Delete(t.Context(), machineRef(9)) }, 0, 1, 50},
		{node(7, "True"), 1, 0, 50},
		{func() error { return nil }, 0, 0, 50},
	}
	for n, change := range changes {
		check(t, change.do())
		update, err := fleet.Update(t.Context(), mhc, Now)
		check(t, err)
		if update.Complete || len(update.ChangedMachines) != change.changed || len(update.RemovedMachines) != change.removed || len(update.Machines) != change.counts {
			t.Errorf("change %d: got %d changed and %d removed of %d machines, complete %t",
				n, len(update.ChangedMachines), len(update.RemovedMachines), len(update.Machines), update.Complete)
		}
		want, err := fleet.Evaluate(t.Context(), mhc, Now)
		check(t, err)
		if !reflect.DeepEqual(update.Evaluation, want) {
			t.Errorf("change %d: the updates add up to\n%+v\nand not to\n%+v", n, update.Evaluation, want)
		}
	}
	if again, err := json.Marshal(first); err != nil || !bytes.Equal(again, firstJSON) {
		t.Error("a later update has changed the first one")
	}
}

func machineRef(i int) capipolicy.Ref {
	return capipolicy.Ref{Group: group, Kind: "Machine", Namespace: "default", Name: fmt.Sprintf("m%04d", i)}
}

func fleetKnowsWhatIsDue(t *testing.T, open Open) {
	fleet := newFleet(t, open(t, capipolicy.Options{}), 5)
	decide := func() map[capipolicy.Subject]bool {
		t.Helper()
		due, err := fleet.Due(t.Context(), Now)
		check(t, err)
		seen := map[capipolicy.Subject]bool{}
		for _, subject := range due {
			_, err := fleet.Update(t.Context(), subject, Now)
			check(t, err)
			seen[subject] = true
		}
		return seen
	}
	if first := decide(); len(first) != 4+5 {
		t.Errorf("all are due at first, got %v", first)
	}
	if again := decide(); len(again) != 0 {
		t.Errorf("nothing has changed, but %v are due", again)
	}
	check(t, fleet.UpsertNode(t.Context(), Prod, Node(2, "False")))
	changed := decide()
	for _, want := range []capipolicy.Subject{subject("Machine", "m0002"), subject("MachineHealthCheck", "mhc")} {
		if !changed[want] {
			t.Errorf("%v is not due, only %v", want, changed)
		}
	}
	if changed[subject("Machine", "m0003")] {
		t.Errorf("a machine that has nothing to do with it is due: %v", changed)
	}
	check(t, fleet.UpsertNode(t.Context(), Prod, Node(2, "True")))
	due, err := fleet.Due(t.Context(), Now, "MachineHealthCheck", "MachineSet")
	check(t, err)
	if want := []capipolicy.Subject{subject("MachineHealthCheck", "mhc")}; !slices.Equal(due, want) {
		t.Errorf("of these kinds %v are due, want %v", due, want)
	}
	_, err = fleet.Due(t.Context(), Now, "Node")
	if refused := (*capipolicy.SnapshotError)(nil); !errors.As(err, &refused) || refused.Path != "kinds[0]" {
		t.Errorf("a kind that nobody decides about: %v", err)
	}
	wanted, err := fleet.Wanted(t.Context())
	check(t, err)
	if len(wanted.Kinds) == 0 {
		t.Error("the fleet wants no kinds")
	}
}

func fleetErrors(t *testing.T, open Open) {
	fleet := newFleet(t, open(t, capipolicy.Options{}), 1)
	_, err := fleet.Evaluate(t.Context(), subject("Machine", "nobody"), Now)
	refused(t, err, capipolicy.CodeNotFound)
	refused(t, fleet.Upsert(t.Context(), []byte(`{"apiVersion":`)), capipolicy.CodeSyntax)
	// What was refused has changed nothing.
	_, err = fleet.Evaluate(t.Context(), subject("Machine", "m0000"), Now)
	check(t, err)
	fleet.Close()
	if _, err := fleet.Decidable(t.Context()); err != capipolicy.ErrClosed {
		t.Errorf("got %v, want ErrClosed", err)
	}
}

func refused(t *testing.T, err error, code string) {
	t.Helper()
	CheckErrorType(t, err, &capipolicy.SnapshotError{Code: code})
}

// fleetGivenUp gives up calls in the middle; the fleet is filled again and
// decides as before.
func fleetGivenUp(t *testing.T, open Open) {
	engine := open(t, capipolicy.Options{})
	const machines = 5_000
	all := make([]json.RawMessage, 0, machines)
	for i := range machines {
		all = append(all, Machine(i, "True"))
	}
	list, err := json.Marshal(all)
	check(t, err)
	filled := 0
	fleet := capipolicy.NewFleet(engine, capipolicy.FleetOptions{Refill: func(ctx context.Context, fill *capipolicy.Fill) error {
		filled++
		return FillFleet(ctx, fill, machines)
	}})
	defer fleet.Close()
	mhc := subject("MachineHealthCheck", "mhc")
	want, err := fleet.EvaluateJSON(t.Context(), mhc, Now)
	check(t, err)
	// On a quiet machine the timer of a busy processor may come late.
	for attempt := 0; attempt < 50 && filled < 2; attempt++ {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		fleet.Replace(ctx, capipolicy.Scope{Group: group, Kind: "Machine"}, list)
		cancel()
		got, err := fleet.EvaluateJSON(t.Context(), mhc, Now)
		check(t, err)
		if !bytes.Equal(got, want) {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
	if filled < 2 {
		t.Error("no call was given up")
	}
}
