// Package fleet creates a cluster with a control plane, a MachineDeployment
// and the secret with which upstream reaches its Nodes.
package fleet

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"capi-policy.test/upstream/provider"
)

// version is that of every machine.
const version = "v1.36.3"

// PoolLabel is on every worker machine, with the value workers: something for
// a MachineHealthCheck to select.
const PoolLabel = "test.capi-policy/pool"

// timeout is how long a fleet may take to run.
const timeout = 2 * time.Minute

// Size says what to create.
type Size struct {
	Namespace string
	Name      string
	Workers   int
	// ControlPlane is how many machines a KubeadmControlPlane has; with none,
	// the control plane is a generic one without machines.
	ControlPlane int
	// WatchFilter is the value of the label that every object of the fleet has; without one, there is no such label.
	WatchFilter string
	// Pool is how many replicas a MachinePool has; with none, there is none.
	Pool int
}

const usage = "create-fleet NAME WORKERS [namespace=NAMESPACE] [control-plane=MACHINES] [pool=REPLICAS] [watch-filter=VALUE]"

// ParseSize reads a command.
func ParseSize(line string) (Size, error) {
	s := Size{Namespace: metav1.NamespaceDefault}
	words := strings.Fields(line)
	if len(words) < 3 || words[0] != "create-fleet" {
		return s, fmt.Errorf("unknown command; know: %s", usage)
	}
	s.Name = words[1]
	var err error
	if s.Workers, err = strconv.Atoi(words[2]); err != nil {
		return s, err
	}
	for _, word := range words[3:] {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "namespace":
			s.Namespace = value
		case "watch-filter":
			s.WatchFilter = value
		case "control-plane":
			if s.ControlPlane, err = strconv.Atoi(value); err != nil {
				return s, err
			}
		case "pool":
			if s.Pool, err = strconv.Atoi(value); err != nil {
				return s, err
			}
		default:
			return s, fmt.Errorf("%s: expected %s", word, usage)
		}
	}
	return s, nil
}

// Create returns when every machine of the fleet runs and the conditions of
// the machines have reached the cluster's own.
func Create(ctx context.Context, c client.Client, kubeconfig []byte, s Size) error {
	cluster := newCluster(s)
	all := []client.Object{&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: s.Namespace}}, cluster}
	all = append(all, newControlPlane(s)...)
	all = append(all, newWorkers(s)...)
	all = append(all, newPool(s)...)
	all = append(all, newKubeconfig(s, kubeconfig))
	for _, o := range all {
		// Nobody else gives a secret an owner, and it must go with the cluster.
		if _, secret := o.(*corev1.Secret); secret {
			o.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: clusterv1.GroupVersion.String(), Kind: "Cluster", Name: cluster.Name, UID: cluster.UID}})
		}
		if err := c.Create(ctx, o); err != nil && !(apierrors.IsAlreadyExists(err) && o.GetNamespace() == "") {
			return fmt.Errorf("%T %s: %w", o, o.GetName(), err)
		}
	}
	return wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, timeout, true, func(ctx context.Context) (bool, error) {
		return running(ctx, c, s)
	})
}

func running(ctx context.Context, c client.Client, s Size) (bool, error) {
	machines := &clusterv1.MachineList{}
	if err := c.List(ctx, machines, client.InNamespace(s.Namespace), client.MatchingLabels{clusterv1.ClusterNameLabel: s.Name}); err != nil {
		return false, err
	}
	n := 0
	for _, m := range machines.Items {
		if m.Status.Phase == string(clusterv1.MachinePhaseRunning) {
			n++
		}
	}
	cluster := &clusterv1.Cluster{}
	if err := c.Get(ctx, client.ObjectKey{Namespace: s.Namespace, Name: s.Name}, cluster); err != nil {
		return false, client.IgnoreNotFound(err)
	}
	if n != s.Workers+s.ControlPlane || n != len(machines.Items) || !settled(cluster.Status.Conditions) {
		return false, nil
	}
	if there, err := poolSettled(ctx, c, s); err != nil || !there {
		return false, err
	}
	return controlPlaneSettled(ctx, c, s)
}

func settled(conditions []metav1.Condition) bool {
	for _, t := range []string{clusterv1.ClusterAvailableCondition, clusterv1.ClusterControlPlaneMachinesReadyCondition, clusterv1.ClusterWorkerMachinesReadyCondition} {
		if !meta.IsStatusConditionTrue(conditions, t) {
			return false
		}
	}
	for _, t := range []string{clusterv1.ClusterScalingUpCondition, clusterv1.ClusterRollingOutCondition} {
		if !meta.IsStatusConditionFalse(conditions, t) {
			return false
		}
	}
	return true
}

func (s Size) meta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: s.Namespace, Name: name, Labels: s.labels(map[string]string{clusterv1.ClusterNameLabel: s.Name})}
}

// labels adds the watch filter, if there is one.
func (s Size) labels(labels map[string]string) map[string]string {
	if s.WatchFilter != "" {
		if labels == nil {
			labels = map[string]string{}
		}
		labels[clusterv1.WatchLabel] = s.WatchFilter
	}
	return labels
}

func newCluster(s Size) *clusterv1.Cluster {
	controlPlane := provider.ControlPlane
	if s.ControlPlane > 0 {
		controlPlane = provider.KubeadmControlPlane
	}
	return &clusterv1.Cluster{
		ObjectMeta: s.meta(s.Name),
		Spec: clusterv1.ClusterSpec{
			InfrastructureRef: reference(provider.InfrastructureCluster, s.Name),
			ControlPlaneRef:   reference(controlPlane, s.Name),
		},
	}
}

func newWorkers(s Size) []client.Object {
	name := s.Name + "-workers"
	return []client.Object{
		template(provider.InfrastructureMachineTemplate, s.meta(name)),
		template(provider.BootstrapConfigTemplate, s.meta(name)),
		&clusterv1.MachineDeployment{
			ObjectMeta: s.meta(name),
			Spec: clusterv1.MachineDeploymentSpec{
				ClusterName: s.Name,
				Replicas:    ptr.To(int32(s.Workers)),
				Selector:    metav1.LabelSelector{MatchLabels: map[string]string{PoolLabel: "workers"}},
				Template: clusterv1.MachineTemplateSpec{
					ObjectMeta: clusterv1.ObjectMeta{Labels: s.labels(map[string]string{PoolLabel: "workers"})},
					Spec: clusterv1.MachineSpec{
						ClusterName:       s.Name,
						Version:           version,
						Bootstrap:         clusterv1.Bootstrap{ConfigRef: reference(provider.BootstrapConfigTemplate, name)},
						InfrastructureRef: reference(provider.InfrastructureMachineTemplate, name),
					},
				},
			},
		},
	}
}

// newKubeconfig is how upstream reaches the workload cluster.
func newKubeconfig(s Size, kubeconfig []byte) *corev1.Secret {
	secret := &corev1.Secret{
		ObjectMeta: s.meta(s.Name + "-kubeconfig"),
		Type:       clusterv1.ClusterSecretType,
		Data:       map[string][]byte{"value": kubeconfig},
	}
	if s.ControlPlane > 0 {
		// Of that type, a KubeadmControlPlane would take it for its own and rotate it.
		secret.Type = corev1.SecretTypeOpaque
	}
	return secret
}

func template(kind schema.GroupVersionKind, meta metav1.ObjectMeta) *unstructured.Unstructured {
	return object(kind, meta, map[string]any{"template": map[string]any{"spec": map[string]any{}}})
}

func object(kind schema.GroupVersionKind, meta metav1.ObjectMeta, spec map[string]any) *unstructured.Unstructured {
	u := provider.New(kind)
	u.SetNamespace(meta.Namespace)
	u.SetName(meta.Name)
	u.SetLabels(meta.Labels)
	u.Object["spec"] = spec
	return u
}

func reference(kind schema.GroupVersionKind, name string) clusterv1.ContractVersionedObjectReference {
	return clusterv1.ContractVersionedObjectReference{APIGroup: kind.Group, Kind: kind.Kind, Name: name}
}
