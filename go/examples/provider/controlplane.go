package main

import (
	"context"
	"slices"
	"strings"
	"time"

	capipolicy "github.com/capi-policy/capi-policy/go"
)

// RockControlPlane is a control plane kind of a provider's own, here with the
// fields that matter only. It has no kubeadm, and its etcd runs elsewhere.
type RockControlPlane struct {
	Metadata Metadata               `json:"metadata"`
	Spec     RockControlPlaneSpec   `json:"spec"`
	Status   RockControlPlaneStatus `json:"status"`
}

// Metadata is a metav1.ObjectMeta in a real provider.
type Metadata struct {
	Name       string            `json:"name"`
	Namespace  string            `json:"namespace"`
	Generation int64             `json:"generation,omitempty"`
	Labels     map[string]string `json:"labels,omitempty"`
}

// RockControlPlaneSpec is what the user wants.
type RockControlPlaneSpec struct {
	Servers int    `json:"servers"`
	Release string `json:"release"`
}

// RockControlPlaneStatus is what the controller reports.
type RockControlPlaneStatus struct {
	Initialized bool                   `json:"initialized"`
	Conditions  []capipolicy.Condition `json:"conditions,omitempty"`
}

// foreignConditions are decided about things that this kind does not have.
var foreignConditions = []string{"CertificatesAvailable", "EtcdClusterHealthy", "ControlPlaneComponentsHealthy"}

// decide gives the conditions of the control plane and its counters.
func decide(ctx context.Context, engine *capipolicy.Engine, now time.Time, cp *RockControlPlane, cluster any, machines any) (*capipolicy.Evaluation, error) {
	snapshot, err := capipolicy.MarshalSnapshot("KubeadmControlPlane",
		capipolicy.Settings{
			Now:     now,
			Profile: capipolicy.ProfileDocumented,
			// Kubeadm stores its ConfigMap once the control plane is up; ours says so
			// itself.
			Observed: capipolicy.Observed{HasKubeadmConfig: trueOrFalse(cp.Status.Initialized)},
		},
		map[string]any{"kubeadmControlPlane": asKubeadm(cp), "cluster": cluster, "machines": machines})
	if err != nil {
		return nil, err
	}
	decision, err := engine.Evaluate(ctx, snapshot)
	if err != nil {
		return nil, err
	}
	decision.Conditions = slices.DeleteFunc(decision.Conditions, func(c capipolicy.Condition) bool {
		return slices.Contains(foreignConditions, c.Type)
	})
	for i := range decision.Conditions {
		c := &decision.Conditions[i]
		c.Message = strings.ReplaceAll(c.Message, "KubeadmControlPlane", "RockControlPlane")
	}
	return decision, nil
}

// asKubeadm is the control plane as the policy knows one: the few fields of
// KubeadmControlPlane that its decisions read.
func asKubeadm(cp *RockControlPlane) map[string]any {
	// Rocks make their own certificates, so these are always there.
	certificates := capipolicy.Condition{Type: "CertificatesAvailable", Status: "True", Reason: "Available"}
	return map[string]any{
		"metadata": cp.Metadata,
		"spec": map[string]any{
			"replicas": cp.Spec.Servers,
			"version":  cp.Spec.Release,
			// An etcd that somebody else looks after.
			"kubeadmConfigSpec": map[string]any{"clusterConfiguration": map[string]any{"etcd": map[string]any{
				"external": map[string]any{"endpoints": []string{"https://etcd.example:2379"}},
			}}},
		},
		"status": map[string]any{
			"conditions":     append(slices.Clone(cp.Status.Conditions), certificates),
			"initialization": map[string]any{"controlPlaneInitialized": cp.Status.Initialized},
		},
	}
}

func trueOrFalse(value bool) string {
	if value {
		return "true"
	}
	return "false"
}
