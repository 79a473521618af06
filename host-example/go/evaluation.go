package capipolicy

import (
	"encoding/json"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Evaluation is the decision about one object: everything a controller needs
// to act, and everything a person needs to understand why.
type Evaluation struct {
	// Kind, Namespace and Name are those of the object.
	Kind, Namespace, Name string
	// Profile says which rules applied.
	Profile Profile
	// Now is the time of the evaluation.
	Now metav1.Time
	// Conditions are those that the policy owns, complete, in the order
	// Cluster API stores them.
	Conditions []metav1.Condition
	// Rows maps a condition's type to the id of the table row that decided it.
	Rows map[string]string
	// Status holds counters and lists of the object's status, complete.
	Status Status
	// Machines is what a health check says about each selected machine.
	Machines []MachineEvaluation
	// Threshold is the arithmetic behind a health check's RemediationAllowed;
	// nil when nothing was judged.
	Threshold *Threshold
	// Actions are what the caller should do, in order.
	Actions []Action
	// Events are to be recorded.
	Events []Event
	// RequeueAfter is when the caller should evaluate again, 0 for when
	// something changes.
	RequeueAfter time.Duration
	// NextChange is the earliest moment at which time alone can change this
	// decision; nil when there is none.
	NextChange *metav1.Time
	// Problem is what kept the policy from deciding everything, as a sentence;
	// the caller retries with backoff.
	Problem string
	// Explanations say how each decision was made, if Settings.Explain was set.
	Explanations []Explanation
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
	// Table is the table's id.
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

// condition is a condition as the policy writes it.
type condition struct {
	metav1.Condition `json:",inline"`
	Row              string `json:"row"`
}

// UnmarshalJSON reads what Engine.Evaluate returns.
func (e *Evaluation) UnmarshalJSON(text []byte) error {
	var wire struct {
		Kind                string              `json:"kind"`
		Namespace           string              `json:"namespace"`
		Name                string              `json:"name"`
		Profile             Profile             `json:"profile"`
		Now                 metav1.Time         `json:"now"`
		Conditions          []condition         `json:"conditions"`
		Status              Status              `json:"status"`
		Machines            []MachineEvaluation `json:"machines"`
		Threshold           *Threshold          `json:"threshold"`
		Actions             []action            `json:"actions"`
		Events              []Event             `json:"events"`
		RequeueAfterSeconds int64               `json:"requeueAfterSeconds"`
		NextChange          *metav1.Time        `json:"nextChange"`
		Error               string              `json:"error"`
		Explanations        []Explanation       `json:"explanations"`
	}
	if err := json.Unmarshal(text, &wire); err != nil {
		return err
	}
	conditions, rows := split(wire.Conditions)
	*e = Evaluation{
		Kind:         wire.Kind,
		Namespace:    wire.Namespace,
		Name:         wire.Name,
		Profile:      wire.Profile,
		Now:          wire.Now,
		Conditions:   conditions,
		Rows:         rows,
		Status:       wire.Status,
		Machines:     wire.Machines,
		Threshold:    wire.Threshold,
		Actions:      actions(wire.Actions),
		Events:       wire.Events,
		RequeueAfter: time.Duration(wire.RequeueAfterSeconds) * time.Second,
		NextChange:   wire.NextChange,
		Problem:      wire.Error,
		Explanations: wire.Explanations,
	}
	return nil
}

// split parts conditions from the rows that decided them.
func split(from []condition) ([]metav1.Condition, map[string]string) {
	if len(from) == 0 {
		return nil, nil
	}
	conditions, rows := make([]metav1.Condition, 0, len(from)), make(map[string]string, len(from))
	for _, c := range from {
		conditions = append(conditions, c.Condition)
		rows[c.Type] = c.Row
	}
	return conditions, rows
}
