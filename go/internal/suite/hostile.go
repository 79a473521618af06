package suite

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	capipolicy "github.com/capi-policy/capi-policy/go"
	"github.com/capi-policy/capi-policy/go/sandbox"
)

// Assemble turns WebAssembly's text format into a module.
type Assemble func(text string) ([]byte, error)

// Hostile runs modules that misbehave with a runtime. None of them is the
// embedded policy, so every check is on.
func Hostile(t *testing.T, runtime sandbox.Runtime, assemble Assemble) {
	h := hostile{runtime, assemble}
	t.Run("calls leave the engine usable", h.callsLeaveTheEngineUsable)
	t.Run("what is no policy is refused", h.whatIsNoPolicyIsRefused)
	t.Run("patch releases are accepted", h.patchReleasesAreAccepted)
	t.Run("every call has an instance of its own", h.everyCallHasAnInstanceOfItsOwn)
	t.Run("a cancelled context ends a running call", h.cancelledContextEndsARunningCall)
	t.Run("a closed engine", h.closedEngine)
	t.Run("a snapshot larger than the memory", h.snapshotLargerThanMemory)
}

type hostile struct {
	runtime  sandbox.Runtime
	assemble Assemble
}

func (h hostile) wasm(t *testing.T, text string) []byte {
	t.Helper()
	wasm, err := h.assemble(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return wasm
}

func (h hostile) load(t *testing.T, policy watPolicy, opts capipolicy.Options) *capipolicy.Engine {
	t.Helper()
	opts.Runtime = h.runtime
	engine, err := capipolicy.Load(h.wasm(t, policy.text()), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(engine.Close)
	return engine
}

// area is a result area with these three words.
func area(tag, pointer, length string) string {
	return fmt.Sprintf(`(i32.store (i32.const 16) (i32.const %s)) (i32.store (i32.const 20) (i32.const %s))
		(i32.store (i32.const 24) (i32.const %s)) (i32.const 16)`, tag, pointer, length)
}

const endlessLoop = "(loop $again (br $again))"

func (h hostile) callsLeaveTheEngineUsable(t *testing.T) {
	tests := map[string]struct {
		policy watPolicy
		want   error
	}{
		"trap":              {watPolicy{Evaluate: "(unreachable)"}, &capipolicy.TrapError{}},
		"division by zero":  {watPolicy{Evaluate: "(i32.div_u (i32.const 1) (local.get $x))"}, &capipolicy.TrapError{}},
		"load out of range": {watPolicy{Evaluate: "(i32.load (i32.const -4))"}, &capipolicy.TrapError{}},
		"endless loop":      {watPolicy{Evaluate: endlessLoop + "(i32.const 0)"}, &capipolicy.LimitError{Resource: capipolicy.LimitTime}},
		"endless recursion": {watPolicy{Evaluate: "(call $boom (local.get $ptr) (local.get $len))"}, &capipolicy.LimitError{Resource: capipolicy.LimitStack}},
		"unbounded allocation": {watPolicy{Evaluate: "(loop $again (br_if $again (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) (unreachable)"},
			&capipolicy.LimitError{Resource: capipolicy.LimitMemory}},
		"result area outside of memory":    {watPolicy{Evaluate: "(i32.const -16)"}, &capipolicy.AnswerError{}},
		"result area across the end":       {watPolicy{Evaluate: "(i32.const 131068)"}, &capipolicy.AnswerError{}},
		"result area not aligned":          {watPolicy{Evaluate: "(i32.const 17)"}, &capipolicy.AnswerError{}},
		"result with an unknown case":      {watPolicy{Evaluate: area("2", "0", "0")}, &capipolicy.AnswerError{}},
		"answer outside of memory":         {watPolicy{Evaluate: area("0", "131072", "1")}, &capipolicy.AnswerError{}},
		"answer longer than memory":        {watPolicy{Evaluate: area("0", "0", "-1")}, &capipolicy.AnswerError{}},
		"answer that wraps around":         {watPolicy{Evaluate: area("0", "-1", "2")}, &capipolicy.AnswerError{}},
		"error text outside of memory":     {watPolicy{Evaluate: area("1", "-1", "2")}, &capipolicy.AnswerError{}},
		"answer that is not UTF-8":         {watPolicy{Evaluate: "(i32.store8 (i32.const 40) (i32.const 0xff))" + area("0", "40", "1")}, &capipolicy.AnswerError{}},
		"error text that is not JSON":      {watPolicy{Evaluate: area("1", "1024", "3")}, &capipolicy.SnapshotError{Code: capipolicy.CodeOther}},
		"allocation at the end of memory":  {watPolicy{Realloc: onBoom("(i32.const 131070)")}, &capipolicy.AnswerError{}},
		"allocation outside of memory":     {watPolicy{Realloc: onBoom("(i32.const -1)")}, &capipolicy.AnswerError{}},
		"allocation traps":                 {watPolicy{Realloc: onBoom("(unreachable)")}, &capipolicy.TrapError{}},
		"allocation never ends":            {watPolicy{Realloc: onBoom(endlessLoop + "(i32.const 0)")}, &capipolicy.LimitError{Resource: capipolicy.LimitTime}},
		"post-return traps":                {watPolicy{Evaluate: area("0", "0", "0"), Post: onEmptyAnswer("(unreachable)")}, &capipolicy.TrapError{}},
		"post-return never ends":           {watPolicy{Evaluate: area("0", "0", "0"), Post: onEmptyAnswer(endlessLoop)}, &capipolicy.LimitError{Resource: capipolicy.LimitTime}},
		"post-return runs on errors, too":  {watPolicy{Evaluate: area("1", "0", "0"), Post: onEmptyAnswer("(unreachable)")}, &capipolicy.TrapError{}},
		"post-return runs on bad pointers": {watPolicy{Evaluate: area("7", "0", "0"), Post: onEmptyAnswer("(unreachable)")}, &capipolicy.TrapError{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			engine := h.load(t, test.policy, hostileOptions(test.want))
			for range 2 {
				_, err := engine.EvaluateJSON(t.Context(), []byte("boom"))
				CheckErrorType(t, err, test.want)
				answer, err := engine.EvaluateJSON(t.Context(), []byte(`{"still":"here"}`))
				if err != nil || string(answer) != `{"still":"here"}` {
					t.Fatalf("the engine is not usable afterwards: %s, %v", answer, err)
				}
			}
		})
	}
}

// hostileOptions bound a module that is expected to fail like this. Only one
// that never ends has little time: enough, on a busy machine, for the calls
// that do end.
func hostileOptions(want error) capipolicy.Options {
	opts := capipolicy.Options{Instances: 1, MemoryBytes: 4 << 20}
	if limit := (*capipolicy.LimitError)(nil); errors.As(want, &limit) && limit.Resource == capipolicy.LimitTime {
		opts.Timeout = 500 * time.Millisecond
	}
	return opts
}

// onBoom does this for the allocation of the snapshot "boom".
func onBoom(instructions string) string {
	return fmt.Sprintf(`(if (result i32) (i32.eq (local.get $len) (i32.const 4)) (then %s) (else %s))`, instructions, bumpAllocate)
}

// onEmptyAnswer does this after an answer of no bytes.
func onEmptyAnswer(instructions string) string {
	return fmt.Sprintf(`(if (i32.eqz (i32.load offset=8 (local.get $area))) (then %s))`, instructions)
}

func (h hostile) whatIsNoPolicyIsRefused(t *testing.T) {
	tests := map[string]struct {
		wasm []byte
		want error
	}{
		"not WebAssembly":            {[]byte("hello"), &capipolicy.IncompatibleError{}},
		"nothing":                    {nil, &capipolicy.IncompatibleError{}},
		"no exports":                 {[]byte("\x00asm\x01\x00\x00\x00"), &capipolicy.IncompatibleError{}},
		"no memory":                  {h.wasm(t, watPolicy{Without: "memory"}.text()), &capipolicy.IncompatibleError{Version: "0.2.0"}},
		"no cabi_realloc":            {h.wasm(t, watPolicy{Without: "cabi_realloc"}.text()), &capipolicy.IncompatibleError{Version: "0.2.0"}},
		"no evaluate":                {h.wasm(t, watPolicy{Without: "capi:policy/json@0.2.0#evaluate"}.text()), &capipolicy.IncompatibleError{Version: "0.2.0"}},
		"no post-return":             {h.wasm(t, watPolicy{Without: "cabi_post_capi:policy/json@0.2.0#evaluate"}.text()), &capipolicy.IncompatibleError{Version: "0.2.0"}},
		"no catalog":                 {h.wasm(t, watPolicy{Without: "capi:policy/json@0.2.0#catalog"}.text()), &capipolicy.IncompatibleError{Version: "0.2.0"}},
		"an import":                  {h.wasm(t, watPolicy{Extra: `(import "wasi_snapshot_preview1" "clock_time_get" (func))`}.text()), &capipolicy.IncompatibleError{}},
		"a newer minor version":      {h.wasm(t, watPolicy{Version: "0.3.0"}.text()), &capipolicy.IncompatibleError{Version: "0.3.0"}},
		"a newer major version":      {h.wasm(t, watPolicy{Version: "1.1.0"}.text()), &capipolicy.IncompatibleError{Version: "1.1.0"}},
		"a catalog of another":       {h.wasm(t, watPolicy{Catalog: `{"wit":"capi:policy@0.9.0"}`}.text()), &capipolicy.IncompatibleError{Version: "0.2.0"}},
		"a catalog that is not JSON": {h.wasm(t, watPolicy{Catalog: "hello"}.text()), &capipolicy.AnswerError{}},
		"a start that traps":         {h.wasm(t, watPolicy{Start: "(unreachable)"}.text()), &capipolicy.TrapError{}},
		"a start that never ends":    {h.wasm(t, watPolicy{Start: endlessLoop}.text()), &capipolicy.LimitError{Resource: capipolicy.LimitTime}},
		"a memory over the limit":    {h.wasm(t, watPolicy{Memory: "65"}.text()), &capipolicy.LimitError{Resource: capipolicy.LimitMemory}},
		"a 64-bit memory": {h.wasm(t, `(module (memory (export "memory") i64 1)
			(func (export "capi:policy/json@0.2.0#evaluate") (param i64 i64) (result i64) (local.get 0)))`), &capipolicy.IncompatibleError{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			opts := hostileOptions(test.want)
			opts.Runtime = h.runtime
			engine, err := capipolicy.Load(test.wasm, opts)
			if err == nil {
				engine.Close()
			}
			CheckErrorType(t, err, test.want)
		})
	}
}

func (h hostile) patchReleasesAreAccepted(t *testing.T) {
	h.load(t, watPolicy{Version: "0.2.7"}, capipolicy.Options{})
}

// A module that remembers what it was asked before: with an instance of its own
// for every call it has nothing to remember.
func (h hostile) everyCallHasAnInstanceOfItsOwn(t *testing.T) {
	engine := h.load(t, watPolicy{Evaluate: `(i32.store8 (i32.const 40) (i32.add (i32.load8_u (i32.const 40)) (i32.const 49)))` + area("0", "40", "1")},
		capipolicy.Options{Instances: 1})
	for range 3 {
		answer, err := engine.EvaluateJSON(t.Context(), []byte("boom"))
		if err != nil || string(answer) != "1" {
			t.Fatalf("got %q, %v, want 1", answer, err)
		}
	}
}

func (h hostile) cancelledContextEndsARunningCall(t *testing.T) {
	engine := h.load(t, watPolicy{Evaluate: endlessLoop + "(i32.const 0)"}, capipolicy.Options{Instances: 1})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		running := make(chan error)
		go func() {
			_, err := engine.EvaluateJSON(ctx, []byte("boom"))
			running <- err
		}()
		// Nobody else gets the only instance while it runs.
		for {
			short, done := context.WithTimeout(t.Context(), 20*time.Millisecond)
			_, err := engine.EvaluateJSON(short, []byte("fine"))
			done()
			if err == context.DeadlineExceeded {
				break
			}
		}
		cancel()
		if err := <-running; err != context.Canceled {
			t.Fatalf("got %v, want ctx.Err()", err)
		}
	})
	t.Run("deadline", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if _, err := engine.EvaluateJSON(ctx, []byte("boom")); err != context.DeadlineExceeded {
			t.Fatalf("got %v, want ctx.Err()", err)
		}
	})
	t.Run("before the call", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := engine.EvaluateJSON(ctx, []byte("fine")); err != context.Canceled {
			t.Fatalf("got %v, want ctx.Err()", err)
		}
	})
	t.Run("another call is not disturbed", func(t *testing.T) {
		engine := h.load(t, watPolicy{Evaluate: endlessLoop + "(i32.const 0)"}, capipolicy.Options{Instances: 2})
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		running := make(chan error)
		go func() {
			_, err := engine.EvaluateJSON(ctx, []byte("boom"))
			running <- err
		}()
		if _, err := engine.EvaluateJSON(t.Context(), []byte("fine")); err != nil {
			t.Fatal(err)
		}
		<-running
	})
	if _, err := engine.EvaluateJSON(t.Context(), []byte("fine")); err != nil {
		t.Fatalf("the engine is not usable afterwards: %v", err)
	}
}

func (h hostile) closedEngine(t *testing.T) {
	engine := h.load(t, watPolicy{}, capipolicy.Options{Instances: 2})
	engine.Close()
	engine.Close()
	if _, err := engine.EvaluateJSON(t.Context(), []byte("fine")); err != capipolicy.ErrClosed {
		t.Fatalf("got %v, want ErrClosed", err)
	}
}

func (h hostile) snapshotLargerThanMemory(t *testing.T) {
	engine := h.load(t, watPolicy{}, capipolicy.Options{MemoryBytes: 1 << 20})
	for _, size := range []int{1 << 20, 2 << 20} {
		_, err := engine.EvaluateJSON(t.Context(), make([]byte, size))
		CheckErrorType(t, err, &capipolicy.LimitError{Resource: capipolicy.LimitMemory})
	}
	if _, err := engine.EvaluateJSON(t.Context(), make([]byte, 512<<10)); err != nil {
		t.Fatal(err)
	}
}
