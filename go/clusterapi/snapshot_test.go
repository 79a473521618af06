package clusterapi_test

import (
	"encoding/json"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	capipolicy "github.com/capi-policy/capi-policy/go"
	"github.com/capi-policy/capi-policy/go/clusterapi"
	"github.com/capi-policy/capi-policy/go/internal/suite"
)

var now = time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)

func newEngine(t *testing.T) *capipolicy.Engine {
	t.Helper()
	engine, err := capipolicy.New(capipolicy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(engine.Close)
	return engine
}

// The objects of every recorded case, read into the real API types and written
// again by the typed snapshots, give the same decision.
func TestTypedSnapshotsDecideTheSame(t *testing.T) {
	engine := newEngine(t)
	kinds := map[string]int{}
	for _, v := range suite.Vectors(t) {
		// The cases of tests/cases bend objects into shapes that no API server
		// serves; the recorded ones don't.
		if !suite.IsRecorded(v.ID) || v.Error != "" {
			continue
		}
		var about struct{ Kind string }
		if err := json.Unmarshal(v.Snapshot, &about); err != nil {
			t.Fatalf("%s: %v", v.ID, err)
		}
		snapshot, err := typed(t, about.Kind, v.Snapshot).MarshalJSON()
		if err != nil {
			t.Fatalf("%s: %v", v.ID, err)
		}
		got, err := engine.EvaluateJSON(t.Context(), snapshot)
		if err != nil {
			t.Fatalf("%s: %v", v.ID, err)
		}
		if diff := cmp.Diff(withoutHashes(v.Evaluation), withoutHashes(got)); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", v.ID, diff)
		}
		kinds[about.Kind]++
	}
	t.Logf("%v", kinds)
	if len(kinds) != 6 {
		t.Fatalf("only these kinds: %v", kinds)
	}
}

// templateHash is the start of a new MachineSet's unique label, a digest of the
// text of its template.
var templateHash = regexp.MustCompile(`[0-9]+-<random>`)

func withoutHashes(evaluation []byte) string {
	return templateHash.ReplaceAllString(string(evaluation), "HASH-<random>")
}

// typed is the snapshot as a value of its kind's type.
func typed(t *testing.T, kind string, snapshot []byte) json.Marshaler {
	var h struct {
		Now      time.Time           `json:"now"`
		Profile  capipolicy.Profile  `json:"profile"`
		Explain  bool                `json:"explain"`
		Observed capipolicy.Observed `json:"observed"`
	}
	if err := json.Unmarshal(snapshot, &h); err != nil {
		t.Fatal(err)
	}
	settings := capipolicy.Settings{Now: h.Now, Profile: h.Profile, Explain: h.Explain, Observed: h.Observed}
	switch kind {
	case "MachineDeployment":
		return read(t, snapshot, func(s *clusterapi.MachineDeploymentSnapshot) { s.Settings = settings })
	case "MachinePool":
		return read(t, snapshot, func(s *clusterapi.MachinePoolSnapshot) { s.Settings = settings })
	case "MachineSet":
		return read(t, snapshot, func(s *clusterapi.MachineSetSnapshot) { s.Settings = settings })
	case "KubeadmControlPlane":
		return read(t, snapshot, func(s *clusterapi.KubeadmControlPlaneSnapshot) { s.Settings = settings })
	case "Machine":
		return read(t, snapshot, func(s *clusterapi.MachineSnapshot) { s.Settings = settings })
	case "MachineHealthCheck":
		return read(t, snapshot, func(s *clusterapi.MachineHealthCheckSnapshot) { s.Settings = settings })
	case "Cluster":
		return read(t, snapshot, func(s *clusterapi.ClusterSnapshot) { s.Settings = settings })
	}
	t.Fatalf("no typed snapshot of %s", kind)
	return nil
}

// read reads the objects of a snapshot and adds its settings.
func read[T json.Marshaler](t *testing.T, snapshot []byte, set func(*T)) T {
	t.Helper()
	var objects T
	if err := json.Unmarshal(snapshot, &objects); err != nil {
		t.Fatal(err)
	}
	set(&objects)
	return objects
}

func TestSnapshotWithoutTimeOrObject(t *testing.T) {
	engine := newEngine(t)
	_, err := engine.Evaluate(t.Context(), clusterapi.MachineSnapshot{})
	suite.CheckErrorType(t, err, &capipolicy.SnapshotError{Code: capipolicy.CodeInvalid, Path: "snapshot"})
	_, err = engine.Evaluate(t.Context(), clusterapi.MachineSnapshot{Settings: capipolicy.Settings{Now: now}})
	suite.CheckErrorType(t, err, &capipolicy.SnapshotError{Code: capipolicy.CodeInvalid, Path: "machine"})
}

func TestPausedClusterPausesMachineDeploymentAndMachineSet(t *testing.T) {
	engine := newEngine(t)
	cluster := &clusterv1.Cluster{
		ObjectMeta: metav1.ObjectMeta{Name: "prod", Namespace: "default"},
		Spec:       clusterv1.ClusterSpec{Paused: ptr.To(true)},
	}
	workers := metav1.ObjectMeta{Name: "workers", Namespace: "default"}
	settings := capipolicy.Settings{Now: now}
	snapshots := map[string]any{
		"MachineDeployment": clusterapi.MachineDeploymentSnapshot{
			Settings: settings, Cluster: cluster, MachineDeployment: &clusterv1.MachineDeployment{ObjectMeta: workers}},
		"MachineSet": clusterapi.MachineSetSnapshot{
			Settings: settings, Cluster: cluster, MachineSet: &clusterv1.MachineSet{ObjectMeta: workers}},
	}
	for kind, snapshot := range snapshots {
		decision, err := engine.Evaluate(t.Context(), snapshot)
		if err != nil {
			t.Fatal(err)
		}
		if !meta.IsStatusConditionTrue(clusterapi.Conditions(decision.Conditions), clusterv1.PausedCondition) {
			t.Errorf("%s is not paused: %+v", kind, decision.Conditions)
		}
	}
}
