// pool.go has the MachinePool that a fleet may have.

package fleet

import (
	"context"

	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"capi-policy.test/upstream/provider"
)

func newPool(s Size) []client.Object {
	if s.Pool == 0 {
		return nil
	}
	name := s.Name + "-pool"
	return []client.Object{
		object(provider.InfrastructureMachinePool, s.meta(name), map[string]any{}),
		object(provider.BootstrapConfig, s.meta(name), map[string]any{}),
		&clusterv1.MachinePool{
			ObjectMeta: s.meta(name),
			Spec: clusterv1.MachinePoolSpec{
				ClusterName: s.Name,
				Replicas:    ptr.To(int32(s.Pool)),
				Template: clusterv1.MachineTemplateSpec{Spec: clusterv1.MachineSpec{
					ClusterName:       s.Name,
					Version:           version,
					Bootstrap:         clusterv1.Bootstrap{ConfigRef: reference(provider.BootstrapConfig, name)},
					InfrastructureRef: reference(provider.InfrastructureMachinePool, name),
				}},
			},
		},
	}
}

// poolSettled is true when every replica has its Node and the counters say so.
func poolSettled(ctx context.Context, c client.Client, s Size) (bool, error) {
	if s.Pool == 0 {
		return true, nil
	}
	pool := &clusterv1.MachinePool{}
	if err := c.Get(ctx, client.ObjectKey{Namespace: s.Namespace, Name: s.Name + "-pool"}, pool); err != nil {
		return false, err
	}
	return len(pool.Status.NodeRefs) == s.Pool && int(ptr.Deref(pool.Status.AvailableReplicas, 0)) == s.Pool, nil
}
