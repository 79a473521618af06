package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	capipolicy "github.com/capi-policy/capi-policy/go"
)

// auto stands for the rules of the Cluster API that is installed.
const auto = "auto"

// The profiles of releases, each with the versions that it is for.
var releases = map[string]capipolicy.Profile{
	"v1.13": capipolicy.ProfileClusterAPIv1_13,
	"v1.14": capipolicy.ProfileClusterAPIv1_14,
}

var providers = schema.GroupVersionKind{Group: "clusterctl.cluster.x-k8s.io", Version: "v1alpha3", Kind: "ProviderList"}

// resolveProfile gives the profile that is named or, for auto, that of the
// installed core provider. This controller writes what it decides, so a
// version that no profile is for is an error: somebody has to name one.
func resolveProfile(ctx context.Context, reader client.Reader, named string) (capipolicy.Profile, error) {
	if named != auto {
		return capipolicy.Profile(named), nil
	}
	versions, err := installed(ctx, reader)
	if err != nil {
		return "", err
	}
	return profileFor(versions)
}

func profileFor(versions []string) (capipolicy.Profile, error) {
	var found []capipolicy.Profile
	for _, version := range versions {
		profile, known := releases[minor.FindString(version)]
		if !known {
			return "", fmt.Errorf("installed is Cluster API %s, which this policy does not know: name the profile to decide by", version)
		}
		found = append(found, profile)
	}
	slices.Sort(found)
	if found = slices.Compact(found); len(found) != 1 {
		return "", fmt.Errorf("found %d releases of Cluster API %q: name the profile to decide by", len(found), versions)
	}
	return found[0], nil
}

var minor = regexp.MustCompile(`^v\d+\.\d+\b`)

// installed reads the versions of the core provider from clusterctl's
// inventory, else from the images of its Deployments.
func installed(ctx context.Context, reader client.Reader) ([]string, error) {
	inventory := &unstructured.UnstructuredList{}
	inventory.SetGroupVersionKind(providers)
	if err := reader.List(ctx, inventory); err != nil && !meta.IsNoMatchError(err) && !apierrors.IsNotFound(err) {
		return nil, fmt.Errorf("clusterctl's inventory: %w", err)
	}
	var versions []string
	for _, provider := range inventory.Items {
		if provider.Object["type"] == "CoreProvider" && provider.Object["providerName"] == "cluster-api" {
			versions = append(versions, fmt.Sprint(provider.Object["version"]))
		}
	}
	if versions != nil {
		return versions, nil
	}
	deployments := &appsv1.DeploymentList{}
	if err := reader.List(ctx, deployments, client.MatchingLabels{clusterv1.ProviderNameLabel: "cluster-api"}); err != nil {
		return nil, fmt.Errorf("the Deployments of Cluster API: %w", err)
	}
	for _, deployment := range deployments.Items {
		for _, container := range deployment.Spec.Template.Spec.Containers {
			if container.Name == "manager" {
				versions = append(versions, tag(container.Image))
			}
		}
	}
	return versions, nil
}

// tag is that of an image, or nothing.
func tag(image string) string {
	image, _, _ = strings.Cut(image, "@")
	_, tag, _ := strings.Cut(image[strings.LastIndex(image, "/")+1:], ":")
	return tag
}
