// pools.go provisions the infrastructure of MachinePools: Nodes without Machines.

package provider

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// addPools gives a pool as many Nodes as it had replicas when it was made.
func addPools(mgr ctrl.Manager) error {
	return watch(mgr, InfrastructureMachinePool, func(ctx context.Context, c client.Client, o *unstructured.Unstructured) error {
		pool := &clusterv1.MachinePool{}
		if err := c.Get(ctx, client.ObjectKeyFromObject(o), pool); err != nil {
			return client.IgnoreNotFound(err)
		}
		ids := []any{}
		for i := range ptr.Deref(pool.Spec.Replicas, 0) {
			name := fmt.Sprintf("%s-%d", pool.Name, i)
			if err := joinPool(ctx, c, name, pool.Spec.Template.Spec.Version); err != nil {
				return err
			}
			ids = append(ids, providerID(name))
		}
		return patchWith(ctx, c, o,
			map[string]any{"providerIDList": ids},
			// MachinePools still look at `ready`.
			map[string]any{"initialization": map[string]any{"provisioned": true}, "ready": true, "replicas": int64(len(ids))})
	})
}

func joinPool(ctx context.Context, c client.Client, name, version string) error {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.NodeSpec{ProviderID: providerID(name)}}
	if err := c.Create(ctx, node); err != nil {
		if apierrors.IsAlreadyExists(err) {
			return nil
		}
		return err
	}
	before := node.DeepCopy()
	node.Status.NodeInfo.KubeletVersion = version
	node.Status.Conditions = readyNode()
	return c.Status().Patch(ctx, node, client.MergeFrom(before))
}
