package capipolicy

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
)

var fleetSizes = []int{10, 1_000, 10_000}

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
	var objects MachineDeploymentSnapshot
	if err := json.Unmarshal(snapshot, &objects); err != nil {
		return nil, err
	}
	aggregated, err := upstreamAggregation(objects.Machines)
	if err != nil {
		return nil, err
	}
	return json.Marshal(aggregated)
}

// Both sides of the benchmark do the same work.
func TestBenchmarkSidesAgree(t *testing.T) {
	engine := loadPolicy(t, Options{})
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
	engine := loadPolicy(b, Options{})
	for _, size := range fleetSizes {
		snapshot := fleetJSON(b, size)
		b.Run(fmt.Sprintf("%d/policy", size), func(b *testing.B) {
			b.SetBytes(int64(len(snapshot)))
			for b.Loop() {
				if _, err := engine.Evaluate(b.Context(), snapshot); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("%d/upstream", size), func(b *testing.B) {
			b.SetBytes(int64(len(snapshot)))
			for b.Loop() {
				if _, err := upstreamJSON(snapshot); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkObjects is Go objects in, Go objects out, as in a controller with a
// cache: the policy's side pays for writing JSON, upstream's code does not.
func BenchmarkObjects(b *testing.B) {
	engine := loadPolicy(b, Options{})
	for _, size := range fleetSizes {
		objects := fleet(size)
		b.Run(fmt.Sprintf("%d/policy", size), func(b *testing.B) {
			for b.Loop() {
				if _, err := engine.EvaluateMachineDeployment(b.Context(), objects); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("%d/upstream", size), func(b *testing.B) {
			for b.Loop() {
				if _, err := upstreamAggregation(objects.Machines); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
