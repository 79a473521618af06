package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	capipolicy "github.com/capi-policy/capi-policy/go"
)

// Open loads the embedded policy with the runtime under test. The test closes
// it.
type Open func(testing.TB, capipolicy.Options) *capipolicy.Engine

// Run runs what a runtime has to do with the embedded policy.
func Run(t *testing.T, open Open) {
	tests := map[string]func(*testing.T, Open){
		"every recorded family is asked":      everyRecordedFamilyIsAsked,
		"same bytes as the Rust library":      sameBytes,
		"same bytes from 16 goroutines":       sameBytesFromManyGoroutines,
		"errors have a path":                  errorsHaveAPath,
		"memory limit":                        memoryLimit,
		"cancelled in the middle":             cancelledInTheMiddle,
		"timeout":                             timeout,
		"texts are the caller's again":        textsAreTheCallersAgain,
		"code comes from the cache":           codeComesFromTheCache,
		"evaluation of anything that is JSON": evaluatesAnything,
		"catalog":                             catalog,
		"raw objects":                         rawObjects,
		"fleet decides as a fresh snapshot":   fleetDecidesAsAFreshSnapshot,
		"fleet updates add up":                fleetUpdatesAddUp,
		"fleet knows what is due":             fleetKnowsWhatIsDue,
		"fleet errors":                        fleetErrors,
		"fleet given up":                      fleetGivenUp,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(t, open) })
	}
}

func catalog(t *testing.T, open Open) {
	catalog, err := open(t, capipolicy.Options{}).Catalog(t.Context())
	check(t, err)
	if catalog.Name != "capi-policy" || catalog.Version == "" || len(catalog.ClusterAPI) == 0 || len(catalog.Profiles) < 3 || len(catalog.Tables) < 50 {
		t.Errorf("got %s %s, %v, %v, %d tables", catalog.Name, catalog.Version, catalog.ClusterAPI, catalog.Profiles, len(catalog.Tables))
	}
	for _, table := range catalog.Tables {
		if table.ID == "" || table.Kind == "" || table.Condition == "" || len(table.Rows) == 0 {
			t.Errorf("got %+v", table)
		}
		for _, row := range table.Rows {
			if !strings.HasPrefix(row.ID, table.ID) || row.When == "" {
				t.Errorf("got %+v in %s", row, table.ID)
			}
		}
	}
}

func errorsHaveAPath(t *testing.T, open Open) {
	engine := open(t, capipolicy.Options{})
	tests := map[string]struct {
		snapshot string
		want     capipolicy.SnapshotError
	}{
		"invalid": {`{"now":"2025-01-01T00:00:00Z","machines":[{"metadata":{"deletionTimestamp":"yesterday"}}]}`,
			capipolicy.SnapshotError{Code: capipolicy.CodeInvalid, Path: "machines[0].metadata.deletionTimestamp"}},
		"no object": {`{"now":"2025-01-01T00:00:00Z"}`, capipolicy.SnapshotError{Code: capipolicy.CodeInvalid, Path: "snapshot"}},
		"syntax":    {`{"now":`, capipolicy.SnapshotError{Code: capipolicy.CodeSyntax}},
		"not UTF-8": {"{\"now\":\"\xff\"}", capipolicy.SnapshotError{Code: capipolicy.CodeSyntax}},
		"too deep":  {strings.Repeat("[", 101), capipolicy.SnapshotError{Code: capipolicy.CodeTooDeep}},
		"too large": {strings.Repeat(" ", 40<<20+1), capipolicy.SnapshotError{Code: capipolicy.CodeTooLarge}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := engine.EvaluateJSON(t.Context(), []byte(test.snapshot))
			CheckErrorType(t, err, &test.want)
		})
	}
}

func memoryLimit(t *testing.T, open Open) {
	snapshot := DeploymentJSON(10_000)
	engine := open(t, capipolicy.Options{Instances: 1, MemoryBytes: int64(len(snapshot)) + 4<<20})
	_, err := engine.EvaluateJSON(t.Context(), snapshot)
	CheckErrorType(t, err, &capipolicy.LimitError{Resource: capipolicy.LimitMemory})
	if _, err := engine.EvaluateJSON(t.Context(), DeploymentJSON(1)); err != nil {
		t.Fatalf("the engine is not usable afterwards: %v", err)
	}
}

func cancelledInTheMiddle(t *testing.T, open Open) {
	engine := open(t, capipolicy.Options{Instances: 1})
	snapshot := DeploymentJSON(5_000)
	start := time.Now()
	if _, err := engine.EvaluateJSON(t.Context(), snapshot); err != nil {
		t.Fatal(err)
	}
	took := time.Since(start)
	// On a busy machine part of the time may be over before the policy starts, or
	// be noticed after it ended, so every tenth of the last one that ended is tried
	// in turn.
	for attempt := 0; attempt < 200; attempt++ {
		ctx, cancel := context.WithTimeout(t.Context(), took*time.Duration(9-attempt%9)/10)
		start := time.Now()
		_, err := engine.EvaluateJSON(ctx, snapshot)
		cancel()
		switch {
		case err == nil:
			took = time.Since(start)
		case errors.Is(err, context.DeadlineExceeded):
			if _, err := engine.EvaluateJSON(t.Context(), DeploymentJSON(1)); err != nil {
				t.Fatalf("the engine is not usable afterwards: %v", err)
			}
			return
		default:
			t.Fatalf("got %v, want ctx.Err()", err)
		}
	}
	t.Fatal("no evaluation was cancelled")
}

func timeout(t *testing.T, open Open) {
	engine := open(t, capipolicy.Options{Instances: 1, Timeout: 2 * time.Millisecond})
	for range 100 {
		_, err := engine.EvaluateJSON(t.Context(), DeploymentJSON(5_000))
		if err == nil {
			continue // the timer came late on a busy machine
		}
		CheckErrorType(t, err, &capipolicy.LimitError{Resource: capipolicy.LimitTime})
		return
	}
	t.Fatal("no evaluation met its timeout")
}

// textsAreTheCallersAgain overwrites a snapshot as soon as a cancelled call has
// returned; the race detector sees whether somebody still reads it.
func textsAreTheCallersAgain(t *testing.T, open Open) {
	engine := open(t, capipolicy.Options{Instances: 2})
	snapshot := DeploymentJSON(1_000)
	for range 20 {
		text := append([]byte(nil), snapshot...)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		engine.EvaluateJSON(ctx, text)
		cancel()
		clear(text)
	}
	if _, err := engine.EvaluateJSON(t.Context(), snapshot); err != nil {
		t.Fatal(err)
	}
}

func codeComesFromTheCache(t *testing.T, open Open) {
	folder := t.TempDir()
	for range 2 {
		engine := open(t, capipolicy.Options{CacheDir: folder})
		if _, err := engine.EvaluateJSON(t.Context(), DeploymentJSON(1)); err != nil {
			t.Fatal(err)
		}
	}
}

func evaluatesAnything(t *testing.T, open Open) {
	engine := open(t, capipolicy.Options{})
	deployment := map[string]any{"metadata": map[string]any{"name": "md", "namespace": "default"}}
	now := time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)
	text, err := capipolicy.MarshalSnapshot("MachineDeployment", capipolicy.Settings{Now: now}, map[string]any{"machineDeployment": deployment})
	if err != nil {
		t.Fatal(err)
	}
	snapshots := map[string]any{
		"map":         map[string]any{"now": "2025-06-01T12:00:00Z", "machineDeployment": deployment},
		"bytes":       []byte(text),
		"raw message": text,
		"marshaler":   marshaler{text},
	}
	for name, snapshot := range snapshots {
		decision, err := engine.Evaluate(t.Context(), snapshot)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if decision.Kind != "MachineDeployment" || decision.Name != "md" || !decision.Now.Equal(now) || len(decision.Conditions) == 0 {
			t.Errorf("%s: got %+v", name, decision)
		}
	}
	if _, err := capipolicy.MarshalSnapshot("Machine", capipolicy.Settings{}, "text"); err == nil {
		t.Error("a text is no set of objects")
	}
}

type marshaler struct{ text json.RawMessage }

func (m marshaler) MarshalJSON() ([]byte, error) { return m.text, nil }

// DeploymentJSON is the snapshot of a MachineDeployment with so many machines.
func DeploymentJSON(machines int) []byte {
	var text strings.Builder
	text.WriteString(`{"now":"2025-06-01T12:00:00Z","profile":"cluster-api","machineDeployment":` +
		`{"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"MachineDeployment","metadata":{"name":"md","namespace":"default","generation":3}},"machines":[`)
	for i := range machines {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, `{"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"Machine","metadata":{"creationTimestamp":"2025-06-01T11:00:00Z",`+
			`"generation":2,"labels":{"cluster.x-k8s.io/cluster-name":"prod"},"name":"md-5f9c7b-%05d","namespace":"default","uid":"u%d"},`+
			`"spec":{"clusterName":"prod","version":"v1.33.1"},"status":{"conditions":[`, i, i)
		for n, condition := range []string{"Available", "Ready", "UpToDate", "BootstrapConfigReady", "InfrastructureReady", "NodeHealthy"} {
			if n > 0 {
				text.WriteByte(',')
			}
			status := "True"
			if i%10 == 0 && condition == "Ready" {
				status = "False"
			}
			fmt.Fprintf(&text, `{"lastTransitionTime":"2025-06-01T11:30:00Z","message":"","observedGeneration":2,"reason":%q,"status":%q,"type":%q}`,
				condition, status, condition)
		}
		text.WriteString(`],"phase":"Running"}}`)
	}
	text.WriteString("]}")
	return []byte(text.String())
}

// CheckErrorType checks the type that errors.As finds, and the fields that
// callers decide by.
func CheckErrorType(t testing.TB, err, want error) {
	t.Helper()
	same := false
	switch want := want.(type) {
	case *capipolicy.TrapError:
		var trap *capipolicy.TrapError
		var limit *capipolicy.LimitError
		same = errors.As(err, &trap) && !errors.As(err, &limit) && trap.Reason != "" && trap.Call != ""
	case *capipolicy.LimitError:
		var limit *capipolicy.LimitError
		same = errors.As(err, &limit) && limit.Resource == want.Resource
	case *capipolicy.AnswerError:
		var answer *capipolicy.AnswerError
		same = errors.As(err, &answer) && answer.Call != "" && answer.Detail != ""
	case *capipolicy.SnapshotError:
		var snapshot *capipolicy.SnapshotError
		same = errors.As(err, &snapshot) && snapshot.Code == want.Code && snapshot.Path == want.Path
	case *capipolicy.IncompatibleError:
		var incompatible *capipolicy.IncompatibleError
		same = errors.As(err, &incompatible) && incompatible.Version == want.Version && incompatible.Detail != ""
	}
	if !same {
		t.Fatalf("got %T (%v), want a %T like %+v", err, err, want, want)
	}
}
