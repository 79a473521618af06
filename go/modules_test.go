package capipolicy_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Who takes this module takes the runtime and what that needs, nothing else.
func TestModuleGraph(t *testing.T) {
	want := []string{"github.com/capi-policy/capi-policy/go", "github.com/tetratelabs/wazero", "golang.org/x/sys"}
	got := strings.Fields(run(t, nil, "go", "list", "-m", "-f", "{{.Path}}", "all"))
	if !slices.Equal(got, want) {
		t.Errorf("the module graph has %v, want %v", got, want)
	}
}

func TestBuildsWithoutCgo(t *testing.T) {
	for _, platform := range [][2]string{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "arm64"}, {"windows", "amd64"}} {
		run(t, []string{"CGO_ENABLED=0", "GOOS=" + platform[0], "GOARCH=" + platform[1]}, "go", "build", "./...")
	}
}

func run(t *testing.T, environment []string, program string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, arguments...)
	command.Env = append(os.Environ(), environment...)
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v %s: %v", environment, strings.Join(append([]string{program}, arguments...), " "), err)
	}
	return string(output)
}
