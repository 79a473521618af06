package capipolicy

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/bytecodealliance/wasmtime-go/v39"
)

// trapped turns the runtime's error into one of this package's.
func (i *instance) trapped(ctx context.Context, call string, err error) error {
	i.broken = true
	trap := &TrapError{Call: call, Reason: firstLine(err.Error())}
	var wasm *wasmtime.Trap
	if !errors.As(err, &wasm) {
		return trap
	}
	defer wasm.Close()
	trap.Backtrace = strings.TrimSpace(wasm.Message())
	trap.Reason = reason(trap.Backtrace)
	code := wasm.Code()
	switch {
	case code == nil:
		return trap
	case *code == wasmtime.Interrupt && ctx.Err() != nil:
		return ctx.Err()
	case *code == wasmtime.Interrupt:
		return &LimitError{Resource: LimitTime, Allowed: i.limits.Timeout.String(), Trap: trap}
	case *code == wasmtime.StackOverflow:
		return &LimitError{Resource: LimitStack, Trap: trap}
	case *code == wasmtime.UnreachableCodeReached && i.memoryExhausted():
		return memoryLimit(i.limits.MemoryBytes, trap)
	}
	return trap
}

// memoryExhausted guesses why the policy gave up: a refused allocation ends in
// the same trap as a bug, and the runtime does not say that it refused one.
// Allocators ask for at most as much as there is already, so memory that is
// less than half full was not refused any.
func (i *instance) memoryExhausted() bool {
	return i.memory != nil && 2*int64(i.memory.DataSize(i.store)) > i.limits.MemoryBytes
}

func memoryLimit(limit int64, trap *TrapError) error {
	return &LimitError{Resource: LimitMemory, Allowed: fmt.Sprintf("%d bytes", limit), Trap: trap}
}

// reason is the last line of the runtime's message, which ends with the cause.
func reason(message string) string {
	line := message[strings.LastIndexByte(message, '\n')+1:]
	return strings.TrimPrefix(strings.TrimSpace(line), "wasm trap: ")
}
