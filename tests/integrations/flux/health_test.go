// Package flux runs health checks for Cluster API's objects through Flux' own evaluator, and asks kstatus about the same objects.
package flux

import (
	"context"
	"os"
	"testing"

	"capi-policy.test/integrations/recorded"
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/engine"
	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/fluxcd/pkg/apis/kustomize"
	"github.com/fluxcd/pkg/runtime/cel"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

const (
	kustomization = "../../../deploy/gitops/flux-kustomization.yaml"
	published     = "Flux, published for Cluster"
	currentOnly   = "Flux, published for Cluster, without `failed`"
	plain         = "kstatus v1.4.0"
)

// health is what a GitOps tool means by a status of kstatus. Unknown is what readers make of an error: they go on waiting.
var health = map[status.Status]string{
	status.CurrentStatus:     "Healthy",
	status.InProgressStatus:  "Progressing",
	status.TerminatingStatus: "Progressing",
	status.UnknownStatus:     "Progressing",
	status.FailedStatus:      "Degraded",
}

func generated(t *testing.T) []kustomize.CustomHealthCheck {
	text, err := os.ReadFile(kustomization)
	if err != nil {
		t.Fatal(err)
	}
	var patch struct {
		Spec struct {
			HealthCheckExprs []kustomize.CustomHealthCheck `json:"healthCheckExprs"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal(text, &patch); err != nil {
		t.Fatal(err)
	}
	if len(patch.Spec.HealthCheckExprs) != 6 {
		t.Fatalf("%d health checks, expected 6", len(patch.Spec.HealthCheckExprs))
	}
	return patch.Spec.HealthCheckExprs
}

// publishedForCluster is the expression of Flux' cheat sheet for the kind Cluster.
func publishedForCluster(failed bool) []kustomize.CustomHealthCheck {
	check := kustomize.CustomHealthCheck{APIVersion: "cluster.x-k8s.io/v1beta2", Kind: "Cluster"}
	check.Current = "status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'True')"
	if failed {
		check.Failed = "status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'False')"
	}
	return []kustomize.CustomHealthCheck{check}
}

func reader(t *testing.T, checks []kustomize.CustomHealthCheck) engine.StatusReader {
	t.Helper()
	build, err := cel.NewStatusReader(checks)
	if err != nil {
		t.Fatal(err)
	}
	return build(nil)
}

func report(reader engine.StatusReader, object *unstructured.Unstructured) (string, error) {
	found, err := reader.ReadStatusForObject(context.Background(), nil, object)
	if err != nil {
		return "", err
	}
	return health[found.Status], nil
}

func TestRecordedObjects(t *testing.T) {
	ours, both, current := reader(t, generated(t)), reader(t, publishedForCluster(true)), reader(t, publishedForCluster(false))
	counts := recorded.Counts{}
	err := recorded.Each(func(record recorded.Record) error {
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(record.Object); err != nil {
			return err
		}
		kind, meant := object.GetKind(), record.Health
		if meant == "Suspended" { // kstatus has no such state: it is not current, and waiting goes on.
			meant = "Progressing"
		}
		found, err := report(ours, object)
		if err != nil {
			return err
		}
		if found != meant {
			t.Errorf("%s %s %s: %s, expected %s", record.Case, kind, object.GetName(), found, meant)
		}
		if kind == "Cluster" {
			for check, reader := range map[string]engine.StatusReader{published: both, currentOnly: current} {
				found, err := report(reader, object)
				if err != nil {
					return err
				}
				counts.Add(check, kind, meant, found)
			}
		}
		computed, err := status.Compute(object)
		if err != nil {
			return err
		}
		counts.Add(plain, kind, meant, health[computed.Status])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := counts.Write("flux.json"); err != nil {
		t.Fatal(err)
	}
}

// TestToday shows what the page says first: `Ready` is not a condition of a Cluster any more, and all of nothing is True, and False.
func TestToday(t *testing.T) {
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(recorded.UnavailableCluster), &object.Object); err != nil {
		t.Fatal(err)
	}
	for _, check := range []struct {
		name   string
		reader engine.StatusReader
		report string
	}{
		{published, reader(t, publishedForCluster(true)), "Degraded"},
		{currentOnly, reader(t, publishedForCluster(false)), "Healthy"},
		{"ours", reader(t, generated(t)), "Degraded"},
	} {
		found, err := report(check.reader, object)
		if err != nil || found != check.report {
			t.Errorf("%s: %s %v, expected %s", check.name, found, err, check.report)
		}
	}
	computed, err := status.Compute(object)
	if err != nil || health[computed.Status] != "Healthy" {
		t.Errorf("kstatus: %v %v, expected Current", computed, err)
	}
	object.Object["status"] = map[string]any{"conditions": []any{map[string]any{"type": "Available", "status": "True", "reason": "Available", "message": ""}}}
	if found, err := report(reader(t, publishedForCluster(true)), object); err != nil || found != "Degraded" {
		t.Errorf("%s, an available Cluster: %s %v, expected Degraded", published, found, err)
	}
}
