//go:build unix

// Package bench compares the policy with Cluster API's own code. It is a module
// of its own because that code brings hundreds of packages.
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
	"github.com/capi-policy/capi-policy/go/bench/internal/example"
	"github.com/capi-policy/capi-policy/go/clusterapi"
	"github.com/capi-policy/capi-policy/go/sandbox"
	"github.com/capi-policy/capi-policy/go/wasmtime"
)

// runtime is what runs the policy.
type runtime struct {
	name    string
	sandbox sandbox.Runtime
}

var runtimes = []runtime{{"wasmtime", wasmtime.Runtime{}}, {"wazero", nil}}

func load(t testing.TB, runtime runtime) *capipolicy.Engine {
	t.Helper()
	engine, err := capipolicy.New(capipolicy.Options{Runtime: runtime.sandbox})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(engine.Close)
	return engine
}

// Both sides decide the same, as far as upstream's side goes.
func TestSidesAgree(t *testing.T) {
	engine := load(t, runtimes[0])
	for _, s := range subjects(t) {
		objects := s.objects(t)
		decision, err := engine.Evaluate(t.Context(), objects)
		if tooLarge(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		checkSides(t, s.name, objects, decision)
	}
}

// The fleet decides the same, too, after one machine has changed.
func TestFleetAndUpstreamAgree(t *testing.T) {
	objects := newFleetObjects(100)
	for _, runtime := range runtimes {
		fleet, _ := objects.fleet(t, load(t, runtime))
		for subject, snapshot := range map[capipolicy.Subject]any{
			{Kind: "MachineDeployment", Namespace: "default", Name: "md"}:   &objects.deployment,
			{Kind: "MachineHealthCheck", Namespace: "default", Name: "mhc"}: &objects.check,
		} {
			decision, err := fleet.Update(t.Context(), subject, example.Now)
			if err != nil {
				t.Fatal(err)
			}
			checkSides(t, runtime.name+" "+subject.Kind, snapshot, decision.Evaluation)
		}
	}
}

func checkSides(t *testing.T, name string, objects any, decision *capipolicy.Evaluation) {
	t.Helper()
	want, err := upstream(objects)
	if err != nil {
		t.Fatal(err)
	}
	got := clusterapi.Conditions(decision.Conditions)
	for _, machine := range decision.Machines {
		got = append(got, clusterapi.Conditions(machine.Conditions)...)
	}
	if diff := cmp.Diff(ofDecidedTypes(want, want), ofDecidedTypes(got, want)); diff != "" {
		t.Errorf("%s (-upstream +policy):\n%s", name, diff)
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
	for _, s := range subjects(b) {
		sides := []side{}
		for _, runtime := range runtimes {
			engine := load(b, runtime)
			sides = append(sides, side{runtime.name, func() error {
				_, err := engine.EvaluateJSON(b.Context(), s.text)
				return err
			}, nil})
		}
		sideBySide(b, s.name, append(sides, side{"upstream", func() error {
			_, err := upstreamJSON(s.kind, s.text)
			return err
		}, nil}))
	}
}

// BenchmarkObjects is Go objects in, Go objects out, for those who keep no
// fleet: the policy's side pays for writing JSON, upstream's code does not.
func BenchmarkObjects(b *testing.B) {
	for _, s := range subjects(b) {
		objects := s.objects(b)
		sides := []side{}
		for _, runtime := range runtimes {
			engine := load(b, runtime)
			sides = append(sides, side{runtime.name, func() error {
				_, err := engine.Evaluate(b.Context(), objects)
				return err
			}, nil})
		}
		sideBySide(b, s.name, append(sides, side{"upstream", func() error {
			_, err := upstream(objects)
			return err
		}, nil}))
	}
}

// BenchmarkLoad is how long a process takes until it can decide.
func BenchmarkLoad(b *testing.B) {
	for _, name := range []string{"compiled", "cached"} {
		sides := []side{}
		for _, runtime := range runtimes {
			opts := capipolicy.Options{Runtime: runtime.sandbox}
			if name == "cached" {
				opts.CacheDir = b.TempDir()
			}
			start := func() error {
				engine, err := capipolicy.New(opts)
				if err == nil {
					engine.Close()
				}
				return err
			}
			if err := start(); err != nil { // fills the cache
				b.Fatal(err)
			}
			sides = append(sides, side{runtime.name, start, nil})
		}
		sideBySide(b, name, sides)
	}
}

// tooLarge tells a snapshot that the policy takes as the API server writes it,
// but not as Go writes it, with every empty field.
func tooLarge(err error) bool {
	var refused *capipolicy.SnapshotError
	return errors.As(err, &refused) && refused.Code == capipolicy.CodeTooLarge
}

// side is one way to do the same work.
type side struct {
	name string
	do   func() error
	// report adds metrics of its own.
	report func(*testing.B)
}

// sideBySide measures all sides, one right after the other, by the clock and by
// the processor time that the process used. The second hardly depends on what
// else the machine does.
func sideBySide(b *testing.B, name string, sides []side) {
	for _, side := range sides {
		b.Run(name+"/"+side.name, func(b *testing.B) {
			if err := side.do(); tooLarge(err) {
				b.Skip(err)
			}
			before := processorTime(b)
			for b.Loop() {
				if err := side.do(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(processorTime(b)-before)/float64(b.N), "cpu-ns/op")
			if side.report != nil {
				side.report(b)
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
