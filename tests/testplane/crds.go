// crds.go installs CRDs from folders of YAML files, as small as the tests
// need them: one version, no conversion, no descriptions.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"
)

var crdResource = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// contractVersion is the one version kept of a CRD that has it.
const contractVersion = "v1beta2"

// installCRDs applies the CRDs of these groups (of all, if none is named) and
// waits until each is served.
func installCRDs(ctx context.Context, client dynamic.Interface, dirs, groups []string) error {
	crds, err := readCRDs(dirs, groups)
	if err != nil {
		return err
	}
	errs := make([]error, len(crds))
	var wg sync.WaitGroup
	for i, crd := range crds {
		wg.Go(func() {
			if err := installCRD(ctx, client, crd); err != nil {
				errs[i] = fmt.Errorf("%s: %w", crd.GetName(), err)
			}
		})
	}
	wg.Wait()
	return utilerrors.NewAggregate(errs)
}

func readCRDs(dirs, groups []string) ([]*unstructured.Unstructured, error) {
	var crds []*unstructured.Unstructured
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("%s: no *.yaml in it", dir)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			crd := &unstructured.Unstructured{}
			if err := yaml.Unmarshal(text, &crd.Object); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			group, _, _ := unstructured.NestedString(crd.Object, "spec", "group")
			if crd.GetKind() != "CustomResourceDefinition" || len(groups) > 0 && !slices.Contains(groups, group) {
				continue
			}
			reduce(crd)
			crds = append(crds, crd)
		}
	}
	return crds, nil
}

// reduce keeps only the contract version, if the CRD has it, and labels the
// CRD as the module's own kustomization does: a reference is resolved by it.
func reduce(crd *unstructured.Unstructured) {
	unstructured.RemoveNestedField(crd.Object, "status")
	unstructured.RemoveNestedField(crd.Object, "spec", "conversion")
	versions, _, _ := unstructured.NestedSlice(crd.Object, "spec", "versions")
	for _, v := range versions {
		version := v.(map[string]any)
		if version["name"] == contractVersion {
			version["served"], version["storage"] = true, true
			versions = []any{version}
			labels := crd.GetLabels()
			if labels == nil {
				labels = map[string]string{}
			}
			labels["cluster.x-k8s.io/"+contractVersion] = contractVersion
			crd.SetLabels(labels)
			break
		}
	}
	stripDescriptions(versions)
	crd.Object["spec"].(map[string]any)["versions"] = versions
}

// stripDescriptions leaves a property that is called description alone: its
// value is a schema, not a text.
func stripDescriptions(value any) {
	switch v := value.(type) {
	case map[string]any:
		if _, text := v["description"].(string); text {
			delete(v, "description")
		}
		for _, inner := range v {
			stripDescriptions(inner)
		}
	case []any:
		for _, inner := range v {
			stripDescriptions(inner)
		}
	}
}

func installCRD(ctx context.Context, client dynamic.Interface, crd *unstructured.Unstructured) error {
	resource := client.Resource(crdResource)
	if _, err := resource.Apply(ctx, crd.GetName(), crd, metav1.ApplyOptions{FieldManager: "testplane", Force: true}); err != nil {
		return err
	}
	return wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		live, err := resource.Get(ctx, crd.GetName(), metav1.GetOptions{})
		if err != nil || !established(live) {
			return false, err
		}
		// Established is said a moment before the first request finds it.
		_, err = client.Resource(servedResource(live)).List(ctx, metav1.ListOptions{Limit: 1})
		return err == nil, nil
	})
}

func servedResource(crd *unstructured.Unstructured) schema.GroupVersionResource {
	group, _, _ := unstructured.NestedString(crd.Object, "spec", "group")
	plural, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "plural")
	versions, _, _ := unstructured.NestedSlice(crd.Object, "spec", "versions")
	version, _ := versions[0].(map[string]any)["name"].(string)
	return schema.GroupVersionResource{Group: group, Version: version, Resource: plural}
}

func established(crd *unstructured.Unstructured) bool {
	conditions, _, _ := unstructured.NestedSlice(crd.Object, "status", "conditions")
	return slices.ContainsFunc(conditions, func(c any) bool {
		condition, _ := c.(map[string]any)
		return condition["type"] == "Established" && condition["status"] == "True"
	})
}
