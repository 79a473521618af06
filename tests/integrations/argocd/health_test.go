// Package argocd runs health checks for Cluster API's objects through Argo CD's own engine: those that it ships, and ours.
package argocd

import (
	"os"
	"strings"
	"testing"

	"capi-policy.test/integrations/recorded"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/health"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/lua"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

const (
	configMap = "../../../deploy/gitops/argocd-cm.yaml"
	prefix    = "resource.customizations.health."
	builtIn   = "Argo CD v3.5.6, built in"
)

// generated reads our health checks from the ConfigMap as Argo CD does: the key ends with group and kind.
func generated(t *testing.T) lua.ResourceHealthOverrides {
	text, err := os.ReadFile(configMap)
	if err != nil {
		t.Fatal(err)
	}
	var patch struct{ Data map[string]string }
	if err := yaml.Unmarshal(text, &patch); err != nil {
		t.Fatal(err)
	}
	overrides := lua.ResourceHealthOverrides{}
	for key, script := range patch.Data {
		kind := strings.Replace(strings.TrimPrefix(key, prefix), "_", "/", 1)
		overrides[kind] = v1alpha1.ResourceOverride{HealthLua: script}
	}
	if len(overrides) != 6 {
		t.Fatalf("%d health checks, expected 6", len(overrides))
	}
	return overrides
}

func report(object *unstructured.Unstructured, overrides lua.ResourceHealthOverrides) (string, error) {
	found, err := health.GetResourceHealth(object, overrides)
	if err != nil {
		return "", err
	}
	if found == nil {
		return "no health", nil
	}
	return string(found.Status), nil
}

func TestRecordedObjects(t *testing.T) {
	ours, counts := generated(t), recorded.Counts{}
	err := recorded.Each(func(record recorded.Record) error {
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(record.Object); err != nil {
			return err
		}
		found, err := report(object, ours)
		if err != nil {
			t.Errorf("%s %s: %v", record.Case, object.GetKind(), err)
		} else if found != record.Health {
			t.Errorf("%s %s %s: %s, expected %s", record.Case, object.GetKind(), object.GetName(), found, record.Health)
		}
		today, err := report(object, lua.ResourceHealthOverrides{})
		if err != nil {
			today = "error"
		}
		counts.Add(builtIn, object.GetKind(), record.Health, today)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, status := range []string{"Healthy", "Progressing", "Degraded", "Suspended"} {
		if counts.Meant(status) == 0 {
			t.Errorf("no recorded object is %s", status)
		}
	}
	if err := counts.Write("argocd.json"); err != nil {
		t.Fatal(err)
	}
}

// TestTodayAnUnavailableClusterIsHealthy is what the page says first.
func TestTodayAnUnavailableClusterIsHealthy(t *testing.T) {
	object := read(t, recorded.UnavailableCluster)
	expect(t, object, "Healthy", "Degraded")
}

// TestTodayABlockedHealthCheckIsProgressing: currentHealthy is left out when it is zero.
func TestTodayABlockedHealthCheckIsProgressing(t *testing.T) {
	object := read(t, `
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineHealthCheck
metadata: {name: workers}
spec: {}
status:
  expectedMachines: 3
  conditions:
  - {type: RemediationAllowed, status: "False", reason: TooManyUnhealthy, message: "Remediation is not allowed"}
`)
	expect(t, object, "Progressing", "Degraded")
}

func expect(t *testing.T, object *unstructured.Unstructured, today, ours string) {
	t.Helper()
	found, err := report(object, lua.ResourceHealthOverrides{})
	if err != nil || found != today {
		t.Errorf("built in: %s %v, expected %s", found, err, today)
	}
	found, err = report(object, generated(t))
	if err != nil || found != ours {
		t.Errorf("ours: %s %v, expected %s", found, err, ours)
	}
}

func read(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &object.Object); err != nil {
		t.Fatal(err)
	}
	return object
}
