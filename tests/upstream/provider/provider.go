// Package provider pretends to be an infrastructure, a bootstrap and a
// control-plane provider: it marks what upstream asks for as provisioned, and
// joins a Node to the same API server for each machine.
//
// The kinds are the generic ones that upstream's own tests use.
package provider

import (
	"context"
	"slices"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/cluster-api/util/test/builder"
	ctrl "sigs.k8s.io/controller-runtime"
)

// NoNode on a Machine keeps its Node from joining.
const NoNode = "test.capi-policy/no-node"

// The kinds that this provider stands for.
var (
	InfrastructureCluster         = builder.InfrastructureGroupVersion.WithKind(builder.GenericInfrastructureClusterKind)
	InfrastructureMachine         = builder.InfrastructureGroupVersion.WithKind(builder.GenericInfrastructureMachineKind)
	InfrastructureMachinePool     = builder.InfrastructureGroupVersion.WithKind(builder.GenericInfrastructureMachinePoolKind)
	InfrastructureMachineTemplate = builder.InfrastructureGroupVersion.WithKind(builder.GenericInfrastructureMachineTemplateKind)
	BootstrapConfig               = builder.BootstrapGroupVersion.WithKind(builder.GenericBootstrapConfigKind)
	BootstrapConfigTemplate       = builder.BootstrapGroupVersion.WithKind(builder.GenericBootstrapConfigTemplateKind)
	ControlPlane                  = builder.ControlPlaneGroupVersion.WithKind(builder.GenericControlPlaneKind)
	Remediation                   = builder.RemediationGroupVersion.WithKind("GenericExternalRemediation")
	RemediationTemplate           = builder.RemediationGroupVersion.WithKind("GenericExternalRemediationTemplate")
	KubeadmConfig                 = builder.BootstrapGroupVersion.WithKind("KubeadmConfig")
	KubeadmControlPlane           = builder.ControlPlaneGroupVersion.WithKind("KubeadmControlPlane")
)

var crds = []*apiextensionsv1.CustomResourceDefinition{
	builder.GenericInfrastructureClusterCRD,
	builder.GenericInfrastructureMachineCRD,
	builder.GenericInfrastructureMachineTemplateCRD,
	builder.GenericInfrastructureMachinePoolCRD,
	builder.GenericBootstrapConfigCRD,
	builder.GenericBootstrapConfigTemplateCRD,
	builder.GenericControlPlaneCRD,
	builder.GenericRemediationCRD,
	builder.GenericRemediationTemplateCRD,
}

// InstallCRDs returns when every kind is served.
func InstallCRDs(ctx context.Context, config *rest.Config) error {
	clientset, err := apiextensionsclient.NewForConfig(config)
	if err != nil {
		return err
	}
	client := clientset.ApiextensionsV1().CustomResourceDefinitions()
	for _, crd := range crds {
		if _, err := client.Create(ctx, crd, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
	}
	for _, crd := range crds {
		if err := wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
			live, err := client.Get(ctx, crd.Name, metav1.GetOptions{})
			return err == nil && established(live), err
		}); err != nil {
			return err
		}
	}
	return nil
}

func established(crd *apiextensionsv1.CustomResourceDefinition) bool {
	for _, c := range crd.Status.Conditions {
		if c.Type == apiextensionsv1.Established {
			return c.Status == apiextensionsv1.ConditionTrue
		}
	}
	return false
}

// Add puts the provider's controllers and the garbage collector in mgr; with
// kubeadm, it boots KubeadmConfigs too.
func Add(mgr ctrl.Manager, kubeadm bool) error {
	adds := []func(ctrl.Manager) error{addClusters, addControlPlanes, addBootstrap, addPools}
	kinds := collected
	var kubelet *kubelet
	if kubeadm {
		adds = append(adds, addKubeadmBootstrap)
		kinds = append(slices.Clone(kinds), KubeadmConfig, KubeadmControlPlane)
		var err error
		if kubelet, err = addKubelet(mgr); err != nil {
			return err
		}
	}
	for _, add := range adds {
		if err := add(mgr); err != nil {
			return err
		}
	}
	if err := addMachines(mgr, kubelet); err != nil {
		return err
	}
	return addGarbageCollector(mgr, kinds)
}

// New is an empty object of one of the kinds above.
func New(kind schema.GroupVersionKind) *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(kind)
	return u
}
