package capipolicy

import (
	"errors"
	"sync"
	"testing"
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
		t.Errorf("%s:\n got %s\nwant %s", v.ID, answer, v.Evaluation)
	}
}
