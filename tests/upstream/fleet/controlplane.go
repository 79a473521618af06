// controlplane.go has the two kinds of control plane that a fleet may have.

package fleet

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/utils/ptr"
	controlplanev1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"capi-policy.test/upstream/provider"
)

// newControlPlane has the infrastructure cluster and the control plane.
func newControlPlane(s Size) []client.Object {
	infrastructure := object(provider.InfrastructureCluster, s.meta(s.Name), map[string]any{})
	if s.ControlPlane == 0 {
		return []client.Object{
			infrastructure,
			object(provider.ControlPlane, s.meta(s.Name), map[string]any{"version": version, "replicas": int64(1)}),
		}
	}
	name := s.Name + "-control-plane"
	return []client.Object{
		infrastructure,
		template(provider.InfrastructureMachineTemplate, s.meta(name)),
		&controlplanev1.KubeadmControlPlane{
			ObjectMeta: s.meta(s.Name),
			Spec: controlplanev1.KubeadmControlPlaneSpec{
				Replicas: ptr.To(int32(s.ControlPlane)),
				Version:  version,
				MachineTemplate: controlplanev1.KubeadmControlPlaneMachineTemplate{
					ObjectMeta: clusterv1.ObjectMeta{Labels: s.labels(nil)},
					Spec: controlplanev1.KubeadmControlPlaneMachineTemplateSpec{
						InfrastructureRef: reference(provider.InfrastructureMachineTemplate, name),
					},
				},
			},
		},
	}
}

func controlPlaneSettled(ctx context.Context, c client.Client, s Size) (bool, error) {
	if s.ControlPlane == 0 {
		return true, nil
	}
	kcp := &controlplanev1.KubeadmControlPlane{}
	if err := c.Get(ctx, client.ObjectKey{Namespace: s.Namespace, Name: s.Name}, kcp); err != nil {
		return false, err
	}
	for _, t := range []string{
		controlplanev1.KubeadmControlPlaneMachinesReadyCondition,
		controlplanev1.KubeadmControlPlaneEtcdClusterHealthyCondition,
		controlplanev1.KubeadmControlPlaneControlPlaneComponentsHealthyCondition,
	} {
		if !meta.IsStatusConditionTrue(kcp.Status.Conditions, t) {
			return false, nil
		}
	}
	return true, nil
}
