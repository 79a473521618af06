package clusterapi

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	capipolicy "github.com/capi-policy/capi-policy/go"
)

// Conditions are decided conditions as objects carry them.
func Conditions(decided []capipolicy.Condition) []metav1.Condition {
	conditions := make([]metav1.Condition, 0, len(decided))
	for _, c := range decided {
		conditions = append(conditions, Condition(c))
	}
	return conditions
}

// Condition is a decided condition as objects carry it.
func Condition(c capipolicy.Condition) metav1.Condition {
	return metav1.Condition{
		Type: c.Type, Status: metav1.ConditionStatus(c.Status), ObservedGeneration: c.ObservedGeneration,
		LastTransitionTime: metav1.NewTime(c.LastTransitionTime), Reason: c.Reason, Message: c.Message,
	}
}

// OwnerReference is the owner to set.
func OwnerReference(action capipolicy.SetOwnerReference) metav1.OwnerReference {
	owner := action.Owner
	return metav1.OwnerReference{
		APIVersion: owner.APIVersion, Kind: owner.Kind, Name: owner.Name, UID: types.UID(owner.UID),
		Controller: owner.Controller, BlockOwnerDeletion: owner.BlockOwnerDeletion,
	}
}
