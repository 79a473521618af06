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
const wantVersion = "0.2.0"

// policyModule is a compiled policy and the names of what it exports.
type policyModule struct {
	code sandbox.Module
	// known says that the module is the embedded one, of which we know that each
	// call ends and leaves nothing behind.
	known   bool
	version string
	// exports are the functions of the interface json.
	exports map[string]export
}

// parameters counts the 32-bit integers that the functions of the interface json
// take: two for a text, three for one that may be missing.
var parameters = map[string]int{
	"evaluate":              2,
	"forecast":              4,
	"catalog":               0,
	"fleet-upsert":          5,
	"fleet-remove":          2,
	"fleet-replace":         4,
	"fleet-mark-complete":   2,
	"fleet-mark-incomplete": 2,
	"fleet-assume":          2,
	"fleet-observe":         4,
	"fleet-wanted":          0,
	"fleet-decidable":       0,
	"fleet-due":             2,
	"fleet-evaluate":        2,
	"fleet-update":          2,
	"fleet-forecast":        2,
	"fleet-snapshot":        2,
	"fleet-size":            0,
}

// export is one function of the WIT interface json.
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
	policy := &policyModule{version: version, exports: map[string]export{}}
	wanted := map[string]sandbox.Signature{"cabi_realloc": {Params: 4, Results: 1, OnlyI32: true}}
	for function, count := range parameters {
		export := exportOf(version, function)
		policy.exports[function] = export
		wanted[export.name] = sandbox.Signature{Params: count, Results: 1, OnlyI32: true}
		wanted[export.post] = sandbox.Signature{Params: 1, OnlyI32: true}
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

func exportOf(version, function string) export {
	name := fmt.Sprintf("capi:policy/json@%s#%s", version, function)
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
