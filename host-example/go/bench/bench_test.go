//go:build unix

// Package bench compares the policy with Cluster API's own code. It is apart
// from the package's tests because that code brings hundreds of packages.
package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"

	capipolicy "github.com/capi-policy/capi-policy/host-example/go"
	"github.com/capi-policy/capi-policy/host-example/go/internal/example"
)

var fleetSizes = []int{10, 1_000, 10_000}

func loadPolicy(t testing.TB) *capipolicy.Engine {
	t.Helper()
	wasm, err := os.ReadFile("../../../dist/capi_policy.core.wasm")
	if err != nil {
		t.Fatalf("%v; `cargo xtask artifact` makes it", err)
	}
	engine, err := capipolicy.Load(wasm, capipolicy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(engine.Close)
	return engine
}

func fleet(machines int) capipolicy.MachineDeploymentSnapshot {
	return capipolicy.MachineDeploymentSnapshot{
		Settings:          capipolicy.Settings{Now: example.Now, Profile: capipolicy.ProfileClusterAPI},
		MachineDeployment: example.MachineDeployment(),
		Machines:          example.Machines(machines),
	}
}

func fleetJSON(b *testing.B, machines int) []byte {
	b.Helper()
	text, err := json.Marshal(fleet(machines))
	if err != nil {
		b.Fatal(err)
	}
	return text
}

// upstreamAggregation takes the Ready and UpToDate of all machines together
// with Cluster API's own code, called as its MachineDeployment controller
// calls it.
func upstreamAggregation(machines []*clusterv1.Machine) ([]metav1.Condition, error) {
	aggregate := func(source, target, issue, unknown, info string) (*metav1.Condition, error) {
		return conditions.NewAggregateCondition(machines, source,
			conditions.TargetConditionType(target),
			conditions.CustomMergeStrategy{MergeStrategy: conditions.DefaultMergeStrategy(
				conditions.ComputeReasonFunc(conditions.GetDefaultComputeMergeReasonFunc(issue, unknown, info)),
			)},
		)
	}
	ready, err := aggregate(clusterv1.MachineReadyCondition, clusterv1.MachineDeploymentMachinesReadyCondition,
		clusterv1.MachineDeploymentMachinesNotReadyReason, clusterv1.MachineDeploymentMachinesReadyUnknownReason,
		clusterv1.MachineDeploymentMachinesReadyReason)
	if err != nil {
		return nil, err
	}
	upToDate, err := aggregate(clusterv1.MachineUpToDateCondition, clusterv1.MachineDeploymentMachinesUpToDateCondition,
		clusterv1.MachineDeploymentMachinesNotUpToDateReason, clusterv1.MachineDeploymentMachinesUpToDateUnknownReason,
		clusterv1.MachineDeploymentMachinesUpToDateReason)
	if err != nil {
		return nil, err
	}
	return []metav1.Condition{*ready, *upToDate}, nil
}

// upstreamJSON is what a Go program without the policy does with the same
// text: decode, aggregate, encode.
func upstreamJSON(snapshot []byte) ([]byte, error) {
	var objects capipolicy.MachineDeploymentSnapshot
	if err := json.Unmarshal(snapshot, &objects); err != nil {
		return nil, err
	}
	aggregated, err := upstreamAggregation(objects.Machines)
	if err != nil {
		return nil, err
	}
	return json.Marshal(aggregated)
}

// Both sides give the same conditions.
func TestSidesAgree(t *testing.T) {
	engine := loadPolicy(t)
	for _, size := range fleetSizes {
		want, err := upstreamAggregation(fleet(size).Machines)
		if err != nil {
			t.Fatal(err)
		}
		decision, err := engine.EvaluateMachineDeployment(t.Context(), fleet(size))
		if err != nil {
			t.Fatal(err)
		}
		var got []metav1.Condition
		for _, w := range want {
			for _, c := range decision.Conditions {
				if c.Type == w.Type {
					// The caller sets these two on Cluster API's side.
					c.LastTransitionTime, c.ObservedGeneration = metav1.Time{}, 0
					got = append(got, c)
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d machines (-upstream +policy):\n%s", size, diff)
		}
	}
}

// BenchmarkJSON is JSON in, JSON out. The policy decides every condition of
// the MachineDeployment, upstream's code only the two that it aggregates.
func BenchmarkJSON(b *testing.B) {
	engine := loadPolicy(b)
	for _, size := range fleetSizes {
		snapshot := fleetJSON(b, size)
		sideBySide(b, size, func() error {
			_, err := engine.Evaluate(b.Context(), snapshot)
			return err
		}, func() error {
			_, err := upstreamJSON(snapshot)
			return err
		})
	}
}

// BenchmarkObjects is Go objects in, Go objects out, as in a controller with a
// cache: the policy's side pays for writing JSON, upstream's code does not.
func BenchmarkObjects(b *testing.B) {
	engine := loadPolicy(b)
	for _, size := range fleetSizes {
		objects := fleet(size)
		sideBySide(b, size, func() error {
			_, err := engine.EvaluateMachineDeployment(b.Context(), objects)
			return err
		}, func() error {
			_, err := upstreamAggregation(objects.Machines)
			return err
		})
	}
}

// sideBySide measures both, one right after the other, and reports how many
// times longer upstream's code takes, by the clock and by the processor time
// that the process used. The second hardly depends on what else the machine
// does.
func sideBySide(b *testing.B, size int, policy, upstream func() error) {
	var clock, processor [2]float64
	for side, do := range []func() error{policy, upstream} {
		b.Run(fmt.Sprintf("%d/%s", size, []string{"policy", "upstream"}[side]), func(b *testing.B) {
			before := processorTime(b)
			for b.Loop() {
				if err := do(); err != nil {
					b.Fatal(err)
				}
			}
			clock[side] = float64(b.Elapsed()) / float64(b.N)
			processor[side] = float64(processorTime(b)-before) / float64(b.N)
			b.ReportMetric(processor[side], "cpu-ns/op")
			if side == 1 {
				b.ReportMetric(clock[1]/clock[0], "times-policy")
				b.ReportMetric(processor[1]/processor[0], "cpu-times-policy")
			}
		})
	}
}

// processorTime is what the process has used so far.
func processorTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
