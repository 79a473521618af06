package capipolicy

import (
	"bytes"
	"encoding/json"
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every case of tests/cases and tests/conformance gives the bytes that the
// Rust library gives.
func TestSameBytesAsTheRustLibrary(t *testing.T) {
	engine := loadPolicy(t, Options{})
	for _, v := range vectors(t) {
		checkVector(t, engine, v)
	}
}

func TestSameBytesFrom16Goroutines(t *testing.T) {
	engine := loadPolicy(t, Options{Instances: 4})
	questions := make(chan vector)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			for v := range questions {
				checkVector(t, engine, v)
			}
		})
	}
	for _, v := range vectors(t) {
		questions <- v
	}
	close(questions)
	group.Wait()
}

func checkVector(t *testing.T, engine *Engine, v vector) {
	answer, err := engine.Evaluate(t.Context(), v.Snapshot)
	if v.Error != "" {
		var refused *SnapshotError
		if !errors.As(err, &refused) || refused.Message != v.Error {
			t.Errorf("%s: got error %v, want %s", v.ID, err, v.Error)
		}
		return
	}
	if err != nil {
		t.Errorf("%s: %v", v.ID, err)
		return
	}
	if string(answer) != string(v.Evaluation) {
		t.Errorf("%s: the answer differs (-Rust +Go):\n%s", v.ID, cmp.Diff(indent(v.Evaluation), indent(answer)))
	}
}

func indent(text []byte) string {
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", " "); err != nil {
		return string(text)
	}
	return out.String()
}
