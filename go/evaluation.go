package capipolicy

import "time"

// Evaluation is the decision about one object: everything a controller needs
// to act, and everything a person needs to understand why.
type Evaluation struct {
	// Kind, Namespace and Name are those of the object.
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Profile says which rules applied.
	Profile Profile `json:"profile"`
	// Now is the time of the evaluation.
	Now time.Time `json:"now"`
	// Conditions are those that the policy owns, complete, in the order
	// Cluster API stores them.
	Conditions []Condition `json:"conditions"`
	// Status holds counters and lists of the object's status, complete.
	Status Status `json:"status"`
	// Machines is what a health check says about each selected machine, by name.
	Machines []*MachineEvaluation `json:"machines,omitempty"`
	// MachineConditions are the conditions that a control plane decides about
	// its machines.
	MachineConditions []MachineConditions `json:"machineConditions,omitempty"`
	// Threshold is the arithmetic behind a health check's RemediationAllowed;
	// nil when nothing was checked.
	Threshold *Threshold `json:"threshold,omitempty"`
	// Actions are what the caller should do, in order.
	Actions Actions `json:"actions,omitempty"`
	// OwnerActions are what the owner of machines does next, in the order of
	// its reconcile. Cluster API's controllers carry them out, not the caller.
	OwnerActions []OwnerAction `json:"ownerActions,omitempty"`
	// Events are to be recorded.
	Events []Event `json:"events,omitempty"`
	// RequeueAfterSeconds is when the caller should evaluate again, 0 for when
	// something changes.
	RequeueAfterSeconds int64 `json:"requeueAfterSeconds,omitempty"`
	// NextChange is the earliest moment at which time alone can change this
	// decision; nil when there is none.
	NextChange *time.Time `json:"nextChange,omitempty"`
	// Problem is what kept the policy from deciding everything, as a sentence;
	// the caller retries with backoff.
	Problem string `json:"error,omitempty"`
	// Explanations say how each decision was made, if Settings.Explain was set.
	Explanations []Explanation `json:"explanations,omitempty"`
}

// RequeueAfter is RequeueAfterSeconds as controller-runtime wants it.
func (e *Evaluation) RequeueAfter() time.Duration {
	return time.Duration(e.RequeueAfterSeconds) * time.Second
}

// MachineConditions are the conditions to store on a machine of a control plane.
type MachineConditions struct {
	Name       string      `json:"name"`
	Conditions []Condition `json:"conditions"`
}

// Condition is a condition to store, with the row that decided it.
type Condition struct {
	Type               string    `json:"type"`
	Status             string    `json:"status"`
	ObservedGeneration int64     `json:"observedGeneration,omitempty"`
	LastTransitionTime time.Time `json:"lastTransitionTime"`
	Reason             string    `json:"reason"`
	Message            string    `json:"message"`
	// Row is the code of the table row that decided.
	Row string `json:"row"`
}

// Event is a Kubernetes event to record.
type Event struct {
	// Type is Normal or Warning.
	Type       string `json:"type"`
	Reason     string `json:"reason"`
	Message    string `json:"message"`
	ObjectKind string `json:"objectKind"`
	ObjectName string `json:"objectName"`
}

// Explanation says how a table came to its decision.
type Explanation struct {
	// Table is the table's code.
	Table string `json:"table"`
	// Machine is the machine it is about, where it is about one of several.
	Machine string `json:"machine,omitempty"`
	// Row is the row that decided.
	Row string `json:"row"`
	// Facts are what the guards looked at.
	Facts []Fact `json:"facts"`
	// Trace holds the rows in order up to the one that decided.
	Trace []Step `json:"trace"`
}

// Fact is something that guards look at.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Step is a row that was looked at.
type Step struct {
	Row string `json:"row"`
	// When is the row's guard in words.
	When string `json:"when"`
	// Holds says whether the guard held.
	Holds bool `json:"holds"`
}
