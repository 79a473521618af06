// Package example makes a cluster of any size for benchmarks.
package example

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// Now is the moment at which the cluster is looked at.
var Now = time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)

// machineConditions are the types that a worker machine carries.
var machineConditions = []string{
	"Available", "Ready", "UpToDate", "BootstrapConfigReady", "InfrastructureReady", "NodeHealthy", "NodeReady",
	"HealthCheckSucceeded", "OwnerRemediated", "Updating", "Paused", "Deleting",
}

// Cluster is a running one.
func Cluster() *clusterv1.Cluster {
	return &clusterv1.Cluster{
		TypeMeta:   typeMeta("Cluster"),
		ObjectMeta: objectMeta("prod"),
		Status: clusterv1.ClusterStatus{
			Initialization: clusterv1.ClusterInitializationStatus{InfrastructureProvisioned: ptr.To(true), ControlPlaneInitialized: ptr.To(true)},
			Conditions:     []metav1.Condition{isTrue("InfrastructureReady"), isTrue("ControlPlaneInitialized")},
		},
	}
}

// MachineDeployment controls the MachineSet.
func MachineDeployment() *clusterv1.MachineDeployment {
	return &clusterv1.MachineDeployment{
		TypeMeta:   typeMeta("MachineDeployment"),
		ObjectMeta: objectMeta("md"),
		Spec:       clusterv1.MachineDeploymentSpec{ClusterName: "prod", Selector: selector()},
	}
}

// MachineSet controls the machines.
func MachineSet() *clusterv1.MachineSet {
	meta := objectMeta("md-5f9c7b")
	meta.OwnerReferences = owner("MachineDeployment", "md")
	return &clusterv1.MachineSet{
		TypeMeta:   typeMeta("MachineSet"),
		ObjectMeta: meta,
		Spec:       clusterv1.MachineSetSpec{ClusterName: "prod", Selector: selector()},
	}
}

// MachineHealthCheck selects all machines.
func MachineHealthCheck() *clusterv1.MachineHealthCheck {
	return &clusterv1.MachineHealthCheck{
		TypeMeta:   typeMeta("MachineHealthCheck"),
		ObjectMeta: objectMeta("mhc"),
		Spec: clusterv1.MachineHealthCheckSpec{
			ClusterName: "prod",
			Selector:    selector(),
			Checks: clusterv1.MachineHealthCheckChecks{UnhealthyNodeConditions: []clusterv1.UnhealthyNodeCondition{
				{Type: corev1.NodeReady, Status: corev1.ConditionFalse, TimeoutSeconds: ptr.To[int32](300)},
				{Type: corev1.NodeReady, Status: corev1.ConditionUnknown, TimeoutSeconds: ptr.To[int32](300)},
			}},
		},
		// Cluster API stores it before it looks at any machine.
		Status: clusterv1.MachineHealthCheckStatus{Conditions: []metav1.Condition{{
			Type: "Paused", Status: metav1.ConditionFalse, Reason: "NotPaused", ObservedGeneration: 2, LastTransitionTime: metav1.NewTime(Now.Add(-time.Hour)),
		}}},
	}
}

// Machines are so many machines as an API server serves them; one in ten
// reports an issue.
func Machines(count int) []*clusterv1.Machine {
	machines := make([]*clusterv1.Machine, 0, count)
	for i := range count {
		machines = append(machines, Machine(i))
	}
	return machines
}

// Nodes are those of the machines; they are ready.
func Nodes(count int) []*corev1.Node {
	nodes := make([]*corev1.Node, 0, count)
	for i := range count {
		node := &corev1.Node{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
			ObjectMeta: metav1.ObjectMeta{Name: machineName(i), UID: types.UID("node-" + machineName(i)), CreationTimestamp: metav1.NewTime(Now.Add(-time.Hour))},
			Spec:       corev1.NodeSpec{ProviderID: "aws:///eu-central-1a/i-" + machineName(i)},
		}
		for _, kind := range []corev1.NodeConditionType{"MemoryPressure", "DiskPressure", "PIDPressure", "Ready"} {
			status := corev1.ConditionFalse
			if kind == corev1.NodeReady {
				status = corev1.ConditionTrue
			}
			node.Status.Conditions = append(node.Status.Conditions, corev1.NodeCondition{
				Type: kind, Status: status, Reason: "Kubelet" + string(kind), Message: "kubelet reports its state",
				LastHeartbeatTime: metav1.NewTime(Now), LastTransitionTime: metav1.NewTime(Now.Add(-time.Hour)),
			})
		}
		nodes = append(nodes, node)
	}
	return nodes
}

// Machine is one of them.
func Machine(i int) *clusterv1.Machine {
	name := machineName(i)
	meta := objectMeta(name)
	meta.OwnerReferences = owner("MachineSet", "md-5f9c7b")
	m := &clusterv1.Machine{
		TypeMeta:   typeMeta("Machine"),
		ObjectMeta: meta,
		Spec: clusterv1.MachineSpec{
			ClusterName: "prod", Version: "v1.33.1", ProviderID: "aws:///eu-central-1a/i-" + name,
			InfrastructureRef: clusterv1.ContractVersionedObjectReference{APIGroup: "infrastructure.cluster.x-k8s.io", Kind: "AWSMachine", Name: name},
		},
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

// Flip is the machine with Ready turned around, as a change that an event
// brings.
func Flip(m *clusterv1.Machine) {
	for i := range m.Status.Conditions {
		c := &m.Status.Conditions[i]
		if c.Type != "Ready" {
			continue
		}
		if c.Status == metav1.ConditionTrue {
			c.Status, c.Reason, c.Message = metav1.ConditionFalse, "NotReady", "* NodeHealthy: Node reports issue 1"
		} else {
			c.Status, c.Reason, c.Message = metav1.ConditionTrue, "Ready", ""
		}
	}
}

func machineName(i int) string { return fmt.Sprintf("md-5f9c7b-%05d", i) }

func typeMeta(kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: clusterv1.GroupVersion.String(), Kind: kind}
}

func objectMeta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name: name, Namespace: "default", Generation: 2, UID: types.UID("uid-" + name), CreationTimestamp: metav1.NewTime(Now.Add(-time.Hour)),
		Labels: map[string]string{
			clusterv1.ClusterNameLabel: "prod", clusterv1.MachineDeploymentNameLabel: "md", clusterv1.MachineSetNameLabel: "md-5f9c7b",
		},
	}
}

func selector() metav1.LabelSelector {
	return metav1.LabelSelector{MatchLabels: map[string]string{clusterv1.MachineDeploymentNameLabel: "md"}}
}

func owner(kind, name string) []metav1.OwnerReference {
	return []metav1.OwnerReference{{
		APIVersion: clusterv1.GroupVersion.String(), Kind: kind, Name: name, UID: types.UID("uid-" + name), Controller: ptr.To(true),
	}}
}

func isTrue(kind string) metav1.Condition {
	return metav1.Condition{Type: kind, Status: metav1.ConditionTrue, Reason: kind, LastTransitionTime: metav1.NewTime(Now.Add(-time.Hour))}
}
