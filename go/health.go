package capipolicy

import "time"

// Verdict is what a health check found for one machine.
type Verdict string

const (
	// VerdictHealthy means that the health check succeeded.
	VerdictHealthy Verdict = "healthy"
	// VerdictUnhealthy means that the machine needs remediation.
	VerdictUnhealthy Verdict = "unhealthy"
	// VerdictWaiting means that a timeout is still running.
	VerdictWaiting Verdict = "waiting"
	// VerdictNotEvaluated means that the target can't be checked now.
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
	Name string `json:"name"`
	// Verdict is the result of the checks.
	Verdict Verdict `json:"verdict"`
	// Row is the row that decided the verdict.
	Row string `json:"row"`
	// Cause says why it is unhealthy; else empty.
	Cause Cause `json:"cause,omitempty"`
	// Checks are the checks that matched, each with its clock.
	Checks []MatchedCheck `json:"checks,omitempty"`
	// Since is when the check that counts began to match.
	Since *time.Time `json:"since,omitempty"`
	// Clock says what that moment is, as in machineCreated.
	Clock string `json:"clock,omitempty"`
	// Deadline is the moment at which the machine turns, or turned, unhealthy.
	Deadline *time.Time `json:"deadline,omitempty"`
	// RemediationRow is the row that decided about remediation.
	RemediationRow string `json:"remediationRow,omitempty"`
	// Conditions are the machine's conditions that the health check owns,
	// complete.
	Conditions []Condition `json:"conditions,omitempty"`
}

// MatchedCheck is one check of a health check that matched a machine.
type MatchedCheck struct {
	// On is Machine or Node for a condition, startup for the startup timeout.
	On string `json:"on"`
	// Type and Status are the condition's.
	Type   string `json:"type,omitempty"`
	Status string `json:"status,omitempty"`
	// Since is when it began to match.
	Since time.Time `json:"since"`
	// Clock says what that moment is.
	Clock string `json:"clock"`
	// TimeoutSeconds is how long it may match.
	TimeoutSeconds int64 `json:"timeoutSeconds"`
	// Deadline is the first moment at which it has matched for too long.
	Deadline time.Time `json:"deadline"`
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
