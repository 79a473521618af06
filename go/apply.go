package capipolicy

import "slices"

// Reduced says what an answer of Fleet.Update left out because it is as in the
// one before.
type Reduced struct {
	// Conditions says that Evaluation.Conditions holds those that differ only.
	Conditions bool `json:"conditions"`
	// Targets says that Status.Targets was left out.
	Targets bool `json:"targets"`
	// RemovedMachines are the names of machines that were in the answer before
	// and are not any more. Evaluation.Machines holds those that differ or are
	// new only.
	RemovedMachines []string `json:"removedMachines,omitempty"`
}

// Apply makes e, a complete decision, the complete decision that an answer of
// Fleet.Update stands for, which came after e.
func (e *Evaluation) Apply(update *Evaluation) {
	if update.Reduced == nil {
		*e = *update
		return
	}
	before := *e
	*e = *update
	e.Reduced = nil
	if update.Reduced.Conditions {
		e.Conditions = replaced(before.Conditions, update.Conditions, func(c *Condition) string { return c.Type })
	}
	if update.Reduced.Targets {
		e.Status.Targets = before.Status.Targets
	}
	gone := update.Reduced.RemovedMachines
	machines := slices.DeleteFunc(slices.Clone(before.Machines), func(m MachineEvaluation) bool { return slices.Contains(gone, m.Name) })
	e.Machines = replaced(machines, update.Machines, func(m *MachineEvaluation) string { return m.Name })
}

// replaced are the elements of before with those of after in place of the ones
// with the same name, and the new ones at the end.
func replaced[T any](before, after []T, name func(*T) string) []T {
	places := make(map[string]int, len(before))
	for n := range before {
		places[name(&before[n])] = n
	}
	merged := slices.Clone(before)
	for n := range after {
		if place, ok := places[name(&after[n])]; ok {
			merged[place] = after[n]
		} else {
			merged = append(merged, after[n])
		}
	}
	return merged
}
