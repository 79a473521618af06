package capipolicy

import (
	"encoding/json"
	"testing"

	"github.com/capi-policy/capi-policy/host-example/go/internal/example"
)

// fleetJSON is the snapshot of a MachineDeployment with so many machines.
func fleetJSON(t testing.TB, machines int) []byte {
	t.Helper()
	text, err := json.Marshal(MachineDeploymentSnapshot{
		Settings:          Settings{Now: example.Now, Profile: ProfileClusterAPI},
		MachineDeployment: example.MachineDeployment(),
		Machines:          example.Machines(machines),
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
