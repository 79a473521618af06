package wasmtime_test

import (
	"os"
	"path/filepath"
	"testing"

	capipolicy "github.com/capi-policy/capi-policy/go"
	"github.com/capi-policy/capi-policy/go/wasmtime"
)

func TestDamagedCodeIsCompiledAgain(t *testing.T) {
	folder := t.TempDir()
	load := func() []byte {
		t.Helper()
		engine, err := capipolicy.New(capipolicy.Options{Runtime: wasmtime.Runtime{}, CacheDir: folder})
		if err != nil {
			t.Fatal(err)
		}
		engine.Close()
		entries, err := filepath.Glob(filepath.Join(folder, "*"))
		if err != nil || len(entries) != 1 {
			t.Fatalf("the cache has %v, %v", entries, err)
		}
		code, err := os.ReadFile(entries[0])
		if err != nil {
			t.Fatal(err)
		}
		return code
	}
	code := load()
	entries, _ := filepath.Glob(filepath.Join(folder, "*"))
	for _, damaged := range [][]byte{nil, code[:100], append(append([]byte(nil), code[:len(code)/2]...), make([]byte, len(code)-len(code)/2)...)} {
		if err := os.WriteFile(entries[0], damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if again := load(); len(again) != len(code) {
			t.Errorf("%d bytes of %d were kept", len(again), len(code))
		}
	}
}
