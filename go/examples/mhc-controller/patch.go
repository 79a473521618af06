package main

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/cluster-api/util/patch"
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

// patch stores conditions and counters. What is so already costs no write.
func (r *reconciler) patch(ctx context.Context, s *clusterapi.MachineHealthCheckSnapshot, decision *capipolicy.Evaluation) error {
	judged := byName(decision.Machines)
	for _, machine := range s.Machines {
		m, ok := judged[machine.Name]
		if !ok {
			continue
		}
		err := r.patchConditions(ctx, machine, clusterapi.Conditions(m.Conditions), machineConditions, func() {})
		if client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	mhc := s.MachineHealthCheck
	return r.patchConditions(ctx, mhc, clusterapi.Conditions(decision.Conditions), nil, func() {
		mhc.Status.ExpectedMachines = decision.Status.ExpectedMachines
		mhc.Status.CurrentHealthy = decision.Status.CurrentHealthy
		mhc.Status.RemediationsAllowed = decision.Status.RemediationsAllowed
		mhc.Status.Targets = decision.Status.Targets
		if generation := decision.Status.ObservedGeneration; generation != nil {
			mhc.Status.ObservedGeneration = *generation
		}
	})
}

// conditioned is an object of Cluster API.
type conditioned interface {
	client.Object
	conditions.Setter
}

func (r *reconciler) patchConditions(ctx context.Context, o conditioned, decided []metav1.Condition, owned []string, change func()) error {
	helper, err := patch.NewHelper(o, r.client)
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
		conditions.Set(o, c)
		types = append(types, c.Type)
	}
	change()
	return helper.Patch(ctx, o, patch.WithOwnedConditions{Conditions: types})
}
