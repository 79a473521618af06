package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/cluster-api/util/patch"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	capipolicy "github.com/capi-policy/capi-policy/go"
	"github.com/capi-policy/capi-policy/go/clusterapi"
)

// machineConditions are the conditions of a Machine that belong to its health
// check: one that the decision does not name goes away.
var machineConditions = []string{
	clusterv1.MachineHealthCheckSucceededCondition,
	clusterv1.MachineOwnerRemediatedCondition,
	clusterv1.MachineExternallyRemediatedCondition,
}

// act stores what was decided and carries out the actions. What is so already
// costs no write.
func (r *reconciler) act(ctx context.Context, mhc *clusterv1.MachineHealthCheck, decision *capipolicy.Evaluation) error {
	machines := &clusterv1.MachineList{}
	if err := r.List(ctx, machines, client.InNamespace(mhc.Namespace), client.UnsafeDisableDeepCopy); err != nil {
		return err
	}
	decided := make(map[string][]metav1.Condition, len(decision.Machines))
	for _, m := range decision.Machines {
		decided[m.Name] = clusterapi.Conditions(m.Conditions)
	}
	var errs []error
	for i := range machines.Items {
		if c, ok := decided[machines.Items[i].Name]; ok && differs(&machines.Items[i], c) {
			err := r.patch(ctx, machines.Items[i].DeepCopy(), c, machineConditions, func() {})
			errs = append(errs, client.IgnoreNotFound(err))
		}
	}
	for _, action := range decision.Actions {
		errs = append(errs, r.carryOut(ctx, action))
	}
	return errors.Join(append(errs, r.patchHealthCheck(ctx, mhc, decision))...)
}

// differs says whether a machine carries other conditions than decided.
func differs(machine *clusterv1.Machine, decided []metav1.Condition) bool {
	count := 0
	for _, t := range machineConditions {
		if conditions.Has(machine, t) {
			count++
		}
	}
	return count != len(decided) || slices.ContainsFunc(decided, func(c metav1.Condition) bool {
		stored := conditions.Get(machine, c.Type)
		return stored == nil || !conditions.HasSameState(stored, &c)
	})
}

func (r *reconciler) patchHealthCheck(ctx context.Context, mhc *clusterv1.MachineHealthCheck, decision *capipolicy.Evaluation) error {
	return r.patch(ctx, mhc, clusterapi.Conditions(decision.Conditions), nil, func() {
		status := &mhc.Status
		status.ExpectedMachines, status.CurrentHealthy = decision.Status.ExpectedMachines, decision.Status.CurrentHealthy
		status.RemediationsAllowed, status.Targets = decision.Status.RemediationsAllowed, decision.Status.Targets
		if generation := decision.Status.ObservedGeneration; generation != nil {
			status.ObservedGeneration = *generation
		}
		for _, action := range decision.Actions {
			switch action := action.(type) {
			case capipolicy.SetOwnerReference:
				mhc.OwnerReferences = util.EnsureOwnerRef(mhc.OwnerReferences, clusterapi.OwnerReference(action))
			case capipolicy.AddLabel:
				metav1.SetMetaDataLabel(&mhc.ObjectMeta, action.Key, action.Value)
			}
		}
	})
}

// patch stores conditions and what change changes. Those of the owned types that
// were not decided are removed.
func (r *reconciler) patch(ctx context.Context, o interface {
	client.Object
	conditions.Setter
}, decided []metav1.Condition, owned []string, change func()) error {
	helper, err := patch.NewHelper(o, r.Client)
	if err != nil {
		return err
	}
	types := slices.Clone(owned)
	for _, t := range owned {
		if !slices.ContainsFunc(decided, func(c metav1.Condition) bool { return c.Type == t }) {
			conditions.Delete(o, t)
		}
	}
	for _, c := range decided {
		if old := conditions.Get(o, c.Type); old == nil || !conditions.HasSameState(old, &c) {
			ctrl.LoggerFrom(ctx).Info("Condition", "object", o.GetName(), "type", c.Type, "status", c.Status, "reason", c.Reason, "message", c.Message)
		}
		conditions.Set(o, c)
		types = append(types, c.Type)
	}
	change()
	return helper.Patch(ctx, o, patch.WithOwnedConditions{Conditions: types})
}

// carryOut does what is not part of the health check itself.
func (r *reconciler) carryOut(ctx context.Context, action capipolicy.Action) error {
	switch action := action.(type) {
	case capipolicy.CreateRemediationRequest:
		request, err := clusterapi.Request(action)
		if err != nil {
			return err
		}
		return client.IgnoreAlreadyExists(r.Create(ctx, request))
	case capipolicy.DeleteRemediationRequest:
		request := &unstructured.Unstructured{}
		request.SetAPIVersion(action.APIVersion)
		request.SetKind(action.Kind)
		request.SetNamespace(action.Namespace)
		request.SetName(action.Name)
		return client.IgnoreNotFound(r.Delete(ctx, request))
	case capipolicy.DeleteMachine:
		machine := &clusterv1.Machine{ObjectMeta: metav1.ObjectMeta{Namespace: action.Namespace, Name: action.Name}}
		return client.IgnoreNotFound(r.Delete(ctx, machine))
	}
	return nil
}

// requestKind is the kind of the requests that are made from a template.
func requestKind(template clusterv1.MachineHealthCheckRemediationTemplateReference) schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(template.APIVersion, strings.TrimSuffix(template.Kind, clusterv1.TemplateSuffix))
}

// remediationObjects are a template to read and a list of requests to fill.
func remediationObjects(ref clusterv1.MachineHealthCheckRemediationTemplateReference) (*unstructured.Unstructured, *unstructured.UnstructuredList) {
	template, requests := &unstructured.Unstructured{}, &unstructured.UnstructuredList{}
	template.SetGroupVersionKind(schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind))
	kind := requestKind(ref)
	requests.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
	return template, requests
}
