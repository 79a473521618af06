package capipolicy

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"
)

// alone marks a process that runs one test.
const alone = "CAPI_POLICY_TEST_ALONE"

func TestMemoryStaysFlatOver100000Evaluations(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	if os.Getenv(alone) == "" {
		// What other tests left behind would hide growth.
		process := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run=^"+t.Name()+"$")
		process.Env = append(os.Environ(), alone+"=1")
		output, err := process.CombinedOutput()
		t.Logf("%s", output)
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	engine := loadPolicy(t, Options{Instances: 1})
	snapshot := fleetJSON(t, 1)
	bad := []byte(`{"now":"yesterday"}`)
	evaluate := func(times int) {
		for i := range times {
			if _, err := engine.Evaluate(t.Context(), snapshot); err != nil {
				t.Fatal(err)
			}
			if i%10 == 0 {
				if _, err := engine.Evaluate(t.Context(), bad); err == nil {
					t.Fatal("no error")
				}
			}
		}
	}
	// The Go API of the WebAssembly runtime leaves small objects to finalizers.
	// Frequent collections keep those that wait out of the measurement.
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	evaluate(10_000) // allocators and the Go runtime settle
	guest, process := guestMemory(engine), residentMemory(t)
	evaluate(100_000)
	guestAfter, processAfter := guestMemory(engine), residentMemory(t)
	t.Logf("guest memory %d KiB before and %d KiB after, resident memory %d KiB before and %d KiB after",
		guest>>10, guestAfter>>10, process>>10, processAfter>>10)
	if guestAfter != guest {
		t.Errorf("the policy's memory grew from %d to %d bytes", guest, guestAfter)
	}
	// A leak of 100 bytes a call would be 10 MB.
	if processAfter > process+8<<20 {
		t.Errorf("the process grew from %d to %d bytes", process, processAfter)
	}
}

// guestMemory is the size of the only instance's memory, 0 without an instance.
func guestMemory(engine *Engine) uintptr {
	i := <-engine.pool.slots
	defer func() { engine.pool.slots <- i }()
	if i == nil {
		return 0
	}
	return i.memory.DataSize(i.store)
}

// residentMemory is what the process holds once garbage is collected.
func residentMemory(t *testing.T) int64 {
	t.Helper()
	runtime.GC() // runs the finalizers of what the WebAssembly runtime allocated
	runtime.GC()
	debug.FreeOSMemory()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skipf("resident memory can only be read on Linux: %v", err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kib << 10
		}
	}
	t.Fatal("no VmRSS")
	return 0
}

func TestCancelledInTheMiddleOfALargeEvaluation(t *testing.T) {
	engine := loadPolicy(t, Options{Instances: 1})
	snapshot := fleetJSON(t, 5_000)
	start := time.Now()
	if _, err := engine.Evaluate(t.Context(), snapshot); err != nil {
		t.Fatal(err)
	}
	took := time.Since(start)
	if guestMemory(engine) == 0 {
		t.Fatal("the instance was not kept")
	}
	// On a busy machine part of the time may be over before the policy starts, or
	// be noticed after it ended, and the first evaluation takes longer than others:
	// so every tenth of the last one that ended is tried in turn. An instance that
	// was interrupted is thrown away.
	interrupted := false
	for attempt := 0; attempt < 200 && !interrupted; attempt++ {
		ctx, cancel := context.WithTimeout(t.Context(), took*time.Duration(9-attempt%9)/10)
		start := time.Now()
		_, err := engine.Evaluate(ctx, snapshot)
		cancel()
		switch err {
		case nil:
			took = time.Since(start)
		case context.DeadlineExceeded:
			interrupted = guestMemory(engine) == 0
		default:
			t.Fatalf("got %v, want ctx.Err()", err)
		}
	}
	if !interrupted {
		t.Fatal("no evaluation was interrupted")
	}
	if _, err := engine.Evaluate(t.Context(), fleetJSON(t, 1)); err != nil {
		t.Fatalf("the engine is not usable afterwards: %v", err)
	}
}

func TestMemoryLimitOfARealEvaluation(t *testing.T) {
	snapshot := fleetJSON(t, 10_000)
	engine := loadPolicy(t, Options{Instances: 1, MemoryBytes: int64(len(snapshot)) + 4<<20})
	_, err := engine.Evaluate(t.Context(), snapshot)
	checkErrorType(t, err, &LimitError{Resource: LimitMemory})
	if _, err := engine.Evaluate(t.Context(), fleetJSON(t, 1)); err != nil {
		t.Fatalf("the engine is not usable afterwards: %v", err)
	}
}

func TestLargeInstancesAreNotKept(t *testing.T) {
	engine := loadPolicy(t, Options{Instances: 1})
	large := append(fleetJSON(t, 1), make([]byte, 39<<20)...)
	for i := range large[len(large)-39<<20:] {
		large[len(large)-39<<20+i] = ' '
	}
	if _, err := engine.Evaluate(t.Context(), large); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Evaluate(t.Context(), fleetJSON(t, 1)); err != nil {
		t.Fatal(err)
	}
	if size := guestMemory(engine); size > idleMemoryBytes {
		t.Errorf("an idle instance keeps %d bytes", size)
	}
}
