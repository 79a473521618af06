// release.go is what one release of Cluster API has to say for itself: where
// its packages are moves from release to release, what they do does not.

package controllers

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
)

// Release is one version of Cluster API.
type Release struct {
	// Core is the folder of the core provider in the module.
	Core string
	// Schemes of older API versions that its webhooks convert from.
	Schemes []func(*runtime.Scheme) error
	// AddIndexes adds the indexes that the reconcilers look things up in.
	AddIndexes func(context.Context, ctrl.Manager) error
	// Reconcilers of the core provider, by kind.
	Reconcilers func(Parts) map[string]Reconciler
	// KubeadmReconcilers of the kubeadm control-plane provider.
	KubeadmReconcilers func(Parts) map[string]Reconciler
	// Webhooks of the core provider for the kinds that the tests write.
	Webhooks func(Parts) map[string]Webhook
	// KubeadmWebhooks of the kubeadm control-plane provider.
	KubeadmWebhooks func(Parts) map[string]Webhook
}

// Parts is what reconcilers and webhooks are made of.
type Parts struct {
	ctrl.Manager
	Clusters clustercache.ClusterCache
	Secrets  client.Client
	Options
}

// Reconciler is a controller that is not set up yet.
type Reconciler interface {
	SetupWithManager(context.Context, ctrl.Manager, controller.Options) error
}

// Webhook is a webhook that is not set up yet.
type Webhook interface {
	SetupWebhookWithManager(ctrl.Manager) error
}

func (r Release) add(ctx context.Context, p Parts) error {
	reconcilers, webhooks := []func(Parts) map[string]Reconciler{r.Reconcilers}, []func(Parts) map[string]Webhook{r.Webhooks}
	if p.Kubeadm {
		reconcilers, webhooks = append(reconcilers, r.KubeadmReconcilers), append(webhooks, r.KubeadmWebhooks)
	}
	for _, of := range reconcilers {
		for name, reconciler := range of(p) {
			if err := reconciler.SetupWithManager(ctx, p.Manager, p.of(name)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	if p.Alone {
		return nil
	}
	for _, of := range webhooks {
		for name, hook := range of(p) {
			if err := hook.SetupWebhookWithManager(p.Manager); err != nil {
				return fmt.Errorf("webhook %s: %w", name, err)
			}
		}
	}
	return nil
}
