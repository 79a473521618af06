package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// root is the repository.
const root = "../../../.."

// plane is a real API server with the CRDs of Cluster API.
type plane struct {
	client.Client
	kubeconfigFile string
	kubeconfig     []byte
}

func startPlane(t *testing.T) *plane {
	t.Helper()
	command := exec.Command(buildPlane(t),
		"--log-file", filepath.Join(t.TempDir(), "testplane.log"),
		"--crd-dir", filepath.Join(clusterAPI(t), "config/crd/bases"), "--crd-groups", "cluster.x-k8s.io")
	command.Stderr = os.Stderr
	stdin, err := command.StdinPipe()
	check(t, err)
	stdout, err := command.StdoutPipe()
	check(t, err)
	check(t, command.Start())
	t.Cleanup(func() {
		stdin.Close() // ends it
		command.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	check(t, err)
	var ready struct {
		Kubeconfig string `json:"kubeconfig"`
	}
	check(t, json.Unmarshal(line, &ready))

	p := &plane{kubeconfigFile: ready.Kubeconfig}
	p.kubeconfig, err = os.ReadFile(ready.Kubeconfig)
	check(t, err)
	config, err := clientcmd.RESTConfigFromKubeConfig(p.kubeconfig)
	check(t, err)
	scheme := runtime.NewScheme()
	check(t, clientgoscheme.AddToScheme(scheme))
	check(t, clusterv1.AddToScheme(scheme))
	p.Client, err = client.New(config, client.Options{Scheme: scheme})
	check(t, err)
	return p
}

// buildPlane builds the API server as tests/testplane/README.md says; what is
// up to date is not built again.
func buildPlane(t *testing.T) string {
	t.Helper()
	var flags strings.Builder
	flags.WriteString("-s -w")
	for _, stamp := range []string{"gitVersion=v1.36.3", "gitMajor=1", "gitMinor=36", "gitTreeState=clean"} {
		flags.WriteString(" -X k8s.io/component-base/version." + stamp)
	}
	output(t, "go", "build", "-C", filepath.Join(root, "tests/testplane"), "-o", "../../target/testplane/testplane", "-ldflags", flags.String(), ".")
	return filepath.Join(root, "target/testplane/testplane")
}

// clusterAPI is the folder of the module sigs.k8s.io/cluster-api.
func clusterAPI(t *testing.T) string {
	return strings.TrimSpace(output(t, "go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/cluster-api"))
}

func output(t *testing.T, name string, arguments ...string) string {
	t.Helper()
	command := exec.Command(name, arguments...)
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, stderr.String())
	}
	return string(out)
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
