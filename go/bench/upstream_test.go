//go:build unix

package bench

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/collections"
	"sigs.k8s.io/cluster-api/util/conditions"

	"github.com/capi-policy/capi-policy/go/clusterapi"
)

// updateInProgress marks a Machine that is updated in place.
const updateInProgress = "in-place-updates.internal.cluster.x-k8s.io/update-in-progress"

// upstreamJSON is what a Go program without the policy does with the same
// text: decode, evaluate, encode.
func upstreamJSON(kind string, text []byte) ([]byte, error) {
	objects, err := decode(kind, text)
	if err != nil {
		return nil, err
	}
	decided, err := upstream(objects)
	if err != nil {
		return nil, err
	}
	return json.Marshal(decided)
}

// upstream decides what Cluster API's public functions can decide.
func upstream(objects any) ([]metav1.Condition, error) {
	switch objects := objects.(type) {
	case *clusterapi.MachineDeploymentSnapshot:
		return upstreamDeployment(objects.Machines)
	case *clusterapi.MachineHealthCheckSnapshot:
		return upstreamHealthCheck(objects)
	case *clusterapi.MachineSnapshot:
		return upstreamUpdating(objects.Machine), nil
	}
	return nil, fmt.Errorf("nothing of upstream's for %T", objects)
}

// upstreamDeployment finds the machines in deletion, the unhealthy and those
// to be remediated, and takes the Ready and UpToDate of all machines together,
// all with the functions that the MachineDeployment controller calls.
func upstreamDeployment(list []*clusterv1.Machine) ([]metav1.Condition, error) {
	machines := collections.FromMachines(list...)
	remediating := machines.Filter(collections.IsUnhealthyAndOwnerRemediated)
	unhealthy := machines.Filter(collections.IsUnhealthy)
	deleting := machines.Filter(collections.HasDeletionTimestamp)
	ready, err := aggregate(machines, clusterv1.MachineReadyCondition, clusterv1.MachineDeploymentMachinesReadyCondition,
		clusterv1.MachineDeploymentMachinesNotReadyReason, clusterv1.MachineDeploymentMachinesReadyUnknownReason,
		clusterv1.MachineDeploymentMachinesReadyReason)
	if err != nil {
		return nil, err
	}
	upToDate, err := aggregate(machines, clusterv1.MachineUpToDateCondition, clusterv1.MachineDeploymentMachinesUpToDateCondition,
		clusterv1.MachineDeploymentMachinesNotUpToDateReason, clusterv1.MachineDeploymentMachinesUpToDateUnknownReason,
		clusterv1.MachineDeploymentMachinesUpToDateReason)
	if err != nil {
		return nil, err
	}
	found = len(remediating) + len(unhealthy) + len(deleting)
	return []metav1.Condition{*ready, *upToDate}, nil
}

// found keeps the compiler from leaving out what nobody reads.
var found int

func aggregate(machines collections.Machines, source, target, issue, unknown, info string) (*metav1.Condition, error) {
	return conditions.NewAggregateCondition(machines.UnsortedList(), source,
		conditions.TargetConditionType(target),
		conditions.CustomMergeStrategy{MergeStrategy: conditions.DefaultMergeStrategy(
			conditions.ComputeReasonFunc(conditions.GetDefaultComputeMergeReasonFunc(issue, unknown, info)),
		)},
	)
}

// upstreamHealthCheck selects the machines, finds their Nodes and sets
// HealthCheckSucceeded on each. How Cluster API judges a Node's conditions and
// timeouts and decides about remediation is private to its controller, so this
// side only asks whether the Node is Ready, which is less work.
func upstreamHealthCheck(objects *clusterapi.MachineHealthCheckSnapshot) ([]metav1.Condition, error) {
	selector, err := metav1.LabelSelectorAsSelector(&objects.MachineHealthCheck.Spec.Selector)
	if err != nil {
		return nil, err
	}
	nodes := make(map[string]*corev1.Node, len(objects.Nodes))
	for _, node := range objects.Nodes {
		nodes[node.Name] = node
	}
	var decided []metav1.Condition
	for _, machine := range objects.Machines {
		if !selector.Matches(labels.Set(machine.Labels)) || !collections.HasNode()(machine) {
			continue
		}
		condition := metav1.Condition{
			Type: clusterv1.MachineHealthCheckSucceededCondition, Status: metav1.ConditionTrue,
			Reason: clusterv1.MachineHealthCheckSucceededReason,
		}
		if !nodeReady(nodes[machine.Status.NodeRef.Name]) {
			condition.Status, condition.Reason = metav1.ConditionFalse, clusterv1.MachineHealthCheckUnhealthyNodeReason
		}
		conditions.Set(machine, condition)
		decided = append(decided, *conditions.Get(machine, condition.Type))
	}
	return decided, nil
}

func nodeReady(node *corev1.Node) bool {
	if node == nil {
		return false
	}
	for _, c := range node.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

// upstreamUpdating sets Updating. The policy decides every condition of the
// Machine.
func upstreamUpdating(machine *clusterv1.Machine) []metav1.Condition {
	condition := metav1.Condition{
		Type: clusterv1.MachineUpdatingCondition, Status: metav1.ConditionFalse, Reason: clusterv1.MachineNotUpdatingReason,
	}
	if _, ok := machine.Annotations[updateInProgress]; ok {
		condition.Status, condition.Reason = metav1.ConditionTrue, clusterv1.MachineInPlaceUpdatingReason
		condition.Message = "In-place update in progress"
	}
	conditions.Set(machine, condition)
	return []metav1.Condition{*conditions.Get(machine, condition.Type)}
}
