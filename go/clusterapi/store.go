package clusterapi

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	capipolicy "github.com/capi-policy/capi-policy/go"
)

// MachineConditionsOfHealthChecks are the types of conditions that a
// MachineHealthCheck owns on its Machines.
var MachineConditionsOfHealthChecks = []string{
	clusterv1.MachineHealthCheckSucceededCondition,
	clusterv1.MachineOwnerRemediatedCondition,
	clusterv1.MachineExternallyRemediatedCondition,
}

// Merge gives the conditions that an object should carry: what it carries, with
// decided conditions in their place and without those of the owned types that
// were not decided. It says whether these are others than it carries, and leaves
// those alone.
func Merge(stored []metav1.Condition, decided []capipolicy.Condition, owned ...string) (merged []metav1.Condition, changed bool) {
	merged = slices.DeleteFunc(slices.Clone(stored), func(c metav1.Condition) bool {
		return slices.Contains(owned, c.Type) && !slices.ContainsFunc(decided, func(d capipolicy.Condition) bool { return d.Type == c.Type })
	})
	changed = len(merged) != len(stored)
	for _, c := range Conditions(decided) {
		changed = meta.SetStatusCondition(&merged, c) || changed
	}
	return merged, changed
}

// StoreHealthCheck puts a decision about a MachineHealthCheck into the object:
// conditions, counters, and what the actions say about its metadata.
func StoreHealthCheck(mhc *clusterv1.MachineHealthCheck, decision *capipolicy.Evaluation) {
	status := &mhc.Status
	status.Conditions, _ = Merge(status.Conditions, decision.Conditions)
	status.ExpectedMachines, status.CurrentHealthy = decision.Status.ExpectedMachines, decision.Status.CurrentHealthy
	status.RemediationsAllowed, status.Targets = decision.Status.RemediationsAllowed, decision.Status.Targets
	if generation := decision.Status.ObservedGeneration; generation != nil {
		status.ObservedGeneration = *generation
	}
	for _, action := range decision.Actions {
		switch action := action.(type) {
		case capipolicy.SetOwnerReference:
			owner := OwnerReference(action)
			mhc.OwnerReferences = append(slices.DeleteFunc(mhc.OwnerReferences, func(o metav1.OwnerReference) bool {
				return o.Kind == owner.Kind && o.Name == owner.Name
			}), owner)
		case capipolicy.AddLabel:
			metav1.SetMetaDataLabel(&mhc.ObjectMeta, action.Key, action.Value)
		}
	}
}

// Object is what an action creates or deletes; nil where it is about the
// evaluated object itself.
func Object(action capipolicy.Action) (*unstructured.Unstructured, error) {
	object := &unstructured.Unstructured{}
	switch action := action.(type) {
	case capipolicy.CreateRemediationRequest:
		return object, object.UnmarshalJSON(action.Object)
	case capipolicy.DeleteRemediationRequest:
		object.SetAPIVersion(action.APIVersion)
		object.SetKind(action.Kind)
		object.SetNamespace(action.Namespace)
		object.SetName(action.Name)
	case capipolicy.DeleteMachine:
		object.SetGroupVersionKind(clusterv1.GroupVersion.WithKind("Machine"))
		object.SetNamespace(action.Namespace)
		object.SetName(action.Name)
	case capipolicy.SetOwnerReference, capipolicy.AddLabel:
		return nil, nil
	default:
		return nil, fmt.Errorf("an action %s that this version does not know", action.Type())
	}
	return object, nil
}

// RemediationKinds are the kinds of a health check's template of external
// remediation and of the requests that are made from it; false without one.
func RemediationKinds(mhc *clusterv1.MachineHealthCheck) (template, request schema.GroupVersionKind, ok bool) {
	ref := mhc.Spec.Remediation.TemplateRef
	if !ref.IsDefined() {
		return template, request, false
	}
	template = schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind)
	return template, template.GroupVersion().WithKind(strings.TrimSuffix(ref.Kind, clusterv1.TemplateSuffix)), true
}
