package main

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const namespace = "default"

// createFleet makes a running cluster with two machines, one of them with a
// Node that has not been ready for ten minutes, and a health check. The API
// server is the workload cluster, too.
func createFleet(t *testing.T, p *plane) {
	t.Helper()
	before := metav1.NewTime(time.Now().Add(-10 * time.Minute))
	yes := func(kind string) metav1.Condition {
		return metav1.Condition{Type: kind, Status: metav1.ConditionTrue, Reason: kind, LastTransitionTime: before}
	}
	p.create(t, &clusterv1.Cluster{
		ObjectMeta: named("prod"),
		Spec: clusterv1.ClusterSpec{
			ControlPlaneEndpoint: clusterv1.APIEndpoint{Host: "127.0.0.1", Port: 6443},
			InfrastructureRef:    clusterv1.ContractVersionedObjectReference{APIGroup: "infrastructure.test", Kind: "TestCluster", Name: "prod"},
		},
		Status: clusterv1.ClusterStatus{
			Initialization: clusterv1.ClusterInitializationStatus{InfrastructureProvisioned: ptr.To(true), ControlPlaneInitialized: ptr.To(true)},
			Conditions:     []metav1.Condition{yes("InfrastructureReady"), yes("ControlPlaneInitialized")},
		},
	})
	p.create(t, &corev1.Secret{
		ObjectMeta: labelled("prod-kubeconfig"), Type: clusterv1.ClusterSecretType, Data: map[string][]byte{"value": p.kubeconfig},
	})
	for name, ready := range map[string]corev1.ConditionStatus{"m1": corev1.ConditionTrue, "m2": corev1.ConditionFalse} {
		p.create(t, &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{
				Type: corev1.NodeReady, Status: ready, Reason: "Kubelet", LastHeartbeatTime: before, LastTransitionTime: before,
			}}},
		})
		machine := &clusterv1.Machine{
			ObjectMeta: labelled(name),
			Spec: clusterv1.MachineSpec{
				ClusterName:       "prod",
				Bootstrap:         clusterv1.Bootstrap{DataSecretName: ptr.To("none")},
				InfrastructureRef: clusterv1.ContractVersionedObjectReference{APIGroup: "infrastructure.test", Kind: "TestMachine", Name: name},
			},
			Status: clusterv1.MachineStatus{
				NodeRef:    clusterv1.MachineNodeReference{Name: name},
				Conditions: []metav1.Condition{yes("InfrastructureReady")},
			},
		}
		machine.OwnerReferences = []metav1.OwnerReference{{
			APIVersion: clusterv1.GroupVersion.String(), Kind: "MachineSet", Name: "workers", UID: "1", Controller: ptr.To(true),
		}}
		p.create(t, machine)
	}
	for name, filter := range map[string]string{"workers": "policy", "others": "upstream"} {
		mhc := &clusterv1.MachineHealthCheck{
			ObjectMeta: labelled(name),
			Spec: clusterv1.MachineHealthCheckSpec{
				ClusterName: "prod",
				Selector:    metav1.LabelSelector{MatchLabels: map[string]string{clusterv1.ClusterNameLabel: "prod"}},
				Checks: clusterv1.MachineHealthCheckChecks{UnhealthyNodeConditions: []clusterv1.UnhealthyNodeCondition{
					{Type: corev1.NodeReady, Status: corev1.ConditionFalse, TimeoutSeconds: ptr.To[int32](300)},
				}},
			},
		}
		mhc.Labels[clusterv1.WatchLabel] = filter
		p.create(t, mhc)
	}
}

// createRemediationTemplate makes the resource definitions of a provider of
// remediation and a template.
func (p *plane) createRemediationTemplate(t *testing.T) {
	t.Helper()
	for _, kind := range []string{"Reboot", "RebootTemplate"} {
		plural := strings.ToLower(kind) + "s"
		p.createYAML(t, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"`+plural+`.remediation.test",
			"labels":{"cluster.x-k8s.io/v1beta2":"v1beta2"}},"spec":{"group":"remediation.test","scope":"Namespaced",
			"names":{"plural":"`+plural+`","singular":"`+strings.ToLower(kind)+`","kind":"`+kind+`","listKind":"`+kind+`List"},
			"versions":[{"name":"v1beta2","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}`)
	}
	p.createYAML(t, `{"apiVersion":"remediation.test/v1beta2","kind":"RebootTemplate","metadata":{"namespace":"default","name":"reboot"},
		"spec":{"template":{"spec":{"strategy":"soft"}}}}`)
}

// createYAML creates an object as soon as its kind is served.
func (p *plane) createYAML(t *testing.T, text string) {
	t.Helper()
	o := &unstructured.Unstructured{}
	check(t, o.UnmarshalJSON([]byte(text)))
	timeout := time.After(patience)
	for {
		err := p.Create(t.Context(), o.DeepCopy())
		if err == nil {
			return
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-timeout:
			t.Fatal(err)
		}
	}
}

func remediationRequest() *unstructured.Unstructured {
	o := &unstructured.Unstructured{}
	o.SetAPIVersion("remediation.test/v1beta2")
	o.SetKind("Reboot")
	return o
}

// create stores an object and its status.
func (p *plane) create(t *testing.T, o client.Object) {
	t.Helper()
	withStatus := o.DeepCopyObject().(client.Object)
	check(t, p.Create(t.Context(), o))
	if _, ok := o.(*corev1.Secret); ok {
		return
	}
	withStatus.SetResourceVersion(o.GetResourceVersion())
	withStatus.SetUID(o.GetUID())
	check(t, p.Status().Update(t.Context(), withStatus))
}

func named(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name}
}

func labelled(name string) metav1.ObjectMeta {
	meta := named(name)
	meta.Labels = map[string]string{clusterv1.ClusterNameLabel: "prod"}
	return meta
}
