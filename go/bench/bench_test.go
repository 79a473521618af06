//go:build unix

// Package bench compares the policy with Cluster API's own code. It is apart
// from the package's tests because that code brings hundreds of packages.
package bench

import (
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	capipolicy "github.com/capi-policy/capi-policy/go"
	"github.com/capi-policy/capi-policy/go/clusterapi"
)

func loadPolicy(t testing.TB) *capipolicy.Engine {
	t.Helper()
	engine, err := capipolicy.New(capipolicy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(engine.Close)
	return engine
}

// Both sides decide the same, as far as upstream's side goes.
func TestSidesAgree(t *testing.T) {
	engine := loadPolicy(t)
	for _, s := range subjects(t) {
		objects := s.objects(t)
		decision, err := engine.Evaluate(t.Context(), objects)
		if tooLarge(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		want, err := upstream(objects)
		if err != nil {
			t.Fatal(err)
		}
		got := clusterapi.Conditions(decision.Conditions)
		for _, machine := range decision.Machines {
			got = append(got, clusterapi.Conditions(machine.Conditions)...)
		}
		if diff := cmp.Diff(ofDecidedTypes(want, want), ofDecidedTypes(got, want)); diff != "" {
			t.Errorf("%s (-upstream +policy):\n%s", s.name, diff)
		}
	}
}

// ofDecidedTypes are the conditions of the types that upstream's side decides,
// without what its caller sets, and without the messages of health checks,
// which it does not write.
func ofDecidedTypes(all, decided []metav1.Condition) []metav1.Condition {
	types := map[string]bool{}
	for _, c := range decided {
		types[c.Type] = true
	}
	var kept []metav1.Condition
	for _, c := range all {
		if !types[c.Type] {
			continue
		}
		c.LastTransitionTime, c.ObservedGeneration = metav1.Time{}, 0
		if c.Type == clusterv1.MachineHealthCheckSucceededCondition {
			c.Message = ""
		}
		kept = append(kept, c)
	}
	return kept
}

// BenchmarkJSON is JSON in, JSON out. The policy decides everything about the
// object, upstream's code only what its public functions can.
func BenchmarkJSON(b *testing.B) {
	engine := loadPolicy(b)
	for _, s := range subjects(b) {
		sideBySide(b, s.name, func() error {
			_, err := engine.EvaluateJSON(b.Context(), s.text)
			return err
		}, func() error {
			_, err := upstreamJSON(s.kind, s.text)
			return err
		})
	}
}

// BenchmarkObjects is Go objects in, Go objects out, as in a controller with a
// cache: the policy's side pays for writing JSON, upstream's code does not.
func BenchmarkObjects(b *testing.B) {
	engine := loadPolicy(b)
	for _, s := range subjects(b) {
		objects := s.objects(b)
		sideBySide(b, s.name, func() error {
			_, err := engine.Evaluate(b.Context(), objects)
			return err
		}, func() error {
			_, err := upstream(objects)
			return err
		})
	}
}

// tooLarge tells a snapshot that the policy takes as the API server writes it,
// but not as Go writes it, with every empty field.
func tooLarge(err error) bool {
	var refused *capipolicy.SnapshotError
	return errors.As(err, &refused) && refused.Code == capipolicy.CodeTooLarge
}

// sideBySide measures both, one right after the other, and reports how many
// times longer upstream's code takes, by the clock and by the processor time
// that the process used. The second hardly depends on what else the machine
// does.
func sideBySide(b *testing.B, name string, policy, upstream func() error) {
	var clock, processor [2]float64
	for side, do := range []func() error{policy, upstream} {
		b.Run(name+"/"+[]string{"policy", "upstream"}[side], func(b *testing.B) {
			before := processorTime(b)
			for b.Loop() {
				err := do()
				if tooLarge(err) {
					b.Skip(err)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			clock[side] = float64(b.Elapsed()) / float64(b.N)
			processor[side] = float64(processorTime(b)-before) / float64(b.N)
			b.ReportMetric(processor[side], "cpu-ns/op")
			if side == 1 && clock[0] > 0 {
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
