//go:build unix

package capipolicy_test

import (
	"syscall"
	"testing"
	"time"

	capipolicy "github.com/capi-policy/capi-policy/go"
)

func BenchmarkLoad(b *testing.B) {
	folder := b.TempDir()
	for name, opts := range map[string]capipolicy.Options{"compiled": {}, "cached": {CacheDir: folder}} {
		b.Run(name, func(b *testing.B) {
			load(b, opts) // fills the cache
			before := processorTime(b)
			for b.Loop() {
				load(b, opts)
			}
			b.ReportMetric(float64(processorTime(b)-before)/float64(b.N), "cpu-ns/op")
		})
	}
}

func load(b *testing.B, opts capipolicy.Options) {
	engine, err := capipolicy.New(opts)
	if err != nil {
		b.Fatal(err)
	}
	engine.Close()
}

// processorTime is what the process has used so far.
func processorTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
