package capipolicy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bytecodealliance/wasmtime-go/v39"
)

// watPolicy is a module with every export of a policy. It answers each
// snapshot "boom" with the instructions in Evaluate, and every other one with
// the same text, so a test sees whether the engine survived.
type watPolicy struct {
	// Evaluate has locals $ptr and $len and leaves a pointer to a result area
	// on the stack. The area at 16 is free to use.
	Evaluate string
	// Realloc has locals $old, $old_len, $align, $len and leaves a pointer.
	Realloc string
	// Post has the local $area.
	Post string
	// Start runs when an instance is made.
	Start string
	// Memory are the limits of the memory, in pages.
	Memory string
	// Version is the one in the export names.
	Version string
	// Catalog is what catalog#json answers.
	Catalog string
	// Without leaves out the export of this name.
	Without string
	// Extra is put at the start of the module.
	Extra string
}

const bumpAllocate = `
	(global.set $bump (i32.const 65536))
	(if (i32.gt_u (i32.add (i32.const 65536) (local.get $len)) (i32.mul (memory.size) (i32.const 65536)))
		(then (if (i32.eq (memory.grow (i32.shr_u (i32.add (local.get $len) (i32.const 65535)) (i32.const 16))) (i32.const -1))
			(then (unreachable)))))
	(global.get $bump)`

func (p watPolicy) wasm(t *testing.T) []byte {
	t.Helper()
	def := func(value *string, otherwise string) {
		if *value == "" {
			*value = otherwise
		}
	}
	def(&p.Evaluate, "(call $echo (local.get $ptr) (local.get $len))")
	def(&p.Realloc, bumpAllocate)
	def(&p.Memory, "2")
	def(&p.Version, "0.1.0")
	def(&p.Catalog, fmt.Sprintf(`{"wit":"capi:policy@%s"}`, p.Version))
	start := ""
	if p.Start != "" {
		start = fmt.Sprintf("(func $start (local $x i32) %s) (start $start)", p.Start)
	}
	export := func(name string) string {
		if name == p.Without {
			return ""
		}
		return fmt.Sprintf("(export %q)", name)
	}
	json, catalog := "capi:policy/json@"+p.Version, "capi:policy/catalog@"+p.Version
	wat := fmt.Sprintf(`(module %s
		(memory %s %s)
		(global $bump (mut i32) (i32.const 65536))
		(data (i32.const 1024) %q)
		%s
		(func $echo (param $ptr i32) (param $len i32) (result i32)
			(i32.store (i32.const 16) (i32.const 0))
			(i32.store (i32.const 20) (local.get $ptr))
			(i32.store (i32.const 24) (local.get $len))
			(i32.const 16))
		(func $boom (param $ptr i32) (param $len i32) (result i32) (local $x i32) %s)
		(func %s (param $old i32) (param $old_len i32) (param $align i32) (param $len i32) (result i32) %s)
		(func %s (param $ptr i32) (param $len i32) (result i32)
			(if (result i32) (i32.eq (i32.load (local.get $ptr)) (i32.const 0x6d6f6f62))
				(then (call $boom (local.get $ptr) (local.get $len)))
				(else (call $echo (local.get $ptr) (local.get $len)))))
		(func %s (param $area i32) %s)
		(func %s (param i32 i32 i32 i32) (result i32) (unreachable))
		(func %s (param i32))
		(func %s (result i32)
			(i32.store (i32.const 16) (i32.const 1024))
			(i32.store (i32.const 20) (i32.const %d))
			(i32.const 16))
		(func %s (param i32)))`,
		p.Extra, export("memory"), p.Memory, p.Catalog, start, p.Evaluate,
		export("cabi_realloc"), p.Realloc,
		export(json+"#evaluate"), export("cabi_post_"+json+"#evaluate"), p.Post,
		export(json+"#forecast"), export("cabi_post_"+json+"#forecast"),
		export(catalog+"#json"), len(p.Catalog), export("cabi_post_"+catalog+"#json"))
	wasm, err := wasmtime.Wat2Wasm(strings.ReplaceAll(wat, `\"`, `\22`))
	if err != nil {
		t.Fatalf("%v\n%s", err, wat)
	}
	return wasm
}

// area is a result area with these three words.
func area(tag, pointer, length string) string {
	return fmt.Sprintf(`(i32.store (i32.const 16) (i32.const %s)) (i32.store (i32.const 20) (i32.const %s))
		(i32.store (i32.const 24) (i32.const %s)) (i32.const 16)`, tag, pointer, length)
}

const endlessLoop = "(loop $again (br $again))"

func TestHostileCallsLeaveTheEngineUsable(t *testing.T) {
	tests := map[string]struct {
		policy watPolicy
		want   error
	}{
		"trap":              {watPolicy{Evaluate: "(unreachable)"}, &TrapError{}},
		"division by zero":  {watPolicy{Evaluate: "(i32.div_u (i32.const 1) (local.get $x))"}, &TrapError{}},
		"load out of range": {watPolicy{Evaluate: "(i32.load (i32.const -4))"}, &TrapError{}},
		"endless loop":      {watPolicy{Evaluate: endlessLoop + "(i32.const 0)"}, &LimitError{Resource: LimitTime}},
		"endless recursion": {watPolicy{Evaluate: "(call $boom (local.get $ptr) (local.get $len))"}, &LimitError{Resource: LimitStack}},
		"unbounded allocation": {watPolicy{Evaluate: "(loop $again (br_if $again (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) (unreachable)"},
			&LimitError{Resource: LimitMemory}},
		"result area outside of memory":    {watPolicy{Evaluate: "(i32.const -16)"}, &AnswerError{}},
		"result area across the end":       {watPolicy{Evaluate: "(i32.const 131068)"}, &AnswerError{}},
		"result area not aligned":          {watPolicy{Evaluate: "(i32.const 17)"}, &AnswerError{}},
		"result with an unknown case":      {watPolicy{Evaluate: area("2", "0", "0")}, &AnswerError{}},
		"answer outside of memory":         {watPolicy{Evaluate: area("0", "131072", "1")}, &AnswerError{}},
		"answer longer than memory":        {watPolicy{Evaluate: area("0", "0", "-1")}, &AnswerError{}},
		"answer that wraps around":         {watPolicy{Evaluate: area("0", "-1", "2")}, &AnswerError{}},
		"error text outside of memory":     {watPolicy{Evaluate: area("1", "-1", "2")}, &AnswerError{}},
		"answer that is not UTF-8":         {watPolicy{Evaluate: "(i32.store8 (i32.const 40) (i32.const 0xff))" + area("0", "40", "1")}, &AnswerError{}},
		"error text that is not JSON":      {watPolicy{Evaluate: area("1", "1024", "3")}, &SnapshotError{Code: CodeOther}},
		"allocation at the end of memory":  {watPolicy{Realloc: onBoom("(i32.const 131070)")}, &AnswerError{}},
		"allocation outside of memory":     {watPolicy{Realloc: onBoom("(i32.const -1)")}, &AnswerError{}},
		"allocation traps":                 {watPolicy{Realloc: onBoom("(unreachable)")}, &TrapError{}},
		"allocation never ends":            {watPolicy{Realloc: onBoom(endlessLoop + "(i32.const 0)")}, &LimitError{Resource: LimitTime}},
		"post-return traps":                {watPolicy{Evaluate: area("0", "0", "0"), Post: onEmptyAnswer("(unreachable)")}, &TrapError{}},
		"post-return never ends":           {watPolicy{Evaluate: area("0", "0", "0"), Post: onEmptyAnswer(endlessLoop)}, &LimitError{Resource: LimitTime}},
		"post-return runs on errors, too":  {watPolicy{Evaluate: area("1", "0", "0"), Post: onEmptyAnswer("(unreachable)")}, &TrapError{}},
		"post-return runs on bad pointers": {watPolicy{Evaluate: area("7", "0", "0"), Post: onEmptyAnswer("(unreachable)")}, &TrapError{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			engine, err := Load(test.policy.wasm(t), Options{Instances: 1, MemoryBytes: 4 << 20, Timeout: 50 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			defer engine.Close()
			for range 3 {
				_, err = engine.Evaluate(t.Context(), []byte("boom"))
				checkErrorType(t, err, test.want)
				answer, err := engine.Evaluate(t.Context(), []byte(`{"still":"here"}`))
				if err != nil || string(answer) != `{"still":"here"}` {
					t.Fatalf("the engine is not usable afterwards: %s, %v", answer, err)
				}
			}
		})
	}
}

// onBoom does this for the allocation of the snapshot "boom".
func onBoom(instructions string) string {
	return fmt.Sprintf(`(if (result i32) (i32.eq (local.get $len) (i32.const 4)) (then %s) (else %s))`, instructions, bumpAllocate)
}

// onEmptyAnswer does this after an answer of no bytes.
func onEmptyAnswer(instructions string) string {
	return fmt.Sprintf(`(if (i32.eqz (i32.load offset=8 (local.get $area))) (then %s))`, instructions)
}

func TestLoadRefusesWhatIsNoPolicy(t *testing.T) {
	tests := map[string]struct {
		wasm []byte
		want error
	}{
		"not WebAssembly":            {[]byte("hello"), &IncompatibleError{}},
		"nothing":                    {nil, &IncompatibleError{}},
		"no exports":                 {[]byte("\x00asm\x01\x00\x00\x00"), &IncompatibleError{}},
		"no memory":                  {watPolicy{Without: "memory"}.wasm(t), &IncompatibleError{Version: "0.1.0"}},
		"no cabi_realloc":            {watPolicy{Without: "cabi_realloc"}.wasm(t), &IncompatibleError{Version: "0.1.0"}},
		"no evaluate":                {watPolicy{Without: "capi:policy/json@0.1.0#evaluate"}.wasm(t), &IncompatibleError{Version: "0.1.0"}},
		"no post-return":             {watPolicy{Without: "cabi_post_capi:policy/json@0.1.0#evaluate"}.wasm(t), &IncompatibleError{Version: "0.1.0"}},
		"no catalog":                 {watPolicy{Without: "capi:policy/catalog@0.1.0#json"}.wasm(t), &IncompatibleError{Version: "0.1.0"}},
		"an import":                  {watPolicy{Extra: `(import "wasi_snapshot_preview1" "clock_time_get" (func))`}.wasm(t), &IncompatibleError{}},
		"a newer minor version":      {watPolicy{Version: "0.2.0"}.wasm(t), &IncompatibleError{Version: "0.2.0"}},
		"a newer major version":      {watPolicy{Version: "1.1.0"}.wasm(t), &IncompatibleError{Version: "1.1.0"}},
		"a catalog of another":       {watPolicy{Catalog: `{"wit":"capi:policy@0.9.0"}`}.wasm(t), &IncompatibleError{Version: "0.1.0"}},
		"a catalog that is not JSON": {watPolicy{Catalog: "hello"}.wasm(t), &AnswerError{}},
		"a start that traps":         {watPolicy{Start: "(unreachable)"}.wasm(t), &TrapError{}},
		"a start that never ends":    {watPolicy{Start: endlessLoop}.wasm(t), &LimitError{Resource: LimitTime}},
		"a memory over the limit":    {watPolicy{Memory: "65"}.wasm(t), &LimitError{Resource: LimitMemory}},
		"a 64-bit memory": {mustWat(t, `(module (memory (export "memory") i64 1)
			(func (export "capi:policy/json@0.1.0#evaluate") (param i64 i64) (result i64) (local.get 0)))`), &IncompatibleError{Version: "0.1.0"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			engine, err := Load(test.wasm, Options{Instances: 1, MemoryBytes: 4 << 20, Timeout: 50 * time.Millisecond})
			if err == nil {
				engine.Close()
			}
			checkErrorType(t, err, test.want)
		})
	}
}

func TestLoadAcceptsPatchReleases(t *testing.T) {
	engine, err := Load(watPolicy{Version: "0.1.7"}.wasm(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	engine.Close()
}

func mustWat(t *testing.T, wat string) []byte {
	t.Helper()
	wasm, err := wasmtime.Wat2Wasm(wat)
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

// checkErrorType checks the type that errors.As finds, and the fields that
// callers decide by.
func checkErrorType(t *testing.T, err, want error) {
	t.Helper()
	same := false
	switch want := want.(type) {
	case *TrapError:
		var trap *TrapError
		var limit *LimitError
		same = errors.As(err, &trap) && !errors.As(err, &limit) && trap.Reason != "" && trap.Call != ""
	case *LimitError:
		var limit *LimitError
		same = errors.As(err, &limit) && limit.Resource == want.Resource
	case *AnswerError:
		var answer *AnswerError
		same = errors.As(err, &answer) && answer.Call != "" && answer.Detail != ""
	case *SnapshotError:
		var snapshot *SnapshotError
		same = errors.As(err, &snapshot) && snapshot.Code == want.Code && snapshot.Path == want.Path
	case *IncompatibleError:
		var incompatible *IncompatibleError
		same = errors.As(err, &incompatible) && incompatible.Version == want.Version && incompatible.Detail != ""
	}
	if !same {
		t.Fatalf("got %T (%v), want a %T like %+v", err, err, want, want)
	}
}

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
