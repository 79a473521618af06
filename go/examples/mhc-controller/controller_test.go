package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// patience is how long the controller may take on a busy machine.
const patience = 2 * time.Minute

// asController makes the test's program the command itself, so that it runs as
// a process of its own and is not built a second time.
const asController = "AS_MHC_CONTROLLER"

func TestMain(m *testing.M) {
	if os.Getenv(asController) != "" {
		main()
		return
	}
	m.Run()
}

// The command, against a real API server: first it only reports, then it
// patches.
func TestController(t *testing.T) {
	p := startPlane(t)
	createFleet(t, p)

	want := map[string]line{
		"m1": {Kind: "Machine", Name: "m1", Type: "HealthCheckSucceeded", Status: "True", Reason: "HealthCheckSucceeded"},
		"m2": {Kind: "Machine", Name: "m2", Type: "HealthCheckSucceeded", Status: "False", Reason: "UnhealthyNode",
			Message: "Health check failed:\n  * Condition Ready on Node is reporting status False with reason Kubelet for more than 5m0s"},
		"owner": {Kind: "Machine", Name: "m2", Type: "OwnerRemediated", Status: "False", Reason: "WaitingForRemediation", Message: "Waiting for remediation"},
		"check": {Kind: "MachineHealthCheck", Name: "workers", Type: "RemediationAllowed", Status: "True", Reason: "RemediationAllowed"},
	}

	t.Run("reports", func(t *testing.T) {
		reported := startController(t, p)
		for _, w := range want {
			reported.waitFor(t, w)
		}
		for _, name := range []string{"m1", "m2"} {
			machine := &clusterv1.Machine{}
			check(t, p.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, machine))
			if got := stored(machine.Status.Conditions); !slices.Equal(got, []string{"InfrastructureReady=True"}) {
				t.Errorf("%s was patched: %v", name, got)
			}
		}
	})

	t.Run("applies", func(t *testing.T) {
		reported := startController(t, p, "--apply")
		for _, w := range want {
			w.Apply = true
			reported.waitFor(t, w)
		}
		p.waitForConditions(t, &clusterv1.Machine{}, "m1", "InfrastructureReady=True", "HealthCheckSucceeded=True")
		p.waitForConditions(t, &clusterv1.Machine{}, "m2", "InfrastructureReady=True", "HealthCheckSucceeded=False", "OwnerRemediated=False")
		mhc := &clusterv1.MachineHealthCheck{}
		p.waitForConditions(t, mhc, "workers", "RemediationAllowed=True", "Paused=False")
		// Conditions and counters are two patches.
		p.waitFor(t, mhc, "workers", func() (bool, any) {
			diff := cmp.Diff(clusterv1.MachineHealthCheckStatus{
				ExpectedMachines: ptr.To[int32](2), CurrentHealthy: ptr.To[int32](1), RemediationsAllowed: ptr.To[int32](1),
				Targets: []string{"m1", "m2"}, ObservedGeneration: mhc.Generation, Conditions: mhc.Status.Conditions,
			}, mhc.Status)
			return diff == "", diff
		})

		// The machine is put out of the health check's reach; its event is seen.
		machine := &clusterv1.Machine{ObjectMeta: named("m2")}
		check(t, p.Patch(t.Context(), machine, client.RawPatch("application/merge-patch+json",
			[]byte(`{"metadata":{"annotations":{"cluster.x-k8s.io/skip-remediation":""}}}`))))
		p.waitFor(t, mhc, "workers", func() (bool, any) {
			return slices.Equal(mhc.Status.Targets, []string{"m1"}), mhc.Status.Targets
		})
	})
}

// line is what the controller reports about a condition.
type line struct {
	Apply                                     bool
	Kind, Name, Type, Status, Reason, Message string
}

// report holds everything that was reported so far.
type report struct {
	lines chan line
	seen  []line
}

// startController runs the command until the test ends.
func startController(t *testing.T, p *plane, arguments ...string) *report {
	t.Helper()
	arguments = append(arguments, "--kubeconfig", p.kubeconfigFile)
	binary, err := os.Executable()
	check(t, err)
	command := exec.Command(binary, arguments...)
	command.Env = append(os.Environ(), asController+"=1")
	stderr, err := command.StderrPipe()
	check(t, err)
	check(t, command.Start())
	r := &report{lines: make(chan line, 1000)}
	go func() {
		defer close(r.lines)
		for scanner := bufio.NewScanner(stderr); scanner.Scan(); {
			var l struct {
				Msg string
				line
			}
			t.Log(scanner.Text())
			if json.Unmarshal(scanner.Bytes(), &l) == nil && l.Msg == "Condition" {
				r.lines <- l.line
			}
		}
	}()
	t.Cleanup(func() {
		check(t, command.Process.Signal(syscall.SIGTERM))
		for range r.lines {
		}
		check(t, command.Wait())
	})
	return r
}

// waitFor waits until the controller has reported this.
func (r *report) waitFor(t *testing.T, want line) {
	t.Helper()
	timeout := time.After(patience)
	for !slices.Contains(r.seen, want) {
		select {
		case l, ok := <-r.lines:
			if !ok {
				t.Fatalf("the controller ended without reporting %+v", want)
			}
			r.seen = append(r.seen, l)
		case <-timeout:
			t.Fatalf("not reported: %+v\nreported: %+v", want, r.seen)
		}
	}
}

// waitForConditions waits until an object carries these.
func (p *plane) waitForConditions(t *testing.T, o conditioned, name string, want ...string) {
	t.Helper()
	slices.Sort(want)
	p.waitFor(t, o, name, func() (bool, any) {
		got := stored(o.GetConditions())
		slices.Sort(got)
		return slices.Equal(got, want), got
	})
}

// waitFor reads an object again and again until it is as it should be.
func (p *plane) waitFor(t *testing.T, o client.Object, name string, done func() (bool, any)) {
	t.Helper()
	timeout := time.After(patience)
	for {
		check(t, p.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, o))
		ok, got := done()
		if ok {
			return
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-timeout:
			t.Fatalf("%s still has %v", name, got)
		}
	}
}

func stored(conditions []metav1.Condition) []string {
	var list []string
	for _, c := range conditions {
		list = append(list, c.Type+"="+string(c.Status))
	}
	return list
}
