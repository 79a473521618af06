package clusterapi_test

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	capipolicy "github.com/capi-policy/capi-policy/go"
	"github.com/capi-policy/capi-policy/go/clusterapi"
)

func Example() {
	engine, err := capipolicy.New(capipolicy.Options{})
	if err != nil {
		panic(err)
	}
	defer engine.Close()

	now := time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)
	decision, err := engine.Evaluate(context.Background(), clusterapi.MachineHealthCheckSnapshot{
		Settings:           capipolicy.Settings{Now: now},
		MachineHealthCheck: healthCheck(),
		Cluster:            cluster(now.Add(-time.Hour)),
		Machines:           []*clusterv1.Machine{machine("m1", now.Add(-time.Hour)), machine("m2", now.Add(-time.Hour))},
		Nodes:              []*corev1.Node{node("m1", corev1.ConditionTrue, now), node("m2", corev1.ConditionFalse, now.Add(-4*time.Minute))},
	})
	if err != nil {
		panic(err)
	}
	for _, m := range decision.Machines {
		fmt.Printf("%s is %s (%s)\n", m.Name, m.Verdict, m.Row)
	}
	for _, c := range decision.Conditions {
		fmt.Printf("%s=%s, reason %s (%s)\n", c.Type, c.Status, c.Reason, c.Row)
	}
	fmt.Println("look again in", decision.RequeueAfter())
	// Output:
	// m1 is healthy (MHC-HCS-13)
	// m2 is waiting (MHC-HCS-11)
	// RemediationAllowed=True, reason RemediationAllowed (MHC-RA-4)
	// Paused=False, reason NotPaused (PAUSED-2)
	// look again in 1m1s
}

func healthCheck() *clusterv1.MachineHealthCheck {
	timeout := int32(300)
	return &clusterv1.MachineHealthCheck{
		ObjectMeta: metav1.ObjectMeta{Name: "workers", Namespace: "default"},
		Spec: clusterv1.MachineHealthCheckSpec{
			ClusterName: "prod",
			Selector:    metav1.LabelSelector{MatchLabels: map[string]string{"pool": "workers"}},
			Checks: clusterv1.MachineHealthCheckChecks{UnhealthyNodeConditions: []clusterv1.UnhealthyNodeCondition{
				{Type: corev1.NodeReady, Status: corev1.ConditionFalse, TimeoutSeconds: &timeout},
			}},
		},
	}
}

func cluster(since time.Time) *clusterv1.Cluster {
	initialized := true
	up := func(kind string) metav1.Condition {
		return metav1.Condition{Type: kind, Status: metav1.ConditionTrue, Reason: kind, LastTransitionTime: metav1.NewTime(since)}
	}
	return &clusterv1.Cluster{
		ObjectMeta: metav1.ObjectMeta{Name: "prod", Namespace: "default"},
		Status: clusterv1.ClusterStatus{
			Initialization: clusterv1.ClusterInitializationStatus{InfrastructureProvisioned: &initialized, ControlPlaneInitialized: &initialized},
			Conditions:     []metav1.Condition{up("InfrastructureReady"), up("ControlPlaneInitialized")},
		},
	}
}

func machine(name string, created time.Time) *clusterv1.Machine {
	return &clusterv1.Machine{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Namespace: "default", CreationTimestamp: metav1.NewTime(created),
			Labels: map[string]string{"pool": "workers", clusterv1.ClusterNameLabel: "prod"},
		},
		Spec:   clusterv1.MachineSpec{ClusterName: "prod"},
		Status: clusterv1.MachineStatus{NodeRef: clusterv1.MachineNodeReference{Name: name}},
	}
}

func node(name string, ready corev1.ConditionStatus, since time.Time) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{
			{Type: corev1.NodeReady, Status: ready, LastTransitionTime: metav1.NewTime(since)},
		}},
	}
}
