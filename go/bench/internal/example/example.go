// Package example makes a fleet of any size for tests and benchmarks.
package example

import (
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// Now is the moment at which the fleet is looked at.
var Now = time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)

// machineConditions are the types that a worker machine carries.
var machineConditions = []string{
	"Available", "Ready", "UpToDate", "BootstrapConfigReady", "InfrastructureReady", "NodeHealthy", "NodeReady",
	"HealthCheckSucceeded", "OwnerRemediated", "Updating", "Paused", "Deleting",
}

// MachineDeployment is what owns the machines.
func MachineDeployment() *clusterv1.MachineDeployment {
	return &clusterv1.MachineDeployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: clusterv1.GroupVersion.String(), Kind: "MachineDeployment"},
		ObjectMeta: metav1.ObjectMeta{Name: "md", Namespace: "default", Generation: 3, CreationTimestamp: metav1.NewTime(Now.Add(-time.Hour))},
	}
}

// Machines are so many machines as an API server serves them; one in ten
// reports an issue.
func Machines(count int) []*clusterv1.Machine {
	machines := make([]*clusterv1.Machine, 0, count)
	for i := range count {
		machines = append(machines, machine(i))
	}
	return machines
}

func machine(i int) *clusterv1.Machine {
	name := fmt.Sprintf("md-5f9c7b-%05d", i)
	m := &clusterv1.Machine{
		TypeMeta: metav1.TypeMeta{APIVersion: clusterv1.GroupVersion.String(), Kind: "Machine"},
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Namespace: "default", Generation: 2, UID: "0d5f8a1e-52b4-4f0e-9f63-0c4f6e1f2a3b",
			CreationTimestamp: metav1.NewTime(Now.Add(-time.Hour)),
			Labels: map[string]string{
				clusterv1.ClusterNameLabel: "prod", clusterv1.MachineDeploymentNameLabel: "md", clusterv1.MachineSetNameLabel: "md-5f9c7b",
			},
		},
		Spec: clusterv1.MachineSpec{ClusterName: "prod", Version: "v1.33.1", ProviderID: "aws:///eu-central-1a/i-" + name},
		Status: clusterv1.MachineStatus{
			NodeRef: clusterv1.MachineNodeReference{Name: name},
			Phase:   string(clusterv1.MachinePhaseRunning),
		},
	}
	for j, kind := range machineConditions {
		c := metav1.Condition{
			Type: kind, Status: metav1.ConditionTrue, Reason: kind, ObservedGeneration: 2,
			LastTransitionTime: metav1.NewTime(Now.Add(-time.Duration(i*len(machineConditions)+j+60) * time.Second)),
		}
		switch {
		case i%10 == 0 && (kind == "Ready" || kind == "UpToDate" || kind == "OwnerRemediated"):
			c.Status, c.Reason, c.Message = metav1.ConditionFalse, "Not"+kind, fmt.Sprintf("* NodeHealthy: Node reports issue %d", i%70)
		case kind == "Updating" || kind == "Paused" || kind == "Deleting":
			c.Status, c.Reason = metav1.ConditionFalse, "Not"+kind
		case kind == "OwnerRemediated":
			continue
		}
		m.Status.Conditions = append(m.Status.Conditions, c)
	}
	return m
}
