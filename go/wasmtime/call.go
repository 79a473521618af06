package wasmtime

// #include <stdint.h>
// #include <stddef.h>
//
// // The part of wasmtime's C API that calls a function. wasmtime-go brings the
// // library; its own Func.Call asks for the function's type with a dozen calls
// // first.
// typedef union { int32_t i32; uint8_t v128[16]; } raw_value;
// typedef struct { size_t size; char *data; } bytes;
// void *wasmtime_func_call_unchecked(void *context, const void *func, raw_value *values, size_t len, void **trap);
// void *wasmtime_memory_data(void *context, const void *memory);
// size_t wasmtime_memory_data_size(void *context, const void *memory);
// void wasm_trap_message(const void *trap, bytes *message);
// _Bool wasmtime_trap_code(const void *trap, uint8_t *code);
// void wasm_trap_delete(void *trap);
// void wasmtime_error_message(const void *error, bytes *message);
// void wasmtime_error_delete(void *error);
// void wasm_byte_vec_delete(bytes *message);
//
// typedef struct { uint32_t value; void *error; void *trap; void *memory; size_t size; } outcome;
//
// // Calls a function and says where the memory is afterwards, all of it in one
// // way from Go to C.
// static outcome call(void *context, const void *func, const void *memory, const uint32_t *arguments, size_t len) {
//   raw_value values[8] = {0};
//   outcome out = {0};
//   for (size_t n = 0; n < len; n++) values[n].i32 = (int32_t)arguments[n];
//   out.error = wasmtime_func_call_unchecked(context, func, values, 8, &out.trap);
//   out.value = (uint32_t)values[0].i32;
//   out.memory = wasmtime_memory_data(context, memory);
//   out.size = wasmtime_memory_data_size(context, memory);
//   return out;
// }
import "C"

import (
	"errors"
	"strings"
	"unsafe"

	"github.com/bytecodealliance/wasmtime-go/v44"

	"github.com/capi-policy/capi-policy/go/sandbox"
)

const (
	// maxArguments is how many values the buffer of a call has.
	maxArguments = 8
	// externOffset is where in wasmtime_extern_t the function or memory begins,
	// behind the byte that says which of them it is.
	externOffset = 8
)

// handle is what wasmtime knows a function or a memory by.
type handle []byte

func newHandle[T any](extern T) handle {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&extern)), unsafe.Sizeof(extern))
	return append(handle(nil), bytes[externOffset:]...)
}

func (h handle) pointer() unsafe.Pointer { return unsafe.Pointer(&h[0]) }

// call calls a function of 32-bit integers. Whoever found it knows how many
// arguments it takes: nobody checks here. The second result is the memory as it
// is afterwards.
func call(store *wasmtime.Store, function, memory handle, arguments []uint32) (uint32, []byte, error) {
	var buffer [maxArguments]uint32
	count := copy(buffer[:], arguments)
	out := C.call(unsafe.Pointer(store.Context()), function.pointer(), memory.pointer(), (*C.uint32_t)(unsafe.Pointer(&buffer[0])), C.size_t(count))
	view := unsafe.Slice((*byte)(out.memory), out.size)
	switch {
	case out.trap != nil:
		return 0, view, takeTrap(out.trap)
	case out.error != nil:
		return 0, view, takeError(out.error)
	}
	return uint32(out.value), view, nil
}

// takeTrap reads a trap and frees it.
func takeTrap(trap unsafe.Pointer) error {
	defer C.wasm_trap_delete(trap)
	var text C.bytes
	C.wasm_trap_message(trap, &text)
	message := strings.TrimSpace(strings.TrimRight(takeText(&text), "\x00"))
	t := &sandbox.Trap{Reason: reason(message), Backtrace: message}
	var code C.uint8_t
	if C.wasmtime_trap_code(trap, &code) {
		t.Cause = causes[wasmtime.TrapCode(code)]
	}
	return t
}

func takeError(err unsafe.Pointer) error {
	defer C.wasmtime_error_delete(err)
	var text C.bytes
	C.wasmtime_error_message(err, &text)
	return errors.New(takeText(&text))
}

func takeText(text *C.bytes) string {
	defer C.wasm_byte_vec_delete(text)
	return C.GoStringN(text.data, C.int(text.size))
}
