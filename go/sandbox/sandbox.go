// Package sandbox is what a WebAssembly runtime does for package capipolicy.
// There are two runtimes: wazero, which needs no cgo and is the default, and
// wasmtime in the module github.com/capi-policy/capi-policy/go/wasmtime.
package sandbox

import "context"

// Runtime compiles modules.
type Runtime interface {
	// Name is the name of the runtime, as in wazero.
	Name() string
	// Compile compiles a module. The error is a *MemoryError if the module
	// wants more memory from the start than the limits allow.
	Compile(ctx context.Context, wasm []byte, limits Limits) (Module, error)
}

// Limits are what the instances of a module may use.
type Limits struct {
	// MemoryBytes bounds the memory of each instance.
	MemoryBytes int64
	// Interruptible makes the end of a call's context end the call. Both
	// runtimes pay for it in every loop and every function of the module.
	Interruptible bool
	// CacheDir is where compiled code is kept between processes; empty for
	// nowhere.
	CacheDir string
}

// Module is compiled code. It is safe for concurrent use.
type Module interface {
	// Functions are the exported functions.
	Functions() map[string]Signature
	// HasMemory says whether a 32-bit memory is exported under the name memory.
	HasMemory() bool
	// Instantiate makes an instance, whose start function, if there is one, has
	// run.
	Instantiate(ctx context.Context) (Instance, error)
	// Close frees the code. No instance is used afterwards.
	Close() error
}

// Signature counts the parameters and results of a function.
type Signature struct {
	Params, Results int
	// OnlyI32 says that all of them are 32-bit integers.
	OnlyI32 bool
}

// Instance is a running module. It serves one call at a time.
type Instance interface {
	// Call calls an exported function of 32-bit integers. The result is 0 where
	// the function has none. The error is a *Trap.
	Call(ctx context.Context, function string, arguments ...uint32) (uint32, error)
	// Memory is the memory as it is now; the next call may move it.
	Memory() []byte
	// Close frees the instance.
	Close()
}

// Cause says why code was stopped.
type Cause int

const (
	// Other is everything that has no cause of its own, as a division by zero.
	Other Cause = iota
	// Unreachable is how compiled languages abort: panics and failed
	// allocations among others.
	Unreachable
	// StackOverflow means that calls were nested too deeply.
	StackOverflow
	// Interrupted means that the context of the call ended.
	Interrupted
)

// Trap says that code was stopped. The instance is not used again.
type Trap struct {
	Cause Cause
	// Reason is the cause in a few words.
	Reason string
	// Backtrace is where in the module.
	Backtrace string
}

func (t *Trap) Error() string { return t.Reason }

// MemoryError says that a module wants too much memory from the start.
type MemoryError struct{ Reason string }

func (e *MemoryError) Error() string { return e.Reason }
