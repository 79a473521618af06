package capipolicy

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capi-policy/capi-policy/host-example/go/internal/example"
)

// The objects of every recorded case, read into the real API types and written
// again by the typed snapshots, give the same decision.
func TestTypedSnapshotsDecideTheSame(t *testing.T) {
	engine := loadPolicy(t, Options{})
	kinds := map[string]int{}
	for _, v := range vectors(t) {
		// The cases of tests/cases bend objects into shapes that no API server
		// serves; the recorded ones don't.
		if !strings.Contains(v.ID, "-s1-") || v.Error != "" {
			continue
		}
		var want Evaluation
		if err := json.Unmarshal(v.Evaluation, &want); err != nil {
			t.Fatalf("%s: %v", v.ID, err)
		}
		got, err := evaluateTyped(t, engine, want.Kind, v.Snapshot)
		if err != nil {
			t.Fatalf("%s: %v", v.ID, err)
		}
		if diff := cmp.Diff(want, *got); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", v.ID, diff)
		}
		kinds[want.Kind]++
	}
	t.Logf("%v", kinds)
	if len(kinds) < 4 {
		t.Fatalf("only these kinds: %v", kinds)
	}
}

func evaluateTyped(t *testing.T, engine *Engine, kind string, snapshot []byte) (*Evaluation, error) {
	ctx := t.Context()
	switch kind {
	case "MachineDeployment":
		s, settings := read[MachineDeploymentSnapshot](t, snapshot)
		s.Settings = settings
		return engine.EvaluateMachineDeployment(ctx, s)
	case "MachineSet":
		s, settings := read[MachineSetSnapshot](t, snapshot)
		s.Settings = settings
		return engine.EvaluateMachineSet(ctx, s)
	case "KubeadmControlPlane":
		s, settings := read[KubeadmControlPlaneSnapshot](t, snapshot)
		s.Settings = settings
		return engine.EvaluateKubeadmControlPlane(ctx, s)
	case "Machine":
		s, settings := read[MachineSnapshot](t, snapshot)
		s.Settings = settings
		return engine.EvaluateMachine(ctx, s)
	case "MachineHealthCheck":
		s, settings := read[MachineHealthCheckSnapshot](t, snapshot)
		s.Settings = settings
		return engine.EvaluateMachineHealthCheck(ctx, s)
	case "Cluster":
		s, settings := read[ClusterSnapshot](t, snapshot)
		s.Settings = settings
		return engine.EvaluateCluster(ctx, s)
	}
	t.Fatalf("no typed snapshot of %s", kind)
	return nil, nil
}

// read reads the objects of a snapshot and its settings.
func read[T any](t *testing.T, snapshot []byte) (T, Settings) {
	t.Helper()
	var objects T
	if err := json.Unmarshal(snapshot, &objects); err != nil {
		t.Fatal(err)
	}
	var h header
	if err := json.Unmarshal(snapshot, &h); err != nil {
		t.Fatal(err)
	}
	return objects, Settings{Now: h.Now.Time, Profile: h.Profile, Explain: h.Explain, Observed: h.Observed}
}

func TestSnapshotErrorsHaveAPath(t *testing.T) {
	engine := loadPolicy(t, Options{})
	tests := map[string]struct {
		snapshot string
		want     SnapshotError
	}{
		"invalid":   {`{"now":"2025-01-01T00:00:00Z","machines":[{"metadata":{"deletionTimestamp":"yesterday"}}]}`, SnapshotError{Code: CodeInvalid, Path: "machines[0].metadata.deletionTimestamp"}},
		"no object": {`{"now":"2025-01-01T00:00:00Z"}`, SnapshotError{Code: CodeInvalid, Path: "snapshot"}},
		"syntax":    {`{"now":`, SnapshotError{Code: CodeSyntax}},
		"not UTF-8": {"{\"now\":\"\xff\"}", SnapshotError{Code: CodeSyntax}},
		"too deep":  {strings.Repeat("[", 101), SnapshotError{Code: CodeTooDeep}},
		"too large": {strings.Repeat(" ", 40<<20+1), SnapshotError{Code: CodeTooLarge}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := engine.Evaluate(t.Context(), []byte(test.snapshot))
			checkErrorType(t, err, &test.want)
		})
	}
}

func TestTypedSnapshotWithoutTimeOrObject(t *testing.T) {
	engine := loadPolicy(t, Options{})
	_, err := engine.EvaluateMachine(t.Context(), MachineSnapshot{})
	checkErrorType(t, err, &SnapshotError{Code: CodeInvalid, Path: "snapshot"})
	_, err = engine.EvaluateMachine(t.Context(), MachineSnapshot{Settings: Settings{Now: example.Now}})
	checkErrorType(t, err, &SnapshotError{Code: CodeInvalid, Path: "machine"})
}
