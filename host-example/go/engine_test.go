package capipolicy

import (
	"context"
	"testing"
	"time"
)

func TestCancelledContextEndsARunningEvaluation(t *testing.T) {
	engine, err := Load(watPolicy{Evaluate: endlessLoop + "(i32.const 0)"}.wasm(t), Options{Instances: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()

	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		running := make(chan error)
		go func() {
			_, err := engine.Evaluate(ctx, []byte("boom"))
			running <- err
		}()
		waitForIdle(t, engine, 1)
		// Another call runs at the same time and is not disturbed.
		if _, err := engine.Evaluate(t.Context(), []byte("fine")); err != nil {
			t.Fatal(err)
		}
		cancel()
		if err := <-running; err != context.Canceled {
			t.Fatalf("got %v, want ctx.Err()", err)
		}
	})
	t.Run("deadline", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if _, err := engine.Evaluate(ctx, []byte("boom")); err != context.DeadlineExceeded {
			t.Fatalf("got %v, want ctx.Err()", err)
		}
	})
	t.Run("before the call", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := engine.Evaluate(ctx, []byte("fine")); err != context.Canceled {
			t.Fatalf("got %v, want ctx.Err()", err)
		}
	})
	t.Run("waiting for an instance", func(t *testing.T) {
		busy, free := context.WithCancel(t.Context())
		done := make(chan struct{}, 2)
		for range 2 {
			go func() {
				engine.Evaluate(busy, []byte("boom"))
				done <- struct{}{}
			}()
		}
		waitForIdle(t, engine, 0)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if _, err := engine.Evaluate(ctx, []byte("fine")); err != context.DeadlineExceeded {
			t.Fatalf("got %v, want ctx.Err()", err)
		}
		free()
		<-done
		<-done
	})
	if _, err := engine.Evaluate(t.Context(), []byte("fine")); err != nil {
		t.Fatalf("the engine is not usable afterwards: %v", err)
	}
}

// waitForIdle waits until this many of the engine's instances are not in use.
func waitForIdle(t *testing.T, engine *Engine, want int) {
	t.Helper()
	for len(engine.pool.slots) != want {
		if t.Context().Err() != nil {
			t.Fatal("gave up waiting")
		}
		time.Sleep(time.Millisecond)
	}
}

func TestClosedEngine(t *testing.T) {
	engine, err := Load(watPolicy{}.wasm(t), Options{Instances: 2})
	if err != nil {
		t.Fatal(err)
	}
	engine.Close()
	engine.Close()
	if _, err := engine.Evaluate(t.Context(), []byte("fine")); err != ErrClosed {
		t.Fatalf("got %v, want ErrClosed", err)
	}
}

func TestNegativeOptions(t *testing.T) {
	for _, opts := range []Options{{Instances: -1}, {MemoryBytes: -1}, {Timeout: -1}} {
		if _, err := Load(watPolicy{}.wasm(t), opts); err == nil {
			t.Errorf("%+v was accepted", opts)
		}
	}
}

func TestSnapshotLargerThanMemory(t *testing.T) {
	engine, err := Load(watPolicy{}.wasm(t), Options{MemoryBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	for _, size := range []int{1 << 20, 2 << 20} {
		_, err = engine.Evaluate(t.Context(), make([]byte, size))
		checkErrorType(t, err, &LimitError{Resource: LimitMemory})
	}
	if _, err := engine.Evaluate(t.Context(), make([]byte, 512<<10)); err != nil {
		t.Fatal(err)
	}
}
