package capipolicy

import (
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/capi-policy/capi-policy/go/internal/wazero"
	"github.com/capi-policy/capi-policy/go/sandbox"
)

const (
	// DefaultMemoryBytes holds the largest snapshot that the policy accepts.
	DefaultMemoryBytes = 512 << 20
	// DefaultTimeout is far more than the largest snapshot takes.
	DefaultTimeout = 30 * time.Second

	// maxMemoryBytes is what 32 bits can address.
	maxMemoryBytes = math.MaxUint32

	// idleMemoryBytes is the memory that an instance may keep between calls.
	// WebAssembly memory never shrinks, so an instance that one large snapshot
	// made grow beyond this is replaced.
	idleMemoryBytes = 64 << 20

	// A call of the embedded policy that passes no more text than this to an
	// instance with no more memory than that takes milliseconds.
	quickTextBytes   = 64 << 10
	quickMemoryBytes = 16 << 20
)

// Options bound what an Engine may use. The zero value means the defaults.
type Options struct {
	// Runtime runs the policy. Default: wazero, which needs no cgo. The module
	// github.com/capi-policy/capi-policy/go/wasmtime has another.
	Runtime sandbox.Runtime
	// Instances is how many evaluations may run at the same time; further
	// calls wait. Fleets don't count. Default: GOMAXPROCS.
	Instances int
	// MemoryBytes bounds the memory of each instance. Default:
	// DefaultMemoryBytes.
	MemoryBytes int64
	// Timeout bounds each call whose context allows more. Default:
	// DefaultTimeout.
	Timeout time.Duration
	// CacheDir is a folder for compiled code, which makes the next process start
	// faster. What is in there is executed: nobody else may write to it.
	// Default: none.
	CacheDir string
}

func (o Options) withDefaults() (Options, error) {
	if o.Instances < 0 || o.MemoryBytes < 0 || o.Timeout < 0 {
		return o, fmt.Errorf("capipolicy: negative option in %+v", o)
	}
	if o.Runtime == nil {
		o.Runtime = wazero.Runtime{}
	}
	if o.Instances == 0 {
		o.Instances = runtime.GOMAXPROCS(0)
	}
	if o.MemoryBytes == 0 {
		o.MemoryBytes = DefaultMemoryBytes
	}
	o.MemoryBytes = min(o.MemoryBytes, maxMemoryBytes)
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	return o, nil
}
