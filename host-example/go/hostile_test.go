package capipolicy

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

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
			engine, err := Load(test.policy.wasm(t), hostileOptions(test.want))
			if err != nil {
				t.Fatal(err)
			}
			defer engine.Close()
			for range 2 {
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

// hostileOptions bound a module that is expected to fail like this. Only one
// that never ends has little time: enough, on a busy machine, for the calls
// that do end.
func hostileOptions(want error) Options {
	opts := Options{Instances: 1, MemoryBytes: 4 << 20}
	if limit := (*LimitError)(nil); errors.As(want, &limit) && limit.Resource == LimitTime {
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
			engine, err := Load(test.wasm, hostileOptions(test.want))
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
