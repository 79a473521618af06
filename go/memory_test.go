package capipolicy

import (
	"bytes"
	"testing"
)

// snapshot is a Machine in deletion.
const snapshot = `{"now":"2025-06-01T12:00:00Z","machine":{"metadata":{"name":"m1","namespace":"default","deletionTimestamp":"2025-06-01T11:00:00Z"}}}`

func TestMemoryStaysFlatOver100000Evaluations(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	engine := newEngine(t)
	evaluate := func(times int) {
		for i := range times {
			if _, err := engine.EvaluateJSON(t.Context(), []byte(snapshot)); err != nil {
				t.Fatal(err)
			}
			if i%10 == 0 {
				if _, err := engine.EvaluateJSON(t.Context(), []byte(`{"now":"yesterday"}`)); err == nil {
					t.Fatal("no error")
				}
			}
		}
	}
	evaluate(1_000)
	before := idleMemory(engine)
	evaluate(100_000)
	if after := idleMemory(engine); after != before || after == 0 {
		t.Errorf("the policy's memory grew from %d to %d bytes", before, after)
	}
}

func TestLargeInstancesAreNotKept(t *testing.T) {
	engine := newEngine(t)
	large := append([]byte(snapshot), bytes.Repeat([]byte(" "), 39<<20)...)
	for _, text := range [][]byte{large, []byte(snapshot)} {
		if _, err := engine.EvaluateJSON(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	if size := idleMemory(engine); size > idleMemoryBytes {
		t.Errorf("an idle instance keeps %d bytes", size)
	}
}

func TestNegativeOptions(t *testing.T) {
	for _, opts := range []Options{{Instances: -1}, {MemoryBytes: -1}, {Timeout: -1}} {
		if _, err := New(opts); err == nil {
			t.Errorf("%+v was accepted", opts)
		}
	}
}

func newEngine(t *testing.T) *Engine {
	t.Helper()
	engine, err := New(Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(engine.Close)
	return engine
}

// idleMemory is the size of the only instance's memory, 0 without an instance.
func idleMemory(engine *Engine) int {
	i := <-engine.pool.slots
	defer func() { engine.pool.slots <- i }()
	if i == nil {
		return 0
	}
	return len(i.wasm.Memory())
}
