// awaitcalled.go finds out when the API server calls the webhooks.

package controllers

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// awaitCalled tries MachineDeployments, without keeping one, until defaulting
// happens: the API server takes note of a configuration a moment after it is
// stored, and an object created before that is refused.
func (s *webhookServer) awaitCalled(ctx context.Context, mgr ctrl.Manager) error {
	return wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		probe := &clusterv1.MachineDeployment{
			ObjectMeta: metav1.ObjectMeta{Namespace: metav1.NamespaceDefault, Name: "probe"},
			Spec: clusterv1.MachineDeploymentSpec{
				ClusterName: "probe",
				Template: clusterv1.MachineTemplateSpec{Spec: clusterv1.MachineSpec{
					ClusterName:       "probe",
					Bootstrap:         clusterv1.Bootstrap{ConfigRef: clusterv1.ContractVersionedObjectReference{APIGroup: "bootstrap.cluster.x-k8s.io", Kind: "Probe", Name: "probe"}},
					InfrastructureRef: clusterv1.ContractVersionedObjectReference{APIGroup: "infrastructure.cluster.x-k8s.io", Kind: "Probe", Name: "probe"},
				}},
			},
		}
		err := mgr.GetClient().Create(ctx, probe, client.DryRunAll)
		return err == nil && probe.Spec.Rollout.Strategy.Type != "", nil
	})
}
