package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	upstreamPath   = "../../../target/testplane/upstream-v1.14"
	upstreamModule = "../../../tests/upstream/v1.14"
)

// The command beside Cluster API's own controllers, which leave the health
// checks with our watch filter to it: both have an unhealthy machine replaced.
func TestBesideUpstream(t *testing.T) {
	module := clusterAPI(t, upstreamModule)
	p := startPlane(t, filepath.Join(module, "core/config/crd/bases"))
	command := startUpstream(t, p, module)
	clusters := map[string]string{"ours": "policy", "theirs": "upstream"}
	for name, filter := range clusters {
		command(fmt.Sprintf("create-fleet %s 2 namespace=%s", name, namespace))
		// Events about a machine without the filter reach nobody's health check.
		p.merge(t, &clusterv1.MachineDeployment{ObjectMeta: named(name + "-workers")},
			fmt.Sprintf(`{"spec":{"template":{"metadata":{"labels":{%q:%q}}}}}`, clusterv1.WatchLabel, filter))
		check(t, p.Create(t.Context(), healthCheck(name, filter)))
	}
	startController(t, p, "--profile", "cluster-api-v1.14", "--watch-filter", "policy")

	for name := range clusters {
		mhc := &clusterv1.MachineHealthCheck{}
		p.waitFor(t, mhc, name, func() (bool, any) {
			return ptr.Deref(mhc.Status.CurrentHealthy, 0) == 2, mhc.Status
		})
	}
	for name := range clusters {
		machine := p.machines(t, name)[0]
		p.setReadyNow(t, machine, corev1.ConditionFalse)
		p.waitUntilGone(t, &clusterv1.Machine{}, machine)
		mhc := &clusterv1.MachineHealthCheck{}
		p.waitFor(t, mhc, name, func() (bool, any) {
			return ptr.Deref(mhc.Status.CurrentHealthy, 0) == 2 && len(p.machines(t, name)) == 2, mhc.Status
		})
	}
	if managers := p.statusManagers(t, "theirs"); !slices.Equal(managers, []string{filepath.Base(upstreamPath)}) {
		t.Errorf("the status of theirs was written by %v", managers)
	}
	// Cluster API enqueues all health checks of a cluster when it connects to it,
	// whatever their filter, so it may have been there, too.
	if managers := p.statusManagers(t, "ours"); slices.Equal(managers, []string{filepath.Base(upstreamPath)}) || len(managers) == 0 {
		t.Errorf("the status of ours was written by %v", managers)
	}
}

// statusManagers are those who wrote to a health check's status.
func (p *plane) statusManagers(t *testing.T, name string) []string {
	t.Helper()
	mhc := &clusterv1.MachineHealthCheck{}
	check(t, p.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, mhc))
	var managers []string
	for _, entry := range mhc.ManagedFields {
		if entry.Subresource == "status" {
			managers = append(managers, entry.Manager)
		}
	}
	return managers
}

// startUpstream starts the controllers and gives a function that runs one of
// their commands.
func startUpstream(t *testing.T, p *plane, module string) func(string) {
	t.Helper()
	process := exec.Command(upstreamPath, "--kubeconfig", p.kubeconfigFile, "--cluster-api", module, "--health-check-filter", "upstream")
	log, err := os.Create(filepath.Join(t.TempDir(), "upstream.log"))
	check(t, err)
	process.Stderr = log
	stdin, err := process.StdinPipe()
	check(t, err)
	stdout, err := process.StdoutPipe()
	check(t, err)
	check(t, process.Start())
	t.Cleanup(func() {
		stdin.Close() // ends it
		process.Wait()
	})
	answers := bufio.NewReader(stdout)
	expect := func(want string) {
		t.Helper()
		answer, err := answers.ReadString('\n')
		if err != nil || !strings.Contains(answer, want) {
			t.Fatalf("upstream answered %q, %v; %s says more", answer, err, log.Name())
		}
	}
	expect(`"ready":true`)
	return func(command string) {
		t.Helper()
		_, err := io.WriteString(stdin, command+"\n")
		check(t, err)
		expect(`"ok":true`)
	}
}

func healthCheck(cluster, filter string) *clusterv1.MachineHealthCheck {
	meta := named(cluster)
	meta.Labels = map[string]string{clusterv1.ClusterNameLabel: cluster, clusterv1.WatchLabel: filter}
	return &clusterv1.MachineHealthCheck{
		ObjectMeta: meta,
		Spec: clusterv1.MachineHealthCheckSpec{
			ClusterName: cluster,
			Selector:    metav1.LabelSelector{MatchLabels: map[string]string{clusterv1.ClusterNameLabel: cluster}},
			Checks: clusterv1.MachineHealthCheckChecks{UnhealthyNodeConditions: []clusterv1.UnhealthyNodeCondition{
				{Type: corev1.NodeReady, Status: corev1.ConditionFalse, TimeoutSeconds: ptr.To[int32](2)},
			}},
		},
	}
}

// machines are the names of those that a cluster has and keeps.
func (p *plane) machines(t *testing.T, cluster string) []string {
	t.Helper()
	list := &clusterv1.MachineList{}
	check(t, p.List(t.Context(), list, client.InNamespace(namespace), client.MatchingLabels{clusterv1.ClusterNameLabel: cluster}))
	var names []string
	for _, machine := range list.Items {
		if machine.DeletionTimestamp.IsZero() && machine.Status.NodeRef.IsDefined() {
			names = append(names, machine.Name)
		}
	}
	return names
}

// setReadyNow changes whether a Node is ready, from now on.
func (p *plane) setReadyNow(t *testing.T, name string, status corev1.ConditionStatus) {
	t.Helper()
	node := &corev1.Node{}
	check(t, p.Get(t.Context(), client.ObjectKey{Name: name}, node))
	for i := range node.Status.Conditions {
		if c := &node.Status.Conditions[i]; c.Type == corev1.NodeReady {
			c.Status, c.LastTransitionTime = status, metav1.NewTime(time.Now())
		}
	}
	check(t, p.Status().Update(t.Context(), node))
}
