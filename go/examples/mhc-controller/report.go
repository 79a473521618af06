package main

import (
	"context"

	"sigs.k8s.io/cluster-api/util/conditions"
	ctrl "sigs.k8s.io/controller-runtime"

	capipolicy "github.com/capi-policy/capi-policy/go"
	"github.com/capi-policy/capi-policy/go/clusterapi"
)

// report says what differs from what the objects carry, and why.
func (r *reconciler) report(ctx context.Context, s *clusterapi.MachineHealthCheckSnapshot, decision *capipolicy.Evaluation) {
	log := ctrl.LoggerFrom(ctx).WithValues("apply", r.apply)
	say := func(kind, name string, stored conditions.Getter, decided []capipolicy.Condition) {
		for _, decided := range decided {
			c := clusterapi.Condition(decided)
			if old := conditions.Get(stored, c.Type); old != nil && conditions.HasSameState(old, &c) {
				continue
			}
			log.Info("Condition", "kind", kind, "name", name,
				"type", c.Type, "status", c.Status, "reason", c.Reason, "message", c.Message, "row", decided.Row)
		}
	}
	say("MachineHealthCheck", decision.Name, s.MachineHealthCheck, decision.Conditions)
	judged := byName(decision.Machines)
	for _, machine := range s.Machines {
		if m, ok := judged[machine.Name]; ok {
			say("Machine", m.Name, machine, m.Conditions)
		}
	}
	// What the decision asks for beyond conditions is for a person, or another
	// controller, to do.
	for _, action := range decision.Actions {
		log.Info("Action", "type", action.Type(), "action", action)
	}
}

func byName(machines []capipolicy.MachineEvaluation) map[string]*capipolicy.MachineEvaluation {
	m := make(map[string]*capipolicy.MachineEvaluation, len(machines))
	for i := range machines {
		m[machines[i].Name] = &machines[i]
	}
	return m
}
