// machines.go provisions infrastructure machines and joins their Nodes.

package provider

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	finalizer = "test.capi-policy/provider"
	// joined marks an infrastructure machine whose Node has been created: a Node
	// that a test deletes stays away.
	joined           = "test.capi-policy/joined"
	providerIDPrefix = "test:////"
	// controlPlaneRole is the label and the taint that kubeadm gives a node.
	controlPlaneRole = "node-role.kubernetes.io/control-plane"
)

// addMachines provisions infrastructure machines and joins their Nodes.
func addMachines(mgr ctrl.Manager, kubelet *kubelet) error {
	m := machines{mgr.GetClient(), kubelet}
	return ctrl.NewControllerManagedBy(mgr).
		For(New(InfrastructureMachine)).
		Watches(&clusterv1.Machine{}, handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
			ref := o.(*clusterv1.Machine).Spec.InfrastructureRef
			if ref.Kind != InfrastructureMachine.Kind {
				return nil
			}
			return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: o.GetNamespace(), Name: ref.Name}}}
		})).
		WithOptions(concurrently).
		Complete(m)
}

type machines struct {
	client.Client
	kubelet *kubelet // of control-plane nodes; nil without KubeadmControlPlane
}

func (m machines) Reconcile(ctx context.Context, r ctrl.Request) (ctrl.Result, error) {
	infra := New(InfrastructureMachine)
	if err := m.Get(ctx, r.NamespacedName, infra); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !infra.GetDeletionTimestamp().IsZero() {
		return ctrl.Result{}, m.delete(ctx, infra)
	}
	machine, err := util.GetOwnerMachine(ctx, m.Client, metav1.ObjectMeta{Namespace: infra.GetNamespace(), OwnerReferences: infra.GetOwnerReferences()})
	if err != nil || machine == nil || machine.Spec.Bootstrap.DataSecretName == nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := infra.DeepCopy()
	if controllerutil.AddFinalizer(infra, finalizer) {
		if err := m.Patch(ctx, infra, client.MergeFrom(before)); err != nil {
			return ctrl.Result{}, client.IgnoreNotFound(err)
		}
	}
	if err := patchWith(ctx, m.Client, infra,
		map[string]any{"providerID": providerID(machine.Name)},
		map[string]any{"initialization": map[string]any{"provisioned": true}}); err != nil {
		return ctrl.Result{}, err
	}
	if err := m.join(ctx, infra, machine); err != nil {
		return ctrl.Result{}, err
	}
	if m.kubelet != nil && util.IsControlPlaneMachine(machine) {
		return ctrl.Result{}, m.kubelet.announce(ctx, m.Client, machine.Name)
	}
	return ctrl.Result{}, nil
}

// join creates the machine's Node once, unless the machine is to have none.
func (m machines) join(ctx context.Context, infra *unstructured.Unstructured, machine *clusterv1.Machine) error {
	_, none := machine.Annotations[NoNode]
	_, done := infra.GetAnnotations()[joined]
	if none || done || !machine.DeletionTimestamp.IsZero() {
		return nil
	}
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: machine.Name},
		Spec:       corev1.NodeSpec{ProviderID: providerID(machine.Name)},
	}
	if util.IsControlPlaneMachine(machine) {
		node.Labels = map[string]string{controlPlaneRole: ""}
		node.Spec.Taints = []corev1.Taint{{Key: controlPlaneRole, Effect: corev1.TaintEffectNoSchedule}}
		cluster := client.ObjectKey{Namespace: machine.Namespace, Name: machine.Spec.ClusterName}
		if err := startStaticPods(ctx, m.Client, cluster, node.Name); err != nil {
			return err
		}
	}
	if err := m.Create(ctx, node); err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	before := node.DeepCopy()
	node.Status.NodeInfo.KubeletVersion = machine.Spec.Version
	node.Status.Conditions = readyNode()
	if err := m.Status().Patch(ctx, node, client.MergeFrom(before)); err != nil {
		return err
	}
	return annotate(ctx, m.Client, infra, joined, "")
}

// delete takes the Node down with the machine, as a cloud does.
func (m machines) delete(ctx context.Context, infra *unstructured.Unstructured) error {
	id, _, _ := unstructured.NestedString(infra.Object, "spec", "providerID")
	if name, ours := strings.CutPrefix(id, providerIDPrefix); ours {
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
		if err := m.Delete(ctx, node); client.IgnoreNotFound(err) != nil {
			return err
		}
		if err := stopStaticPods(ctx, m.Client, name); err != nil {
			return err
		}
	}
	before := infra.DeepCopy()
	if !controllerutil.RemoveFinalizer(infra, finalizer) {
		return nil
	}
	return client.IgnoreNotFound(m.Patch(ctx, infra, client.MergeFrom(before)))
}

// providerID ends with the name of the Node, which is that of the Machine.
func providerID(machine string) string { return providerIDPrefix + machine }

func readyNode() []corev1.NodeCondition {
	var conditions []corev1.NodeCondition
	for _, c := range []struct {
		kind   corev1.NodeConditionType
		status corev1.ConditionStatus
		reason string
	}{
		{corev1.NodeReady, corev1.ConditionTrue, "KubeletReady"},
		{corev1.NodeMemoryPressure, corev1.ConditionFalse, "KubeletHasSufficientMemory"},
		{corev1.NodeDiskPressure, corev1.ConditionFalse, "KubeletHasNoDiskPressure"},
		{corev1.NodePIDPressure, corev1.ConditionFalse, "KubeletHasSufficientPID"},
	} {
		conditions = append(conditions, corev1.NodeCondition{Type: c.kind, Status: c.status, Reason: c.reason, LastTransitionTime: metav1.Now()})
	}
	return conditions
}
