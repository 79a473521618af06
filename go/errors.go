package capipolicy

import (
	"encoding/json"
	"errors"
	"fmt"
)

// ErrClosed is returned by calls on an Engine or a Fleet that was closed.
var ErrClosed = errors.New("capipolicy: closed")

// Codes of a SnapshotError.
const (
	// CodeInvalid marks a value that cannot be read; Path says where.
	CodeInvalid = "invalid"
	// CodeSyntax marks text that is not JSON.
	CodeSyntax = "syntax"
	// CodeTooLarge marks more text than the policy accepts.
	CodeTooLarge = "tooLarge"
	// CodeTooDeep marks deeper nesting than the policy accepts.
	CodeTooDeep = "tooDeep"
	// CodeNotFound marks an object that the fleet does not have.
	CodeNotFound = "notFound"
	// CodeOther marks what this version of the package has no code for.
	CodeOther = "other"
)

// SnapshotError says why a snapshot cannot be evaluated. Evaluating it again
// gives the same error; the caller keeps whatever it had.
type SnapshotError struct {
	// Code is one of the Code constants.
	Code string `json:"code"`
	// Path is where in the snapshot, as in machines[2].metadata.name.
	// It is empty unless Code is CodeInvalid.
	Path string `json:"path,omitempty"`
	// Message is the whole sentence, path included.
	Message string `json:"message"`
}

func (e *SnapshotError) Error() string { return "snapshot refused: " + e.Message }

// snapshotError reads the text that the policy gives for an error.
func snapshotError(text []byte) error {
	e := &SnapshotError{}
	if err := json.Unmarshal(text, e); err != nil || e.Message == "" {
		e = &SnapshotError{Code: CodeOther, Message: string(text)}
	}
	return e
}

// TrapError says that the policy's code failed. The instance it ran in is
// gone; the Engine stays usable.
type TrapError struct {
	// Call is the export that was called.
	Call string
	// Reason is the cause in a few words.
	Reason string
	// Backtrace is where in the module, for a bug report.
	Backtrace string
}

func (e *TrapError) Error() string { return fmt.Sprintf("policy trapped in %s: %s", e.Call, e.Reason) }

// Resources of a LimitError.
const (
	// LimitMemory is Options.MemoryBytes.
	LimitMemory = "memory"
	// LimitTime is Options.Timeout.
	LimitTime = "time"
	// LimitStack is the stack of the WebAssembly runtime.
	LimitStack = "stack"
)

// LimitError says that an evaluation needed more than the Engine allows.
type LimitError struct {
	// Resource is one of the Limit constants.
	Resource string
	// Allowed is the limit in words.
	Allowed string
	// Trap is where the policy was stopped, where it was running already.
	Trap *TrapError
}

func (e *LimitError) Error() string {
	if e.Allowed == "" {
		return fmt.Sprintf("policy exceeded its %s limit", e.Resource)
	}
	return fmt.Sprintf("policy exceeded its %s limit of %s", e.Resource, e.Allowed)
}

// Unwrap gives the trap, if there was one.
func (e *LimitError) Unwrap() error {
	if e.Trap == nil {
		return nil
	}
	return e.Trap
}

// AnswerError says that the policy answered with something that is not an
// answer: pointers outside of its memory, text that is not UTF-8, JSON of
// another shape.
type AnswerError struct {
	// Call is the export that was called.
	Call string
	// Detail is what is wrong with the answer.
	Detail string
}

func (e *AnswerError) Error() string {
	return fmt.Sprintf("policy gave no answer from %s: %s", e.Call, e.Detail)
}

// IncompatibleError says that a module is not a policy this package can run.
type IncompatibleError struct {
	// Version is the version of capi:policy that the module implements;
	// empty when it implements none.
	Version string
	// Detail is what is missing or different.
	Detail string
}

func (e *IncompatibleError) Error() string {
	if e.Version == "" {
		return "incompatible policy: " + e.Detail
	}
	return fmt.Sprintf("incompatible policy (capi:policy@%s): %s", e.Version, e.Detail)
}
