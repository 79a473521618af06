// bootstrap.go boots machines: it writes the Secret that a bootstrap config promises.

package provider

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// addBootstrap writes the secret that a bootstrap config promises.
func addBootstrap(mgr ctrl.Manager) error {
	return watch(mgr, BootstrapConfig, bootstrap)
}

// addKubeadmBootstrap does so for the configs of a KubeadmControlPlane, and
// says when the certificates expire: upstream would ask the machine's own API
// server for that.
func addKubeadmBootstrap(mgr ctrl.Manager) error {
	return watch(mgr, KubeadmConfig, func(ctx context.Context, c client.Client, o *unstructured.Unstructured) error {
		if err := annotate(ctx, c, o, clusterv1.MachineCertificatesExpiryDateAnnotation, time.Now().AddDate(1, 0, 0).UTC().Format(time.RFC3339)); err != nil {
			return err
		}
		return bootstrap(ctx, c, o)
	})
}

func bootstrap(ctx context.Context, c client.Client, o *unstructured.Unstructured) error {
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       o.GetNamespace(),
			Name:            o.GetName(),
			Labels:          map[string]string{clusterv1.ClusterNameLabel: o.GetLabels()[clusterv1.ClusterNameLabel]},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(o, o.GroupVersionKind())},
		},
		Type: clusterv1.ClusterSecretType,
		Data: map[string][]byte{"value": []byte("nothing to boot")},
	}
	if err := c.Create(ctx, secret); err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	return patchWith(ctx, c, o, nil, map[string]any{
		"initialization": map[string]any{"dataSecretCreated": true},
		"dataSecretName": secret.Name,
	})
}

// annotate sets an annotation that is not there yet.
func annotate(ctx context.Context, c client.Client, o *unstructured.Unstructured, key, value string) error {
	if _, there := o.GetAnnotations()[key]; there {
		return nil
	}
	before := o.DeepCopy()
	annotations := o.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[key] = value
	o.SetAnnotations(annotations)
	return client.IgnoreNotFound(c.Patch(ctx, o, client.MergeFrom(before)))
}
