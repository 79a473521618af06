// Upstream with the controllers of Cluster API v1.14.
package main

import (
	"time"

	"go.uber.org/zap"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	controlplanev1beta1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta1"
	clusterv1beta1 "sigs.k8s.io/cluster-api/api/core/v1beta1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	kubeadm "sigs.k8s.io/cluster-api/controlplane/kubeadm/reconcilers/kubeadmcontrolplane"
	kubeadmwebhooks "sigs.k8s.io/cluster-api/controlplane/kubeadm/webhooks/admission"
	"sigs.k8s.io/cluster-api/core/reconcilers/cluster"
	"sigs.k8s.io/cluster-api/core/reconcilers/machine"
	"sigs.k8s.io/cluster-api/core/reconcilers/machinedeployment"
	"sigs.k8s.io/cluster-api/core/reconcilers/machinehealthcheck"
	"sigs.k8s.io/cluster-api/core/reconcilers/machinepool"
	"sigs.k8s.io/cluster-api/core/reconcilers/machineset"
	webhooks "sigs.k8s.io/cluster-api/core/webhooks/admission"
	"sigs.k8s.io/cluster-api/util/index"

	"capi-policy.test/upstream"
	"capi-policy.test/upstream/controllers"
)

func main() {
	upstream.Main(controllers.Release{
		Core:               "core",
		Schemes:            []func(*runtime.Scheme) error{clusterv1beta1.AddToScheme, controlplanev1beta1.AddToScheme},
		AddIndexes:         index.AddDefaultIndexes,
		Reconcilers:        reconcilers,
		KubeadmReconcilers: kubeadmReconcilers,
		Webhooks:           coreWebhooks,
		KubeadmWebhooks:    kubeadmWebhooks,
	})
}

func reconcilers(p controllers.Parts) map[string]controllers.Reconciler {
	c, r := p.GetClient(), p.GetAPIReader()
	return map[string]controllers.Reconciler{
		"Cluster": &cluster.Reconciler{Client: c, APIReader: r, ClusterCache: p.Clusters, RemoteConnectionGracePeriod: 50 * time.Second, WatchFilterValue: p.WatchFilter},
		"Machine": &machine.Reconciler{Client: c, APIReader: r, ClusterCache: p.Clusters, RemoteConditionsGracePeriod: 5 * time.Minute, WatchFilterValue: p.WatchFilter},
		// The checks before a scale up compare with a real control plane; this one only pretends.
		"MachineSet":         &machineset.Reconciler{Client: c, APIReader: r, ClusterCache: p.Clusters, PreflightChecks: sets.Set[clusterv1.MachineSetPreflightCheck]{}, WatchFilterValue: p.WatchFilter},
		"MachineDeployment":  &machinedeployment.Reconciler{Client: c, APIReader: r, WatchFilterValue: p.WatchFilter},
		"MachineHealthCheck": &machinehealthcheck.Reconciler{Client: c, ClusterCache: p.Clusters, WatchFilterValue: p.HealthCheckFilter},
		"MachinePool":        &machinepool.Reconciler{Client: c, APIReader: r, ClusterCache: p.Clusters, WatchFilterValue: p.WatchFilter},
	}
}

func kubeadmReconcilers(p controllers.Parts) map[string]controllers.Reconciler {
	return map[string]controllers.Reconciler{
		"KubeadmControlPlane": &kubeadm.Reconciler{
			Client: p.GetClient(), APIReader: p.GetAPIReader(), SecretCachingClient: p.Secrets, ClusterCache: p.Clusters,
			EtcdDialTimeout: 10 * time.Second, EtcdCallTimeout: 10 * time.Second, EtcdLogger: zap.NewNop(),
			RemoteConditionsGracePeriod: 5 * time.Minute, WatchFilterValue: p.WatchFilter,
		},
	}
}

func coreWebhooks(p controllers.Parts) map[string]controllers.Webhook {
	return map[string]controllers.Webhook{
		"Cluster":            &webhooks.Cluster{Client: p.GetClient(), ClusterCacheReader: p.Clusters},
		"ClusterClass":       &webhooks.ClusterClass{Client: p.GetClient()},
		"Machine":            &webhooks.Machine{},
		"MachineSet":         &webhooks.MachineSet{},
		"MachineDeployment":  &webhooks.MachineDeployment{},
		"MachineDrainRule":   &webhooks.MachineDrainRule{},
		"MachineHealthCheck": &webhooks.MachineHealthCheck{},
		"MachinePool":        &webhooks.MachinePool{},
	}
}

func kubeadmWebhooks(p controllers.Parts) map[string]controllers.Webhook {
	return map[string]controllers.Webhook{
		"KubeadmControlPlane":         &kubeadmwebhooks.KubeadmControlPlane{},
		"KubeadmControlPlane scale":   &kubeadmwebhooks.ScaleValidator{Client: p.GetClient()},
		"KubeadmControlPlaneTemplate": &kubeadmwebhooks.KubeadmControlPlaneTemplate{},
	}
}
