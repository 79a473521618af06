package wasmtime_test

import (
	"testing"

	upstream "github.com/bytecodealliance/wasmtime-go/v44"

	capipolicy "github.com/capi-policy/capi-policy/go"
	"github.com/capi-policy/capi-policy/go/internal/suite"
	"github.com/capi-policy/capi-policy/go/wasmtime"
)

func TestEmbeddedPolicy(t *testing.T) {
	suite.Run(t, func(t testing.TB, opts capipolicy.Options) *capipolicy.Engine {
		t.Helper()
		opts.Runtime = wasmtime.Runtime{}
		engine, err := capipolicy.New(opts)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(engine.Close)
		return engine
	})
}

// The same modules on both runtimes: they are written as text, which wasmtime
// can read.
func TestHostileModules(t *testing.T) {
	t.Run("wasmtime", func(t *testing.T) { suite.Hostile(t, wasmtime.Runtime{}, upstream.Wat2Wasm) })
	t.Run("wazero", func(t *testing.T) { suite.Hostile(t, nil, upstream.Wat2Wasm) })
}
