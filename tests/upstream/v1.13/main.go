// Upstream with the controllers of Cluster API v1.13.
package main

import (
	"time"

	"go.uber.org/zap"
	"k8s.io/apimachinery/pkg/util/sets"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/api/core/v1beta2/index"
	capi "sigs.k8s.io/cluster-api/controllers"
	kubeadm "sigs.k8s.io/cluster-api/controlplane/kubeadm/controllers"
	kubeadmwebhooks "sigs.k8s.io/cluster-api/controlplane/kubeadm/webhooks"
	"sigs.k8s.io/cluster-api/webhooks"

	"capi-policy.test/upstream"
	"capi-policy.test/upstream/controllers"
)

func main() {
	upstream.Main(controllers.Release{
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
		"Cluster": &capi.ClusterReconciler{Client: c, APIReader: r, ClusterCache: p.Clusters, RemoteConnectionGracePeriod: 50 * time.Second, WatchFilterValue: p.WatchFilter},
		"Machine": &capi.MachineReconciler{Client: c, APIReader: r, ClusterCache: p.Clusters, RemoteConditionsGracePeriod: 5 * time.Minute, WatchFilterValue: p.WatchFilter},
		// The checks before a scale up compare with a real control plane; this one only pretends.
		"MachineSet":         &capi.MachineSetReconciler{Client: c, APIReader: r, ClusterCache: p.Clusters, PreflightChecks: sets.Set[clusterv1.MachineSetPreflightCheck]{}, WatchFilterValue: p.WatchFilter},
		"MachineDeployment":  &capi.MachineDeploymentReconciler{Client: c, APIReader: r, WatchFilterValue: p.WatchFilter},
		"MachineHealthCheck": &capi.MachineHealthCheckReconciler{Client: c, ClusterCache: p.Clusters, WatchFilterValue: p.HealthCheckFilter},
		"MachinePool":        &capi.MachinePoolReconciler{Client: c, APIReader: r, ClusterCache: p.Clusters, WatchFilterValue: p.WatchFilter},
	}
}

func kubeadmReconcilers(p controllers.Parts) map[string]controllers.Reconciler {
	return map[string]controllers.Reconciler{
		"KubeadmControlPlane": &kubeadm.KubeadmControlPlaneReconciler{
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
