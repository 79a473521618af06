package capipolicy

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Action is something the caller should do. It is complete: nothing has to be
// looked up to carry it out. Switch on the type:
//
//	switch a := action.(type) {
//	case capipolicy.DeleteMachine:
//		…
//	}
type Action interface {
	// Type is the action's name, as in deleteMachine.
	Type() string
}

// SetOwnerReference makes another object an owner of the evaluated one.
type SetOwnerReference struct {
	Owner metav1.OwnerReference `json:"owner"`
}

// AddLabel sets a label of the evaluated object.
type AddLabel struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// CreateRemediationRequest creates a remediation request for a machine.
type CreateRemediationRequest struct {
	// Machine is the name of the machine it is for.
	Machine string `json:"machine"`
	// Object is the whole request.
	Object *unstructured.Unstructured `json:"object"`
}

// DeleteRemediationRequest deletes the remediation request of a machine.
type DeleteRemediationRequest struct {
	// Machine is the name of the machine it was for.
	Machine    string `json:"machine"`
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
}

// DeleteMachine deletes a machine that nobody owns.
type DeleteMachine struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// UnknownAction is what this version of the package has no type for.
type UnknownAction struct {
	// Name is the action's type.
	Name string
	// JSON is the whole action.
	JSON json.RawMessage
}

// Type implements Action.
func (SetOwnerReference) Type() string { return "setOwnerReference" }

// Type implements Action.
func (AddLabel) Type() string { return "addLabel" }

// Type implements Action.
func (CreateRemediationRequest) Type() string { return "createRemediationRequest" }

// Type implements Action.
func (DeleteRemediationRequest) Type() string { return "deleteRemediationRequest" }

// Type implements Action.
func (DeleteMachine) Type() string { return "deleteMachine" }

// Type implements Action.
func (a UnknownAction) Type() string { return a.Name }

// action reads any Action.
type action struct{ Action }

func (a *action) UnmarshalJSON(text []byte) error {
	var tag struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(text, &tag); err != nil {
		return err
	}
	var err error
	switch tag.Type {
	case SetOwnerReference{}.Type():
		a.Action, err = readAction[SetOwnerReference](text)
	case AddLabel{}.Type():
		a.Action, err = readAction[AddLabel](text)
	case CreateRemediationRequest{}.Type():
		a.Action, err = readAction[CreateRemediationRequest](text)
	case DeleteRemediationRequest{}.Type():
		a.Action, err = readAction[DeleteRemediationRequest](text)
	case DeleteMachine{}.Type():
		a.Action, err = readAction[DeleteMachine](text)
	default:
		a.Action = UnknownAction{Name: tag.Type, JSON: append(json.RawMessage(nil), text...)}
	}
	return err
}

func readAction[T Action](text []byte) (Action, error) {
	var a T
	err := json.Unmarshal(text, &a)
	return a, err
}

func actions(from []action) []Action {
	var to []Action
	for _, a := range from {
		to = append(to, a.Action)
	}
	return to
}
