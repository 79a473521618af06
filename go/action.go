package capipolicy

import "encoding/json"

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
	Owner OwnerReference `json:"owner"`
}

// OwnerReference is an entry of metadata.ownerReferences.
type OwnerReference struct {
	APIVersion         string `json:"apiVersion"`
	Kind               string `json:"kind"`
	Name               string `json:"name"`
	UID                string `json:"uid"`
	Controller         *bool  `json:"controller,omitempty"`
	BlockOwnerDeletion *bool  `json:"blockOwnerDeletion,omitempty"`
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
	Object json.RawMessage `json:"object"`
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

// Actions are read from JSON by their type.
type Actions []Action

// UnmarshalJSON reads the actions of an evaluation.
func (a *Actions) UnmarshalJSON(text []byte) error {
	var all []json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	*a = make(Actions, 0, len(all))
	for _, one := range all {
		action, err := readAction(one)
		if err != nil {
			return err
		}
		*a = append(*a, action)
	}
	return nil
}

func readAction(text []byte) (Action, error) {
	var tag struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(text, &tag); err != nil {
		return nil, err
	}
	switch tag.Type {
	case SetOwnerReference{}.Type():
		return read[SetOwnerReference](text)
	case AddLabel{}.Type():
		return read[AddLabel](text)
	case CreateRemediationRequest{}.Type():
		return read[CreateRemediationRequest](text)
	case DeleteRemediationRequest{}.Type():
		return read[DeleteRemediationRequest](text)
	case DeleteMachine{}.Type():
		return read[DeleteMachine](text)
	}
	return UnknownAction{Name: tag.Type, JSON: append(json.RawMessage(nil), text...)}, nil
}

func read[T Action](text []byte) (Action, error) {
	var a T
	err := json.Unmarshal(text, &a)
	return a, err
}
