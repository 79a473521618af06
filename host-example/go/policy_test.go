package capipolicy

import (
	"bufio"
	"encoding/json"
	"os"
	"sync"
	"testing"
)

const (
	policyPath  = "../../dist/capi_policy.core.wasm"
	vectorsPath = "../../target/vectors.jsonl"
)

// compilePolicy compiles the policy as it ships, once for all tests.
var compilePolicy = sync.OnceValues(func() (*policyModule, error) {
	wasm, err := os.ReadFile(policyPath)
	if err != nil {
		return nil, err
	}
	return compile(wasm, DefaultMemoryBytes)
})

// loadPolicy is Load without compiling again; Example goes through Load.
func loadPolicy(t testing.TB, opts Options) *Engine {
	t.Helper()
	policy, err := compilePolicy()
	if err != nil {
		t.Fatalf("%v; `cargo xtask artifact` makes it", err)
	}
	limits, err := opts.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	engine := &Engine{pool: newPool(policy, limits)}
	t.Cleanup(engine.Close)
	return engine
}

// vector is a question and the answer of the Rust library.
type vector struct {
	ID         string          `json:"id"`
	Snapshot   json.RawMessage `json:"snapshot"`
	Evaluation json.RawMessage `json:"evaluation"`
	Error      string          `json:"error"`
}

var readVectors = sync.OnceValues(func() ([]vector, error) {
	file, err := os.Open(vectorsPath)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	var vectors []vector
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return nil, err
		}
		vectors = append(vectors, v)
	}
	return vectors, lines.Err()
})

func vectors(t testing.TB) []vector {
	t.Helper()
	vectors, err := readVectors()
	if err != nil {
		t.Fatalf("%v; `cargo xtask vectors` makes it", err)
	}
	if len(vectors) < 1000 {
		t.Fatalf("only %d questions in %s", len(vectors), vectorsPath)
	}
	return vectors
}
