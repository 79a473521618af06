package capipolicy

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"

	"github.com/capi-policy/capi-policy/go/sandbox"
)

// wantVersion is the release of the WIT package capi:policy that this package
// was written for. While the major version is 0, every release with the same
// minor version is compatible.
const wantVersion = "0.1.0"

// policyModule is a compiled policy and the names of what it exports.
type policyModule struct {
	code sandbox.Module
	// known says that the module is the embedded one, of which we know that each
	// call ends and leaves nothing behind.
	known    bool
	version  string
	evaluate export
	forecast export
	catalog  export
}

// export is one function of a WIT interface.
type export struct {
	name string
	post string
}

// compile turns wasm into code and checks that it is a policy.
func compile(ctx context.Context, wasm []byte, limits Options) (*policyModule, error) {
	_, digest := embedded()
	known := sha256.Sum256(wasm) == digest
	code, err := limits.Runtime.Compile(ctx, wasm, sandbox.Limits{
		MemoryBytes: limits.MemoryBytes, Interruptible: !known, CacheDir: limits.CacheDir,
	})
	if tooMuch := (*sandbox.MemoryError)(nil); errors.As(err, &tooMuch) {
		return nil, memoryLimit(limits.MemoryBytes, nil)
	}
	if err != nil {
		return nil, &IncompatibleError{Detail: "not a WebAssembly module: " + firstLine(err.Error())}
	}
	policy, err := findExports(code, wasm)
	if err != nil {
		code.Close()
		return nil, err
	}
	policy.code, policy.known = code, known
	return policy, nil
}

func findExports(code sandbox.Module, wasm []byte) (*policyModule, error) {
	if name, ok := firstImport(wasm); ok {
		return nil, &IncompatibleError{Detail: fmt.Sprintf("a policy imports nothing, this module imports %q", name)}
	}
	functions := code.Functions()
	version := ""
	for name := range functions {
		if rest, ok := strings.CutPrefix(name, "capi:policy/json@"); ok {
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
	wanted := map[string]sandbox.Signature{
		"cabi_realloc":       {Params: 4, Results: 1, OnlyI32: true},
		policy.evaluate.name: {Params: 2, Results: 1, OnlyI32: true},
		policy.evaluate.post: {Params: 1, OnlyI32: true},
		policy.forecast.name: {Params: 4, Results: 1, OnlyI32: true},
		policy.forecast.post: {Params: 1, OnlyI32: true},
		policy.catalog.name:  {Results: 1, OnlyI32: true},
		policy.catalog.post:  {Params: 1, OnlyI32: true},
	}
	for name, want := range wanted {
		if got, ok := functions[name]; !ok || got != want {
			return nil, &IncompatibleError{Version: version, Detail: fmt.Sprintf("no function %q of the expected type", name)}
		}
	}
	if !code.HasMemory() {
		return nil, &IncompatibleError{Version: version, Detail: `no 32-bit "memory"`}
	}
	return policy, nil
}

func exportOf(iface, version, function string) export {
	name := fmt.Sprintf("capi:policy/%s@%s#%s", iface, version, function)
	return export{name: name, post: "cabi_post_" + name}
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
