package capipolicy

import (
	"fmt"
	"math"
	"runtime"
	"time"
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
)

// Options bound what an Engine may use. The zero value means the defaults.
type Options struct {
	// Instances is how many evaluations may run at the same time; further
	// calls wait. Default: GOMAXPROCS.
	Instances int
	// MemoryBytes bounds the memory of each instance. Default:
	// DefaultMemoryBytes.
	MemoryBytes int64
	// Timeout bounds each call whose context allows more. Default:
	// DefaultTimeout.
	Timeout time.Duration
}

func (o Options) withDefaults() (Options, error) {
	if o.Instances < 0 || o.MemoryBytes < 0 || o.Timeout < 0 {
		return o, fmt.Errorf("capipolicy: negative option in %+v", o)
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
