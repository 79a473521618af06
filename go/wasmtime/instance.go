package wasmtime

import (
	"context"
	"errors"
	"strings"

	"github.com/bytecodealliance/wasmtime-go/v44"

	"github.com/capi-policy/capi-policy/go/sandbox"
)

// instance is a store with one instance of the policy.
type instance struct {
	store     *wasmtime.Store
	running   *wasmtime.Instance
	memory    handle
	functions map[string]handle
	// view is the memory after the last call.
	view []byte
	// own is set where calls can be interrupted: the epoch that interrupts them
	// is the engine's, so each instance has an engine of its own.
	own *ownEngine
}

// ownEngine is an engine that one instance uses alone.
type ownEngine struct {
	engine *wasmtime.Engine
	code   *wasmtime.Module
}

// Instantiate implements sandbox.Module.
func (m *module) Instantiate(ctx context.Context) (sandbox.Instance, error) {
	engine, code := m.engine, m.code
	i := &instance{functions: map[string]handle{}}
	if m.limits.Interruptible {
		engine = newEngine(m.limits)
		own, err := wasmtime.NewModuleDeserialize(engine, m.serialized)
		if err != nil {
			engine.Close()
			return nil, err
		}
		code, i.own = own, &ownEngine{engine, own}
	}
	i.store = wasmtime.NewStore(engine)
	i.store.Limiter(m.limits.MemoryBytes, -1, 1, -1, 1)
	err := i.interruptible(ctx, func() (err error) {
		i.running, err = wasmtime.NewInstance(i.store, code, nil)
		return err
	})
	if err != nil {
		i.Close()
		return nil, err
	}
	memory := i.running.GetExport(i.store, "memory").Memory()
	i.memory, i.view = newHandle(memory.AsExtern()), memory.UnsafeData(i.store)
	return i, nil
}

// Call implements sandbox.Instance.
func (i *instance) Call(ctx context.Context, name string, arguments ...uint32) (uint32, error) {
	f, ok := i.functions[name]
	if !ok {
		f = newHandle(i.running.GetFunc(i.store, name).AsExtern())
		i.functions[name] = f
	}
	var result uint32
	err := i.interruptible(ctx, func() (err error) {
		result, i.view, err = call(i.store, f, i.memory, arguments)
		return err
	})
	return result, err
}

// interruptible runs code that ends early when the context ends, if that is
// wanted.
func (i *instance) interruptible(ctx context.Context, code func() error) error {
	if i.own == nil {
		return trap(code())
	}
	i.store.SetEpochDeadline(1)
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		i.own.engine.IncrementEpoch()
	})
	err := code()
	if !stop() {
		<-done // an increment that came later would hit the next call
	}
	return trap(err)
}

// Memory implements sandbox.Instance.
func (i *instance) Memory() []byte { return i.view }

// Close implements sandbox.Instance.
func (i *instance) Close() {
	i.store.Close()
	if i.own != nil {
		i.own.code.Close()
		i.own.engine.Close()
	}
}

// trap turns an error of wasmtime into a sandbox.Trap.
func trap(err error) error {
	if err == nil {
		return nil
	}
	var stopped *wasmtime.Trap
	if !errors.As(err, &stopped) {
		return err
	}
	defer stopped.Close()
	message := strings.TrimSpace(stopped.Message())
	t := &sandbox.Trap{Reason: reason(message), Backtrace: message}
	if code := stopped.Code(); code != nil {
		t.Cause = causes[*code]
	}
	return t
}

// causes are those that have a meaning for callers.
var causes = map[wasmtime.TrapCode]sandbox.Cause{
	wasmtime.Interrupt:              sandbox.Interrupted,
	wasmtime.StackOverflow:          sandbox.StackOverflow,
	wasmtime.UnreachableCodeReached: sandbox.Unreachable,
}

// reason is the last line of the runtime's message, which ends with the cause.
func reason(message string) string {
	line := message[strings.LastIndexByte(message, '\n')+1:]
	return strings.TrimPrefix(strings.TrimSpace(line), "wasm trap: ")
}
