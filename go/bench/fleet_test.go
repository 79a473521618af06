//go:build unix

package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	capipolicy "github.com/capi-policy/capi-policy/go"
	"github.com/capi-policy/capi-policy/go/bench/internal/example"
	"github.com/capi-policy/capi-policy/go/clusterapi"
)

var prod = capipolicy.Cluster{Namespace: "default", Name: "prod"}

// fleetObjects are objects in memory, as a controller's cache has them.
type fleetObjects struct {
	deployment clusterapi.MachineDeploymentSnapshot
	check      clusterapi.MachineHealthCheckSnapshot
}

func newFleetObjects(machines int) fleetObjects {
	list := example.Machines(machines)
	return fleetObjects{
		deployment: clusterapi.MachineDeploymentSnapshot{
			MachineDeployment: example.MachineDeployment(), MachineSets: []*clusterv1.MachineSet{example.MachineSet()},
			Cluster: example.Cluster(), Machines: list,
		},
		check: clusterapi.MachineHealthCheckSnapshot{
			MachineHealthCheck: example.MachineHealthCheck(), Cluster: example.Cluster(), Machines: list, Nodes: example.Nodes(machines),
		},
	}
}

// fill puts all of them into a fleet and gives the size of their JSON.
func (o fleetObjects) fill(ctx context.Context, fill *capipolicy.Fill) (int, error) {
	size := 0
	upsert := func(object any, node bool) error {
		text, err := json.Marshal(object)
		if err != nil {
			return err
		}
		size += len(text)
		if node {
			return fill.UpsertNode(ctx, prod, text)
		}
		return fill.Upsert(ctx, text)
	}
	objects := []any{o.check.Cluster, o.check.MachineHealthCheck, o.deployment.MachineDeployment, o.deployment.MachineSets[0]}
	for _, machine := range o.check.Machines {
		objects = append(objects, machine)
	}
	for _, object := range objects {
		if err := upsert(object, false); err != nil {
			return 0, err
		}
	}
	for _, node := range o.check.Nodes {
		if err := upsert(node, true); err != nil {
			return 0, err
		}
	}
	for _, kind := range []string{"Cluster", "MachineDeployment", "MachineSet", "MachineHealthCheck", "Machine"} {
		if err := fill.MarkComplete(ctx, capipolicy.Scope{Group: clusterv1.GroupVersion.Group, Kind: kind}); err != nil {
			return 0, err
		}
	}
	return size, fill.MarkComplete(ctx, capipolicy.Scope{Kind: "Node", WorkloadCluster: &prod})
}

// fleet is a fleet with the objects in it, and the size of their JSON.
func (o fleetObjects) fleet(b testing.TB, engine *capipolicy.Engine) (*capipolicy.Fleet, int) {
	b.Helper()
	size := 0
	fleet := capipolicy.NewFleet(engine, capipolicy.FleetOptions{
		Profile: capipolicy.ProfileClusterAPI,
		Refill: func(ctx context.Context, fill *capipolicy.Fill) (err error) {
			size, err = o.fill(ctx, fill)
			return err
		},
	})
	b.Cleanup(fleet.Close)
	if _, err := fleet.Decidable(b.Context()); err != nil {
		b.Fatal(err)
	}
	return fleet, size
}

// BenchmarkFleet is an event in a controller with a cache: one machine of many
// changes, and its owner is decided about. The fleet gets the machine and gives
// what has changed; upstream's functions have all objects in memory and look at
// all of them.
func BenchmarkFleet(b *testing.B) {
	for _, machines := range []int{10, 1_000} {
		objects := newFleetObjects(machines)
		kinds := []struct {
			subject  capipolicy.Subject
			upstream func() error
		}{
			{capipolicy.Subject{Kind: "MachineDeployment", Namespace: "default", Name: "md"}, func() error {
				_, err := upstream(&objects.deployment)
				return err
			}},
			{capipolicy.Subject{Kind: "MachineHealthCheck", Namespace: "default", Name: "mhc"}, func() error {
				_, err := upstream(&objects.check)
				return err
			}},
		}
		for _, kind := range kinds {
			sides := []side{}
			for _, runtime := range runtimes {
				fleet, size := objects.fleet(b, load(b, runtime))
				sides = append(sides, side{runtime.name, oneChange(b, fleet, kind.subject, objects.check.Machines), func(b *testing.B) {
					b.ReportMetric(float64(fleet.MemoryBytes())/float64(size), "memory/JSON")
				}})
			}
			sideBySide(b, fmt.Sprintf("%s-%d", kind.subject.Kind, machines), append(sides, side{"upstream", kind.upstream, nil}))
		}
	}
	objects := newFleetObjects(10)
	machine := clusterapi.MachineSnapshot{Machine: objects.check.Machines[0]}
	sides := []side{}
	for _, runtime := range runtimes {
		fleet, _ := objects.fleet(b, load(b, runtime))
		subject := capipolicy.Subject{Kind: "Machine", Namespace: "default", Name: machine.Machine.Name}
		sides = append(sides, side{runtime.name, oneChange(b, fleet, subject, objects.check.Machines[:1]), nil})
	}
	sideBySide(b, "Machine", append(sides, side{"upstream", func() error {
		_, err := upstream(&machine)
		return err
	}, nil}))
}

// oneChange is what a controller does for an event about a machine.
func oneChange(b *testing.B, fleet *capipolicy.Fleet, subject capipolicy.Subject, machines []*clusterv1.Machine) func() error {
	ctx, next := b.Context(), 0
	return func() error {
		machine := machines[next%len(machines)]
		next++
		example.Flip(machine)
		if err := fleet.Upsert(ctx, machine); err != nil {
			return err
		}
		_, err := fleet.Update(ctx, subject, example.Now)
		return err
	}
}
