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

const planePath = "../../../target/testplane/testplane"

// plane is a real API server with the CRDs of Cluster API.
type plane struct {
	client.Client
	kubeconfigFile string
	kubeconfig     []byte
}

func startPlane(t *testing.T, crds string) *plane {
	t.Helper()
	if _, err := os.Stat(planePath); err != nil {
		t.Fatalf("%v; `cargo xtask test go` builds it", err)
	}
	command := exec.Command(planePath,
		"--log-file", filepath.Join(t.TempDir(), "testplane.log"),
		"--crd-dir", crds, "--crd-groups", "cluster.x-k8s.io")
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

// clusterAPI is the folder of the module sigs.k8s.io/cluster-api, in the version
// that the module in a folder requires.
func clusterAPI(t *testing.T, module string) string {
	t.Helper()
	command := exec.Command("go", "-C", module, "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/cluster-api")
	command.Stderr = os.Stderr
	out, err := command.Output()
	check(t, err)
	return strings.TrimSpace(string(out))
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
