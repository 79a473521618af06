package capipolicy

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/capi-policy/capi-policy/go/sandbox"
)

// instance runs one call at a time.
type instance struct {
	policy *policyModule
	limits Options
	wasm   sandbox.Instance
	// broken is set when a call did not end the way it should: such an
	// instance is never used again.
	broken bool
}

// argument is a text that is passed to the policy.
type argument struct {
	text []byte
	// option says that the parameter is an option<string>; it is none without a
	// text.
	option bool
}

// answer is what a call returned: text, or an error of the policy's or ours.
type answer struct {
	text []byte
	err  error
	// abandoned says that nobody waited for the answer.
	abandoned bool
}

// lifter reads an answer from memory and copies what it needs.
type lifter func(memory []byte, area uint32) ([]byte, error)

func newInstance(ctx context.Context, policy *policyModule, limits Options) (*instance, error) {
	i := &instance{policy: policy, limits: limits}
	bounded, cancel := context.WithTimeout(ctx, limits.Timeout)
	defer cancel()
	var err error
	if i.wasm, err = policy.code.Instantiate(bounded); err != nil {
		return nil, i.trapped(ctx, "start", err)
	}
	return i, nil
}

// call passes arguments to an export and reads its answer. A call that is given
// up still runs: release gets its answer once nothing uses the instance any
// more, in any case before call returns an answer.
func (i *instance) call(ctx context.Context, e export, arguments []argument, lift lifter, release func(answer)) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		release(answer{err: err})
		return nil, err
	}
	if i.policy.known {
		return i.callKnown(ctx, e, arguments, lift, release)
	}
	bounded, cancel := context.WithTimeout(ctx, i.limits.Timeout)
	defer cancel()
	values, err := i.lower(bounded, ctx, arguments)
	if err != nil {
		release(answer{err: err})
		return nil, err
	}
	got := i.finish(bounded, ctx, e, values, lift)
	release(got)
	return got.text, got.err
}

// callKnown runs a call that is known to end, without checks in its loops: when
// the time is over, the caller goes on and the call is left to end by itself.
func (i *instance) callKnown(ctx context.Context, e export, arguments []argument, lift lifter, release func(answer)) ([]byte, error) {
	// Not in the goroutine: the texts are the caller's again once it goes on.
	background := context.Background()
	values, err := i.lower(background, ctx, arguments)
	if err != nil {
		release(answer{err: err})
		return nil, err
	}
	if i.isQuick(arguments) {
		got := i.finish(background, background, e, values, lift)
		release(got)
		return got.text, got.err
	}
	done := make(chan answer, 1)
	// Whoever sets it says whether the call was given up.
	var settled atomic.Bool
	go func() {
		got := i.finish(background, background, e, values, lift)
		got.abandoned = !settled.CompareAndSwap(false, true)
		release(got)
		done <- got
	}()
	timeout := time.NewTimer(i.limits.Timeout)
	defer timeout.Stop()
	select {
	case got := <-done:
		return got.text, got.err
	case <-ctx.Done():
		err = ctx.Err()
	case <-timeout.C:
		err = &LimitError{Resource: LimitTime, Allowed: i.limits.Timeout.String()}
	}
	if settled.CompareAndSwap(false, true) {
		return nil, err
	}
	got := <-done // it ended at the same moment
	return got.text, got.err
}

// isQuick says that a call can take some milliseconds at most, because that
// little is read: then it is not worth a goroutine, which costs some
// microseconds.
func (i *instance) isQuick(arguments []argument) bool {
	size := 0
	for _, a := range arguments {
		size += len(a.text)
	}
	return size <= quickTextBytes && len(i.wasm.Memory()) <= quickMemoryBytes
}

// finish calls the export with texts that are in the policy's memory already.
func (i *instance) finish(bounded, ctx context.Context, e export, values []uint32, lift lifter) answer {
	area, err := i.wasm.Call(bounded, e.name, values...)
	if err != nil {
		return answer{err: i.trapped(ctx, e.name, err)}
	}
	text, err := lift(i.wasm.Memory(), area)
	i.broken = err != nil && !errors.As(err, new(*SnapshotError))
	if _, post := i.wasm.Call(bounded, e.post, area); post != nil {
		return answer{err: i.trapped(ctx, e.post, post)}
	}
	return answer{text: text, err: err}
}

// lower copies texts into memory that the policy allocates and will free, and
// gives the values that pass them.
func (i *instance) lower(bounded, ctx context.Context, arguments []argument) ([]uint32, error) {
	values := make([]uint32, 0, 3*len(arguments))
	for _, a := range arguments {
		if a.option && a.text == nil {
			values = append(values, 0, 0, 0)
			continue
		}
		pointer, err := i.copyIn(bounded, ctx, a.text)
		if err != nil {
			return nil, err
		}
		if a.option {
			values = append(values, 1)
		}
		values = append(values, pointer, uint32(len(a.text)))
	}
	return values, nil
}

func (i *instance) copyIn(bounded, ctx context.Context, text []byte) (uint32, error) {
	size := int64(len(i.wasm.Memory()))
	pointer, err := i.wasm.Call(bounded, "cabi_realloc", 0, 0, 1, uint32(len(text)))
	if err != nil {
		err = i.trapped(ctx, "cabi_realloc", err)
		if trap := (*TrapError)(nil); errors.As(err, &trap) && size+int64(len(text)) > i.limits.MemoryBytes {
			return 0, memoryLimit(i.limits.MemoryBytes, trap)
		}
		return 0, err
	}
	target, err := slice(i.wasm.Memory(), pointer, uint32(len(text)))
	if err != nil {
		i.broken = true
		return 0, &AnswerError{Call: "cabi_realloc", Detail: err.Error()}
	}
	copy(target, text)
	return pointer, nil
}

// trapped turns the runtime's error into one of this package's.
func (i *instance) trapped(ctx context.Context, call string, err error) error {
	i.broken = true
	trap := &TrapError{Call: call, Reason: firstLine(err.Error())}
	var stopped *sandbox.Trap
	if !errors.As(err, &stopped) {
		return trap
	}
	trap.Backtrace = stopped.Backtrace
	switch stopped.Cause {
	case sandbox.Interrupted:
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &LimitError{Resource: LimitTime, Allowed: i.limits.Timeout.String(), Trap: trap}
	case sandbox.StackOverflow:
		return &LimitError{Resource: LimitStack, Trap: trap}
	case sandbox.Unreachable:
		if i.memoryExhausted() {
			return memoryLimit(i.limits.MemoryBytes, trap)
		}
	}
	return trap
}

// memoryExhausted guesses why the policy gave up: a refused allocation ends in
// the same trap as a bug, and the runtimes don't say that they refused one.
// Allocators ask for at most as much as there is already, so memory that is
// less than half full was not refused any.
func (i *instance) memoryExhausted() bool {
	return i.wasm != nil && 2*int64(len(i.wasm.Memory())) > i.limits.MemoryBytes
}

func memoryLimit(limit int64, trap *TrapError) error {
	return &LimitError{Resource: LimitMemory, Allowed: fmt.Sprintf("%d bytes", limit), Trap: trap}
}

// reusable says whether another call may use the instance: only of the policy
// that we know do we know that a call leaves nothing behind for the next.
func (i *instance) reusable() bool {
	return i.policy.known && !i.broken && len(i.wasm.Memory()) <= idleMemoryBytes
}

func (i *instance) close() {
	if i.wasm != nil {
		i.wasm.Close()
	}
}
