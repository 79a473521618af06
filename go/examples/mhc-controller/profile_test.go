package main

import (
	"context"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	capipolicy "github.com/capi-policy/capi-policy/go"
)

func provider(name, of, version string) client.Object {
	u := &unstructured.Unstructured{Object: map[string]any{"type": of, "providerName": name, "version": version}}
	u.SetAPIVersion("clusterctl.cluster.x-k8s.io/v1alpha3")
	u.SetKind("Provider")
	u.SetNamespace("capi-system")
	u.SetName(of + version)
	return u
}

func manager(image string) client.Object {
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: "capi-system", Name: "capi-controller-manager", Labels: map[string]string{clusterv1.ProviderNameLabel: "cluster-api"}},
		Spec:       appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "manager", Image: image}}}}},
	}
}

func TestProfileOfTheInstalledRelease(t *testing.T) {
	for name, test := range map[string]struct {
		named   string
		objects []client.Object
		want    capipolicy.Profile
	}{
		"named":        {"documented", nil, capipolicy.ProfileDocumented},
		"inventory":    {auto, []client.Object{provider("cluster-api", "CoreProvider", "v1.13.6"), provider("kubeadm", "ControlPlaneProvider", "v1.14.2"), manager("x:v1.14.2")}, capipolicy.ProfileClusterAPIv1_13},
		"image":        {auto, []client.Object{manager("registry.example:5000/cluster-api-controller:v1.14.2@sha256:01")}, capipolicy.ProfileClusterAPIv1_14},
		"nothing":      {auto, nil, ""},
		"unknown":      {auto, []client.Object{provider("cluster-api", "CoreProvider", "v1.15.0")}, ""},
		"no version":   {auto, []client.Object{manager("x")}, ""},
		"two releases": {auto, []client.Object{provider("cluster-api", "CoreProvider", "v1.13.6"), provider("cluster-api", "CoreProvider", "v1.14.2")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			reader := fake.NewClientBuilder().WithScheme(clientgoscheme.Scheme).WithObjects(test.objects...).Build()
			got, err := resolveProfile(context.Background(), reader, test.named)
			if got != test.want || (err == nil) == (test.want == "") {
				t.Errorf("got %q, %v; want %q", got, err, test.want)
			}
		})
	}
}
