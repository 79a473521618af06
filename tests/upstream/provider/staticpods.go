// staticpods.go runs, on paper, what kubeadm leaves on a control-plane node.

package provider

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The components that kubeadm runs as static pods.
var components = []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"}

// clusterNamespaceLabel says, beside the name of its cluster, whose static pod it is.
const clusterNamespaceLabel = "test.capi-policy/cluster-namespace"

// startStaticPods creates the mirror pods of a control-plane node, ready, and
// what kubeadm leaves behind when it has initialized a cluster.
func startStaticPods(ctx context.Context, c client.Client, cluster client.ObjectKey, node string) error {
	config := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: metav1.NamespaceSystem, Name: "kubeadm-config"},
		Data:       map[string]string{"ClusterConfiguration": "apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n"},
	}
	if err := c.Create(ctx, config); err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	for _, component := range components {
		pod := staticPod(component, cluster, node)
		if err := c.Create(ctx, pod); err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
		before := pod.DeepCopy()
		pod.Status = corev1.PodStatus{
			Phase:      corev1.PodRunning,
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Now()}},
		}
		if err := c.Status().Patch(ctx, pod, client.MergeFrom(before)); err != nil {
			return err
		}
	}
	return nil
}

func stopStaticPods(ctx context.Context, c client.Client, node string) error {
	for _, component := range components {
		if err := c.Delete(ctx, staticPod(component, client.ObjectKey{}, node), client.GracePeriodSeconds(0)); client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	return nil
}

func staticPod(component string, cluster client.ObjectKey, node string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: metav1.NamespaceSystem,
			Name:      component + "-" + node,
			Labels: map[string]string{
				"tier": "control-plane", "component": component,
				clusterv1.ClusterNameLabel: cluster.Name, clusterNamespaceLabel: cluster.Namespace,
			},
			// A drain leaves mirror pods alone.
			Annotations: map[string]string{corev1.MirrorPodAnnotationKey: component},
		},
		Spec: corev1.PodSpec{
			NodeName:   node,
			Containers: []corev1.Container{{Name: component, Image: component}},
		},
	}
}
