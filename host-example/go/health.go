package capipolicy

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Verdict is the judgement of one machine.
type Verdict string

const (
	// VerdictHealthy means that the health check succeeded.
	VerdictHealthy Verdict = "healthy"
	// VerdictUnhealthy means that the machine needs remediation.
	VerdictUnhealthy Verdict = "unhealthy"
	// VerdictWaiting means that a timeout is still running.
	VerdictWaiting Verdict = "waiting"
	// VerdictNotEvaluated means that the target can't be judged now.
	VerdictNotEvaluated Verdict = "notEvaluated"
	// VerdictSkipped means that the machine is selected, but kept out by an
	// annotation.
	VerdictSkipped Verdict = "skipped"
)

// Cause says why a machine is unhealthy.
type Cause string

const (
	// CauseRemediateAnnotation means that somebody asked for it.
	CauseRemediateAnnotation Cause = "RemediateAnnotation"
	// CauseNodeStartupTimeout means that no Node came in time.
	CauseNodeStartupTimeout Cause = "NodeStartupTimeout"
	// CauseNodeNotFound means that the Node is gone.
	CauseNodeNotFound Cause = "NodeNotFound"
	// CauseUnhealthyCondition is a condition of the Machine or the Node.
	CauseUnhealthyCondition Cause = "UnhealthyCondition"
)

// MachineEvaluation is what a health check says about one selected machine.
type MachineEvaluation struct {
	// Name is the machine's name.
	Name string
	// Verdict is the judgement.
	Verdict Verdict
	// Row is the row that judged.
	Row string
	// Cause says why it is unhealthy; else empty.
	Cause Cause
	// Checks are the checks that matched, each with its clock.
	Checks []MatchedCheck
	// Since is when the check that counts began to match.
	Since *metav1.Time
	// Clock says what that moment is, as in machineCreated.
	Clock string
	// Deadline is the moment at which the machine turns, or turned, unhealthy.
	Deadline *metav1.Time
	// RemediationRow is the row that decided about remediation.
	RemediationRow string
	// Conditions are the machine's conditions that the health check owns,
	// complete.
	Conditions []metav1.Condition
	// Rows maps a condition's type to the row that decided it.
	Rows map[string]string
}

// MatchedCheck is one check of a health check that matched a machine.
type MatchedCheck struct {
	// On is Machine or Node for a condition, startup for the startup timeout.
	On string `json:"on"`
	// Type and Status are the condition's.
	Type   string `json:"type,omitempty"`
	Status string `json:"status,omitempty"`
	// Since is when it began to match.
	Since metav1.Time `json:"since"`
	// Clock says what that moment is.
	Clock string `json:"clock"`
	// TimeoutSeconds is how long it may match.
	TimeoutSeconds int64 `json:"timeoutSeconds"`
	// Deadline is the first moment at which it has matched for too long.
	Deadline metav1.Time `json:"deadline"`
	// Expired says whether that moment has come.
	Expired bool `json:"expired"`
}

// Threshold is the arithmetic behind RemediationAllowed.
type Threshold struct {
	// Targets are the machines that count; the next four say how they are.
	Targets      int64 `json:"targets"`
	Healthy      int64 `json:"healthy"`
	Waiting      int64 `json:"waiting"`
	Unhealthy    int64 `json:"unhealthy"`
	NotEvaluated int64 `json:"notEvaluated"`
	// Counted is the number compared with the limit: targets that are not
	// healthy.
	Counted int64 `json:"counted"`
	// Min is the smallest number at which remediation is allowed, for a range.
	Min *int64 `json:"min,omitempty"`
	// Limit is the largest number at which remediation is allowed.
	Limit int64 `json:"limit"`
	// Source is the field the limit came from, or default.
	Source string `json:"source"`
	// Configured is the limit as it was written.
	Configured string `json:"configured"`
	// Allowed says whether remediation is allowed.
	Allowed bool `json:"allowed"`
	// Flips is what would turn that around, as a sentence.
	Flips string `json:"flips"`
}

// UnmarshalJSON reads an element of an evaluation's machines.
func (m *MachineEvaluation) UnmarshalJSON(text []byte) error {
	var wire struct {
		Name           string         `json:"name"`
		Verdict        Verdict        `json:"verdict"`
		Row            string         `json:"row"`
		Cause          Cause          `json:"cause"`
		Checks         []MatchedCheck `json:"checks"`
		Since          *metav1.Time   `json:"since"`
		Clock          string         `json:"clock"`
		Deadline       *metav1.Time   `json:"deadline"`
		RemediationRow string         `json:"remediationRow"`
		Conditions     []condition    `json:"conditions"`
	}
	if err := json.Unmarshal(text, &wire); err != nil {
		return err
	}
	conditions, rows := split(wire.Conditions)
	*m = MachineEvaluation{
		Name:           wire.Name,
		Verdict:        wire.Verdict,
		Row:            wire.Row,
		Cause:          wire.Cause,
		Checks:         wire.Checks,
		Since:          wire.Since,
		Clock:          wire.Clock,
		Deadline:       wire.Deadline,
		RemediationRow: wire.RemediationRow,
		Conditions:     conditions,
		Rows:           rows,
	}
	return nil
}
