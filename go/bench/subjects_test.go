//go:build unix

package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	capipolicy "github.com/capi-policy/capi-policy/go"
	"github.com/capi-policy/capi-policy/go/bench/internal/example"
	"github.com/capi-policy/capi-policy/go/clusterapi"
)

// snapshotsVariable names a folder that `capi-policy bench --snapshots` wrote.
const snapshotsVariable = "CAPI_POLICY_SNAPSHOTS"

var fleetSizes = []int{10, 1_000, 10_000}

// subject is a snapshot that both sides decide about.
type subject struct {
	name string
	// kind is the start of the name: MachineDeployment of MachineDeployment-10.
	kind string
	text []byte
}

func newSubject(name string, text []byte) subject {
	kind, _, _ := strings.Cut(name, "-")
	return subject{name, kind, text}
}

// subjects are the snapshots of the folder, or, where none is named,
// MachineDeployments of our own.
func subjects(t testing.TB) []subject {
	t.Helper()
	folder := os.Getenv(snapshotsVariable)
	if folder == "" {
		return ownSubjects(t)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s=%s: no snapshots there; `capi-policy bench --snapshots` writes some", snapshotsVariable, folder)
	}
	var all []subject
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, newSubject(strings.TrimSuffix(filepath.Base(file), ".json"), text))
	}
	return all
}

func ownSubjects(t testing.TB) []subject {
	t.Helper()
	var all []subject
	for _, size := range fleetSizes {
		text, err := json.Marshal(clusterapi.MachineDeploymentSnapshot{
			Settings:          capipolicy.Settings{Now: example.Now, Profile: capipolicy.ProfileClusterAPI},
			MachineDeployment: example.MachineDeployment(),
			Machines:          example.Machines(size),
		})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, newSubject(fmt.Sprintf("MachineDeployment-%d", size), text))
	}
	return all
}

// decode gives the objects of a snapshot, as one of the package's types.
func decode(kind string, text []byte) (any, error) {
	var objects any
	switch kind {
	case "MachineDeployment":
		objects = &clusterapi.MachineDeploymentSnapshot{}
	case "MachineHealthCheck":
		objects = &clusterapi.MachineHealthCheckSnapshot{}
	case "Machine":
		objects = &clusterapi.MachineSnapshot{}
	default:
		return nil, fmt.Errorf("no benchmark for a snapshot of kind %q", kind)
	}
	return objects, json.Unmarshal(text, objects)
}

// objects are those of the snapshot, with its settings, which the package
// leaves to its caller.
func (s subject) objects(t testing.TB) any {
	t.Helper()
	objects, err := decode(s.kind, s.text)
	if err != nil {
		t.Fatal(err)
	}
	var settings struct {
		Now     time.Time
		Profile capipolicy.Profile
	}
	if err := json.Unmarshal(s.text, &settings); err != nil {
		t.Fatal(err)
	}
	set := capipolicy.Settings{Now: settings.Now, Profile: settings.Profile}
	switch objects := objects.(type) {
	case *clusterapi.MachineDeploymentSnapshot:
		objects.Settings = set
	case *clusterapi.MachineHealthCheckSnapshot:
		objects.Settings = set
	case *clusterapi.MachineSnapshot:
		objects.Settings = set
	}
	return objects
}
