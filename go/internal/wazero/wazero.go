// Package wazero runs policies with wazero, which needs no cgo.
package wazero

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/sys"

	"github.com/capi-policy/capi-policy/go/sandbox"
)

const (
	pageBytes = 64 << 10
	// maxPages is what 32 bits can address.
	maxPages = 1 << 16
)

// Runtime is wazero. It compiles to machine code on amd64 and arm64 and
// interprets elsewhere.
type Runtime struct{}

// Name implements sandbox.Runtime.
func (Runtime) Name() string { return "wazero" }

// Compile implements sandbox.Runtime.
func (Runtime) Compile(ctx context.Context, wasm []byte, limits sandbox.Limits) (sandbox.Module, error) {
	config := wazero.NewRuntimeConfig().
		WithMemoryLimitPages(uint32(min(limits.MemoryBytes/pageBytes, maxPages))).
		WithCloseOnContextDone(limits.Interruptible).
		WithDebugInfoEnabled(false)
	var cache wazero.CompilationCache
	if limits.CacheDir != "" {
		var err error
		if cache, err = wazero.NewCompilationCacheWithDir(limits.CacheDir); err != nil {
			return nil, fmt.Errorf("cache of compiled code: %w", err)
		}
		config = config.WithCompilationCache(cache)
	}
	m := &module{runtime: wazero.NewRuntimeWithConfig(ctx, config), cache: cache}
	var err error
	workers := experimental.WithCompilationWorkers(ctx, runtime.GOMAXPROCS(0))
	if m.code, err = m.runtime.CompileModule(workers, wasm); err != nil {
		m.Close()
		if strings.Contains(err.Error(), "pages") && strings.Contains(err.Error(), "over limit of") {
			return nil, &sandbox.MemoryError{Reason: err.Error()}
		}
		return nil, err
	}
	return m, nil
}

type module struct {
	runtime wazero.Runtime
	cache   wazero.CompilationCache
	code    wazero.CompiledModule
}

func (m *module) Functions() map[string]sandbox.Signature {
	functions := map[string]sandbox.Signature{}
	for name, function := range m.code.ExportedFunctions() {
		signature := sandbox.Signature{Params: len(function.ParamTypes()), Results: len(function.ResultTypes()), OnlyI32: true}
		for _, ty := range append(function.ParamTypes(), function.ResultTypes()...) {
			signature.OnlyI32 = signature.OnlyI32 && ty == api.ValueTypeI32
		}
		functions[name] = signature
	}
	return functions
}

func (m *module) HasMemory() bool {
	_, ok := m.code.ExportedMemories()["memory"]
	return ok
}

func (m *module) Instantiate(ctx context.Context) (sandbox.Instance, error) {
	// No name, so that there may be many; no start function but the module's own.
	running, err := m.runtime.InstantiateModule(ctx, m.code, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return nil, trap(ctx, err)
	}
	return &instance{module: running, functions: map[string]api.Function{}}, nil
}

func (m *module) Close() error {
	err := m.runtime.Close(context.Background())
	if m.cache != nil {
		err = errors.Join(err, m.cache.Close(context.Background()))
	}
	return err
}

type instance struct {
	module api.Module
	// functions are those called before: each has a stack of its own.
	functions map[string]api.Function
	stack     [8]uint64
}

func (i *instance) Call(ctx context.Context, name string, arguments ...uint32) (uint32, error) {
	function, ok := i.functions[name]
	if !ok {
		function = i.module.ExportedFunction(name)
		i.functions[name] = function
	}
	i.stack[0] = 0
	for n, argument := range arguments {
		i.stack[n] = uint64(argument)
	}
	if err := function.CallWithStack(ctx, i.stack[:]); err != nil {
		return 0, trap(ctx, err)
	}
	return uint32(i.stack[0]), nil
}

func (i *instance) Memory() []byte {
	memory := i.module.Memory()
	view, _ := memory.Read(0, memory.Size())
	return view
}

func (i *instance) Close() { i.module.Close(context.Background()) }

// trap turns an error of wazero, which has no types for them, into ours.
func trap(ctx context.Context, err error) error {
	if exit := (*sys.ExitError)(nil); errors.As(err, &exit) && ctx.Err() != nil {
		return &sandbox.Trap{Cause: sandbox.Interrupted, Reason: "interrupted", Backtrace: err.Error()}
	}
	first, rest, _ := strings.Cut(err.Error(), "\n")
	first = strings.TrimSuffix(strings.TrimPrefix(first, "wasm error: "), " (recovered by wazero)")
	t := &sandbox.Trap{Reason: first, Backtrace: strings.TrimSpace(rest)}
	switch {
	case strings.HasSuffix(first, "stack overflow"):
		t.Cause = sandbox.StackOverflow
	case strings.HasSuffix(first, "unreachable"):
		t.Cause = sandbox.Unreachable
	}
	return t
}
