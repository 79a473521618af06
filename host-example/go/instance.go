package capipolicy

import (
	"context"
	"errors"
	"fmt"

	"github.com/bytecodealliance/wasmtime-go/v39"
)

// instance runs one call at a time. It has a WebAssembly engine of its own:
// the epoch that interrupts a call is the engine's, so a cancelled call
// interrupts nobody else.
type instance struct {
	limits  Options
	engine  *wasmtime.Engine
	module  *wasmtime.Module
	store   *wasmtime.Store
	memory  *wasmtime.Memory
	realloc *wasmtime.Func
	exports *wasmtime.Instance
	// broken is set when a call did not end the way it should: such an
	// instance is never used again.
	broken bool
}

func newInstance(ctx context.Context, policy *policyModule, limits Options) (*instance, error) {
	i := &instance{limits: limits, engine: wasmtime.NewEngineWithConfig(newConfig())}
	if err := i.start(ctx, policy); err != nil {
		i.close()
		return nil, err
	}
	return i, nil
}

func (i *instance) start(ctx context.Context, policy *policyModule) error {
	var err error
	if i.module, err = wasmtime.NewModuleDeserialize(i.engine, policy.serialized); err != nil {
		return fmt.Errorf("capipolicy: compiled policy: %w", err)
	}
	i.store = wasmtime.NewStore(i.engine)
	i.store.Limiter(i.limits.MemoryBytes, -1, 1, -1, 1)
	return i.interruptible(ctx, func() error {
		if i.exports, err = wasmtime.NewInstance(i.store, i.module, nil); err != nil {
			return i.trapped(ctx, "start", err)
		}
		i.memory = i.exports.GetExport(i.store, "memory").Memory()
		i.realloc = i.exports.GetFunc(i.store, "cabi_realloc")
		return nil
	})
}

// interruptible runs a call that ends early when the context ends or when it
// takes longer than the timeout.
func (i *instance) interruptible(ctx context.Context, call func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, i.limits.Timeout)
	defer cancel()
	i.store.SetEpochDeadline(1)
	done := make(chan struct{})
	stop := context.AfterFunc(bounded, func() {
		defer close(done)
		i.engine.IncrementEpoch()
	})
	err := call()
	if !stop() {
		<-done // an increment that came later would hit the next call
	}
	i.broken = i.broken || err != nil && !errors.As(err, new(*SnapshotError))
	return err
}

// call passes texts to an export and gives the bytes of its result area to
// read, which copies what it needs.
func (i *instance) call(ctx context.Context, e export, texts [][]byte, read func(memory []byte, area uint32) error) error {
	return i.interruptible(ctx, func() error {
		arguments := make([]any, 0, 2*len(texts))
		for _, text := range texts {
			pointer, err := i.lower(ctx, text)
			if err != nil {
				return err
			}
			arguments = append(arguments, int32(pointer), int32(len(text)))
		}
		result, err := i.exports.GetFunc(i.store, e.name).Call(i.store, arguments...)
		if err != nil {
			return i.trapped(ctx, e.name, err)
		}
		area := result.(int32)
		answer := read(i.memory.UnsafeData(i.store), uint32(area))
		if _, err := i.exports.GetFunc(i.store, e.post).Call(i.store, area); err != nil {
			return i.trapped(ctx, e.post, err)
		}
		return answer
	})
}

// lower copies a text into memory that the policy allocates and will free.
func (i *instance) lower(ctx context.Context, text []byte) (uint32, error) {
	size := int64(i.memory.DataSize(i.store))
	result, err := i.realloc.Call(i.store, int32(0), int32(0), int32(1), int32(len(text)))
	if err != nil {
		err = i.trapped(ctx, "cabi_realloc", err)
		if trap := (*TrapError)(nil); errors.As(err, &trap) && size+int64(len(text)) > i.limits.MemoryBytes {
			return 0, memoryLimit(i.limits.MemoryBytes, trap)
		}
		return 0, err
	}
	pointer := uint32(result.(int32))
	target, err := slice(i.memory.UnsafeData(i.store), pointer, uint32(len(text)))
	if err != nil {
		return 0, &AnswerError{Call: "cabi_realloc", Detail: err.Error()}
	}
	copy(target, text)
	return pointer, nil
}

// reusable says whether another call may use the instance.
func (i *instance) reusable() bool {
	return !i.broken && i.memory.DataSize(i.store) <= idleMemoryBytes
}

func (i *instance) close() {
	if i.store != nil {
		i.store.Close()
	}
	if i.module != nil {
		i.module.Close()
	}
	i.engine.Close()
}
