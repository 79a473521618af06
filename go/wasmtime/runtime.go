// Package wasmtime runs policies with wasmtime, through cgo:
//
//	engine, err := capipolicy.New(capipolicy.Options{Runtime: wasmtime.Runtime{}})
//
// It is faster than the default, needs a C compiler, and brings a library for
// Linux and macOS on amd64 and arm64 and for Windows on amd64.
package wasmtime

import (
	"context"
	"fmt"

	"github.com/bytecodealliance/wasmtime-go/v44"

	"github.com/capi-policy/capi-policy/go/sandbox"
)

const pageBytes = 64 << 10

// Runtime is wasmtime.
type Runtime struct{}

// Name implements sandbox.Runtime.
func (Runtime) Name() string { return "wasmtime" }

// Compile implements sandbox.Runtime.
func (Runtime) Compile(_ context.Context, wasm []byte, limits sandbox.Limits) (sandbox.Module, error) {
	m := &module{limits: limits, engine: newEngine(limits)}
	var err error
	if m.code, m.serialized, err = compile(m.engine, wasm, limits); err != nil {
		m.Close()
		return nil, err
	}
	for _, e := range m.code.Exports() {
		if memory := e.Type().MemoryType(); memory != nil && memory.Minimum() > uint64(limits.MemoryBytes)/pageBytes {
			m.Close()
			return nil, &sandbox.MemoryError{Reason: fmt.Sprintf("%d pages from the start", memory.Minimum())}
		}
	}
	return m, nil
}

func newEngine(limits sandbox.Limits) *wasmtime.Engine {
	config := wasmtime.NewConfig()
	config.SetEpochInterruption(limits.Interruptible)
	// What the other runtime does not run is not run here.
	config.SetWasmMemory64(false)
	config.SetWasmMultiMemory(false)
	config.SetWasmRelaxedSIMD(false)
	config.SetWasmTailCall(false)
	return wasmtime.NewEngineWithConfig(config)
}

type module struct {
	limits sandbox.Limits
	engine *wasmtime.Engine
	code   *wasmtime.Module
	// serialized is compiled code, from which another engine makes a module
	// without compiling.
	serialized []byte
}

func (m *module) Functions() map[string]sandbox.Signature {
	functions := map[string]sandbox.Signature{}
	for _, e := range m.code.Exports() {
		function := e.Type().FuncType()
		if function == nil {
			continue
		}
		params, results := function.Params(), function.Results()
		signature := sandbox.Signature{Params: len(params), Results: len(results), OnlyI32: true}
		for _, ty := range append(params, results...) {
			signature.OnlyI32 = signature.OnlyI32 && ty.Kind() == wasmtime.KindI32
		}
		functions[e.Name()] = signature
	}
	return functions
}

func (m *module) HasMemory() bool {
	for _, e := range m.code.Exports() {
		if memory := e.Type().MemoryType(); e.Name() == "memory" && memory != nil {
			return !memory.Is64() && !memory.IsShared()
		}
	}
	return false
}

func (m *module) Close() error {
	if m.code != nil {
		m.code.Close()
	}
	m.engine.Close()
	return nil
}
