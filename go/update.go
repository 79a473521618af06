package capipolicy

import (
	"slices"
	"strings"
)

// Update is a decision, and what is different from the last Update of the same
// object.
type Update struct {
	// Evaluation is the whole decision. It shares parts with those before and
	// after it: don't change it.
	*Evaluation
	// Complete says that there was no Update before, or that the fleet was filled
	// again since: everything counts as changed.
	Complete bool
	// ChangedConditions and ChangedMachines are those of the decision that are
	// new or different.
	ChangedConditions []Condition
	ChangedMachines   []*MachineEvaluation
	// RemovedMachines are the names of machines that a health check does not
	// select any more.
	RemovedMachines []string
}

// reduced is a decision as the policy gives it: what is as before is left out.
type reduced struct {
	Evaluation
	Reduced *struct {
		// Conditions says that those that are the same are left out.
		Conditions bool `json:"conditions"`
		// Targets says that Status.Targets is left out.
		Targets bool `json:"targets"`
		// RemovedMachines are gone; those that are the same are left out.
		RemovedMachines []string `json:"removedMachines"`
	} `json:"reduced"`
}

// after puts back what was left out.
func (r *reduced) after(before *Evaluation) *Update {
	u := &Update{Evaluation: &r.Evaluation, ChangedConditions: r.Conditions, ChangedMachines: r.Machines}
	if r.Reduced == nil {
		u.Complete = true
		return u
	}
	u.RemovedMachines = r.Reduced.RemovedMachines
	if r.Reduced.Conditions {
		r.Conditions = replaced(before.Conditions, r.Conditions)
	}
	if r.Reduced.Targets {
		r.Status.Targets = before.Status.Targets
	}
	r.Machines = merged(before.Machines, r.Machines, u.RemovedMachines)
	return u
}

// replaced are conditions with those that changed in place of the ones before.
func replaced(before, changed []Condition) []Condition {
	all := slices.Clone(before)
	for _, c := range changed {
		if n := slices.IndexFunc(all, func(old Condition) bool { return old.Type == c.Type }); n >= 0 {
			all[n] = c
		}
	}
	return all
}

// merged are machines, which are sorted by name, with those that changed or are
// new, and without those that are gone.
func merged(before, changed []*MachineEvaluation, gone []string) []*MachineEvaluation {
	all := slices.Clone(before)
	find := func(name string) (int, bool) {
		return slices.BinarySearchFunc(all, name, func(m *MachineEvaluation, name string) int { return strings.Compare(m.Name, name) })
	}
	for _, name := range gone {
		if n, ok := find(name); ok {
			all = slices.Delete(all, n, n+1)
		}
	}
	for _, m := range changed {
		if n, ok := find(m.Name); ok {
			all[n] = m
		} else {
			all = slices.Insert(all, n, m)
		}
	}
	return all
}
