package capipolicy

import (
	"encoding/json"
	"time"
)

// OwnerAction is one decision of an owner of machines: a MachineDeployment, a
// MachineSet or a KubeadmControlPlane.
type OwnerAction struct {
	// Decision is the name of the table, Row the row that decided, and Why its
	// guard in words.
	Decision string `json:"decision"`
	Row      string `json:"row"`
	Why      string `json:"why"`
	// Steps are what the owner does, in order; none when it waits.
	Steps []OwnerStep `json:"steps,omitempty"`
	// Machines are those concerned, with the conditions that the owner sets on
	// them.
	Machines []MachineConditions `json:"machines,omitempty"`
	// Candidates are whom the choice was between, in the order in which they
	// would be taken.
	Candidates []string `json:"candidates,omitempty"`
	// Numbers are the arithmetic behind it.
	Numbers []OwnerNumber `json:"numbers,omitempty"`
	// Obstacles stand in the way, as people read them.
	Obstacles []string `json:"obstacles,omitempty"`
	// RequeueAfterMilliseconds is when the owner looks again, 0 for when
	// something changes.
	RequeueAfterMilliseconds int64 `json:"requeueAfterMilliseconds,omitempty"`
	// NextChange is the earliest moment at which time alone can change this
	// decision; nil when there is none.
	NextChange *time.Time `json:"nextChange,omitempty"`
	// Problem is what kept the owner from going on; it tries again with backoff.
	Problem string `json:"error,omitempty"`
}

// OwnerNumber is a number of an owner's arithmetic.
type OwnerNumber struct {
	Name  string `json:"name"`
	Value int64  `json:"value"`
}

// OwnerStep is something an owner does. Type says what; the fields that a type
// does not have are empty.
type OwnerStep struct {
	// Type is deleteMachine, createMachines, moveMachine, acknowledgeMove,
	// startInPlaceUpdate, moveEtcdLeadership, removeEtcdMember,
	// removePreTerminateHook, setAnnotation, removeAnnotation,
	// setLastRemediation, applyMachineSet or deleteMachineSet.
	Type string `json:"type"`
	// Machine is the machine it is about.
	Machine string `json:"machine,omitempty"`
	// Count is how many machines are made, FailureDomain where.
	Count         int64  `json:"count,omitempty"`
	FailureDomain string `json:"failureDomain,omitempty"`
	// To is the MachineSet that a machine moves to, or the member of etcd that
	// is to lead; UniqueLabel is the label of the MachineSet's machines.
	To          string `json:"to,omitempty"`
	UniqueLabel string `json:"uniqueLabel,omitempty"`
	// Member is a member of etcd that is removed.
	Member string `json:"member,omitempty"`
	// Key and Value are those of an annotation of the owner.
	Key   string `json:"key,omitempty"`
	Value string `json:"value,omitempty"`
	// Time and RetryCount are those of a remediation that is noted.
	Time       *time.Time `json:"time,omitempty"`
	RetryCount int64      `json:"retryCount,omitempty"`
	// MachineSet is one that is created, changed or deleted; "<new>" for one
	// that does not exist yet.
	MachineSet string `json:"machineSet,omitempty"`
	// Current says that the MachineSet has the wanted template, Created that it
	// is new.
	Current bool `json:"current,omitempty"`
	Created bool `json:"created,omitempty"`
	// From is the number of replicas that a MachineSet has by its spec now, or
	// the name of the member of etcd that leads.
	From json.RawMessage `json:"from,omitempty"`
	// Replicas is how many replicas a MachineSet is to have.
	Replicas int64 `json:"replicas,omitempty"`
	// Notes say why, as the planner notes it.
	Notes []string `json:"notes,omitempty"`
	// Object is what is applied: labels, annotations and specification.
	Object json.RawMessage `json:"object,omitempty"`
}
