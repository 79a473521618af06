package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
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

// The command, against a real API server, which is the workload cluster, too.
func TestController(t *testing.T) {
	p := startPlane(t, filepath.Join(clusterAPI(t, "."), "core/config/crd/bases"))
	createFleet(t, p)
	startController(t, p, "--profile", "documented", "--watch-filter", "policy", "--leader-elect", "--leader-election-namespace", namespace)

	p.waitForConditions(t, &clusterv1.Machine{}, "m1", "InfrastructureReady=True", "HealthCheckSucceeded=True")
	machine := &clusterv1.Machine{}
	p.waitForConditions(t, machine, "m2", "InfrastructureReady=True", "HealthCheckSucceeded=False", "OwnerRemediated=False")
	want := "Health check failed:\n  * Condition Ready on Node is reporting status False with reason Kubelet for more than 5m0s"
	if got := conditions.Get(machine, clusterv1.MachineHealthCheckSucceededCondition); got.Reason != "UnhealthyNode" || got.Message != want {
		t.Errorf("got %+v", got)
	}
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

	t.Run("a Node is watched", func(t *testing.T) {
		p.setReady(t, "m1", corev1.ConditionFalse)
		p.waitForConditions(t, &clusterv1.Machine{}, "m1", "InfrastructureReady=True", "HealthCheckSucceeded=False", "OwnerRemediated=False")
		p.setReady(t, "m1", corev1.ConditionTrue)
		// OwnerRemediated is the owner's now, and there is none.
		p.waitForConditions(t, &clusterv1.Machine{}, "m1", "InfrastructureReady=True", "HealthCheckSucceeded=True", "OwnerRemediated=False")
	})

	t.Run("a Machine is watched", func(t *testing.T) {
		p.merge(t, &clusterv1.Machine{ObjectMeta: named("m2")}, `{"metadata":{"annotations":{"cluster.x-k8s.io/skip-remediation":""}}}`)
		p.waitFor(t, mhc, "workers", func() (bool, any) {
			return slices.Equal(mhc.Status.Targets, []string{"m1"}), mhc.Status.Targets
		})
		p.merge(t, &clusterv1.Machine{ObjectMeta: named("m2")}, `{"metadata":{"annotations":{"cluster.x-k8s.io/skip-remediation":null}}}`)
		p.waitFor(t, mhc, "workers", func() (bool, any) {
			return slices.Equal(mhc.Status.Targets, []string{"m1", "m2"}), mhc.Status.Targets
		})
	})

	t.Run("what somebody else wrote over is written again", func(t *testing.T) {
		check(t, p.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: "m1"}, machine))
		conditions.Set(machine, metav1.Condition{Type: "HealthCheckSucceeded", Status: metav1.ConditionFalse, Reason: "Nonsense"})
		check(t, p.Status().Update(t.Context(), machine))
		p.waitForConditions(t, &clusterv1.Machine{}, "m1", "InfrastructureReady=True", "HealthCheckSucceeded=True", "OwnerRemediated=False")
	})

	t.Run("external remediation", func(t *testing.T) {
		p.createRemediationTemplate(t)
		p.merge(t, &clusterv1.MachineHealthCheck{ObjectMeta: named("workers")},
			`{"spec":{"remediation":{"templateRef":{"apiVersion":"remediation.test/v1beta2","kind":"RebootTemplate","name":"reboot"}}}}`)
		p.waitFor(t, remediationRequest(), "m2", func() (bool, any) { return true, nil })
		p.waitForConditions(t, machine, "m2", "InfrastructureReady=True", "HealthCheckSucceeded=False", "ExternallyRemediated=False", "OwnerRemediated=False")
		p.setReady(t, "m2", corev1.ConditionTrue)
		p.waitUntilGone(t, remediationRequest(), "m2")
	})

	t.Run("health checks of others are left alone", func(t *testing.T) {
		other := &clusterv1.MachineHealthCheck{}
		check(t, p.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: "others"}, other))
		if len(other.Status.Conditions) > 0 {
			t.Errorf("got %+v", other.Status)
		}
	})
}

// startController runs the command until the test ends.
func startController(t *testing.T, p *plane, arguments ...string) {
	t.Helper()
	arguments = append(arguments, "--kubeconfig", p.kubeconfigFile, "--metrics-bind-address", "0")
	binary, err := os.Executable()
	check(t, err)
	command := exec.Command(binary, arguments...)
	command.Env = append(os.Environ(), asController+"=1")
	stderr, err := command.StderrPipe()
	check(t, err)
	check(t, command.Start())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for scanner := bufio.NewScanner(stderr); scanner.Scan(); {
			t.Log(scanner.Text())
		}
	}()
	t.Cleanup(func() {
		check(t, command.Process.Signal(syscall.SIGTERM))
		<-done
		check(t, command.Wait())
	})
}

// waitForConditions waits until an object carries these.
func (p *plane) waitForConditions(t *testing.T, o conditions.Setter, name string, want ...string) {
	t.Helper()
	slices.Sort(want)
	p.waitFor(t, o.(client.Object), name, func() (bool, any) {
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
		err := p.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, o)
		check(t, client.IgnoreNotFound(err))
		var got any = err
		if err == nil {
			var ok bool
			if ok, got = done(); ok {
				return
			}
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-timeout:
			t.Fatalf("%s still has %v", name, got)
		}
	}
}

// waitUntilGone waits until an object is not there any more.
func (p *plane) waitUntilGone(t *testing.T, o client.Object, name string) {
	t.Helper()
	timeout := time.After(patience)
	for {
		err := p.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, o)
		if apierrors.IsNotFound(err) {
			return
		}
		check(t, err)
		select {
		case <-time.After(50 * time.Millisecond):
		case <-timeout:
			t.Fatalf("%s is still there", name)
		}
	}
}

func (p *plane) merge(t *testing.T, o client.Object, change string) {
	t.Helper()
	check(t, p.Patch(t.Context(), o, client.RawPatch("application/merge-patch+json", []byte(change))))
}

// setReady makes a Node ready, or not ready for ten minutes.
func (p *plane) setReady(t *testing.T, name string, status corev1.ConditionStatus) {
	t.Helper()
	node := &corev1.Node{}
	check(t, p.Get(t.Context(), client.ObjectKey{Name: name}, node))
	node.Status.Conditions[0].Status = status
	check(t, p.Status().Update(t.Context(), node))
}

func stored(conditions []metav1.Condition) []string {
	var list []string
	for _, c := range conditions {
		list = append(list, c.Type+"="+string(c.Status))
	}
	return list
}
