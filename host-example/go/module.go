package capipolicy

import (
	"fmt"
	"strings"

	"github.com/bytecodealliance/wasmtime-go/v39"
)

const (
	// wantVersion is the release of the WIT package capi:policy that this
	// package was written for. While the major version is 0, every release
	// with the same minor version is compatible.
	wantVersion = "0.1.0"

	wasmPageBytes = 64 << 10
)

// policyModule is a compiled policy and the names of what it exports.
type policyModule struct {
	// serialized is compiled code, from which instances are made cheaply.
	serialized []byte
	version    string
	evaluate   export
	forecast   export
	catalog    export
}

// export is one function of a WIT interface.
type export struct {
	name string
	post string
}

// signature counts the parameters and results of a core function; all of them
// are i32 in the interfaces that this package calls.
type signature struct{ params, results int }

func newConfig() *wasmtime.Config {
	config := wasmtime.NewConfig()
	config.SetEpochInterruption(true)
	return config
}

// compile turns wasm into code and checks that it is a policy.
func compile(wasm []byte, memoryLimit int64) (*policyModule, error) {
	engine := wasmtime.NewEngineWithConfig(newConfig())
	defer engine.Close()
	module, err := wasmtime.NewModule(engine, wasm)
	if err != nil {
		return nil, &IncompatibleError{Detail: "not a WebAssembly module: " + firstLine(err.Error())}
	}
	defer module.Close()
	if imports := module.Imports(); len(imports) > 0 {
		name := imports[0].Module()
		if field := imports[0].Name(); field != nil {
			name += "." + *field
		}
		return nil, &IncompatibleError{Detail: fmt.Sprintf("a policy imports nothing, this module imports %q", name)}
	}
	policy, err := findExports(module, memoryLimit)
	if err != nil {
		return nil, err
	}
	policy.serialized, err = module.Serialize()
	return policy, err
}

func findExports(module *wasmtime.Module, memoryLimit int64) (*policyModule, error) {
	types := map[string]*wasmtime.ExternType{}
	version := ""
	for _, e := range module.Exports() {
		types[e.Name()] = e.Type()
		if rest, ok := strings.CutPrefix(e.Name(), "capi:policy/json@"); ok && version == "" {
			version, _, _ = strings.Cut(rest, "#")
		}
	}
	if version == "" {
		return nil, &IncompatibleError{Detail: "no export of the interface capi:policy/json"}
	}
	if minorOf(version) != minorOf(wantVersion) {
		return nil, &IncompatibleError{Version: version, Detail: "this package runs capi:policy@" + wantVersion}
	}
	policy := &policyModule{
		version:  version,
		evaluate: exportOf("json", version, "evaluate"),
		forecast: exportOf("json", version, "forecast"),
		catalog:  exportOf("catalog", version, "json"),
	}
	functions := map[string]signature{
		"cabi_realloc":       {4, 1},
		policy.evaluate.name: {2, 1},
		policy.evaluate.post: {1, 0},
		policy.forecast.name: {4, 1},
		policy.forecast.post: {1, 0},
		policy.catalog.name:  {0, 1},
		policy.catalog.post:  {1, 0},
	}
	for name, want := range functions {
		if !want.matches(types[name]) {
			return nil, &IncompatibleError{Version: version, Detail: fmt.Sprintf("no function %q of the expected type", name)}
		}
	}
	return policy, checkMemory(types["memory"], version, memoryLimit)
}

func checkMemory(ty *wasmtime.ExternType, version string, limit int64) error {
	if ty == nil || ty.MemoryType() == nil || ty.MemoryType().Is64() || ty.MemoryType().IsShared() {
		return &IncompatibleError{Version: version, Detail: `no 32-bit "memory"`}
	}
	if ty.MemoryType().Minimum() > uint64(limit)/wasmPageBytes {
		return memoryLimit(limit, nil)
	}
	return nil
}

func exportOf(iface, version, function string) export {
	name := fmt.Sprintf("capi:policy/%s@%s#%s", iface, version, function)
	return export{name: name, post: "cabi_post_" + name}
}

func (s signature) matches(ty *wasmtime.ExternType) bool {
	if ty == nil || ty.FuncType() == nil {
		return false
	}
	params, results := ty.FuncType().Params(), ty.FuncType().Results()
	if len(params) != s.params || len(results) != s.results {
		return false
	}
	for _, value := range append(params, results...) {
		if value.Kind() != wasmtime.KindI32 {
			return false
		}
	}
	return true
}

// minorOf cuts the patch version off.
func minorOf(version string) string {
	if i := strings.LastIndexByte(version, '.'); i >= 0 {
		return version[:i]
	}
	return version
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
