package clusterapi

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	controlplanev1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	capipolicy "github.com/capi-policy/capi-policy/go"
)

// MachineDeploymentSnapshot is a MachineDeployment and what its decisions
// read.
type MachineDeploymentSnapshot struct {
	capipolicy.Settings `json:"-"`
	MachineDeployment   *clusterv1.MachineDeployment `json:"machineDeployment"`
	// Cluster is the one that the MachineDeployment belongs to; Paused depends
	// on it.
	Cluster *clusterv1.Cluster `json:"cluster,omitempty"`
	// MachineSets are those that the MachineDeployment controls.
	MachineSets []*clusterv1.MachineSet `json:"machineSets,omitempty"`
	// Machines are those of the MachineSets.
	Machines []*clusterv1.Machine `json:"machines,omitempty"`
}

// MachineSetSnapshot is a MachineSet and what its decisions read.
type MachineSetSnapshot struct {
	capipolicy.Settings `json:"-"`
	MachineSet          *clusterv1.MachineSet `json:"machineSet"`
	// Cluster is the one that the MachineSet belongs to; Paused depends on it.
	Cluster  *clusterv1.Cluster   `json:"cluster,omitempty"`
	Machines []*clusterv1.Machine `json:"machines,omitempty"`
	// OwningMachineDeployment controls the MachineSet, OtherMachineSets are the
	// others that it controls. Like the two below they matter for OwnerActions
	// only.
	OwningMachineDeployment *clusterv1.MachineDeployment `json:"owningMachineDeployment,omitempty"`
	OtherMachineSets        []*clusterv1.MachineSet      `json:"otherMachineSets,omitempty"`
	// ControlPlane is the Cluster's, BootstrapTemplate what the Machines'
	// bootstrap configs are made from.
	ControlPlane      *unstructured.Unstructured `json:"controlPlane,omitempty"`
	BootstrapTemplate *unstructured.Unstructured `json:"bootstrapTemplate,omitempty"`
}

// KubeadmControlPlaneSnapshot is a KubeadmControlPlane and what its decisions
// read.
type KubeadmControlPlaneSnapshot struct {
	capipolicy.Settings `json:"-"`
	KubeadmControlPlane *controlplanev1.KubeadmControlPlane `json:"kubeadmControlPlane"`
	Cluster             *clusterv1.Cluster                  `json:"cluster,omitempty"`
	Machines            []*clusterv1.Machine                `json:"machines,omitempty"`
	// Nodes and Pods are those of the control plane in the workload cluster; no
	// Pods at all, not even an empty list, when they were not read.
	Nodes []*corev1.Node `json:"nodes,omitempty"`
	Pods  []*corev1.Pod  `json:"pods,omitzero"`
	// KubeadmConfigs and InfraMachines are those of the Machines.
	KubeadmConfigs []*unstructured.Unstructured `json:"kubeadmConfigs,omitempty"`
	InfraMachines  []*unstructured.Unstructured `json:"infraMachines,omitempty"`
}

// MachinePoolSnapshot is a MachinePool and what its decisions read.
type MachinePoolSnapshot struct {
	capipolicy.Settings `json:"-"`
	MachinePool         *clusterv1.MachinePool     `json:"machinePool"`
	Cluster             *clusterv1.Cluster         `json:"cluster,omitempty"`
	BootstrapConfig     *unstructured.Unstructured `json:"bootstrapConfig,omitempty"`
	InfraMachinePool    *unstructured.Unstructured `json:"infraMachinePool,omitempty"`
	// Machines are those of the MachinePool, where its infrastructure has some.
	Machines []*clusterv1.Machine `json:"machines,omitempty"`
}

// MachineSnapshot is a Machine and what its decisions read.
type MachineSnapshot struct {
	capipolicy.Settings `json:"-"`
	Machine             *clusterv1.Machine         `json:"machine"`
	Cluster             *clusterv1.Cluster         `json:"cluster,omitempty"`
	BootstrapConfig     *unstructured.Unstructured `json:"bootstrapConfig,omitempty"`
	InfraMachine        *unstructured.Unstructured `json:"infraMachine,omitempty"`
	Node                *corev1.Node               `json:"node,omitempty"`
	// OwningMachineSet and OwningMachineDeployment are the owners of the
	// Machine, where it has some.
	OwningMachineSet        *clusterv1.MachineSet        `json:"owningMachineSet,omitempty"`
	OwningMachineDeployment *clusterv1.MachineDeployment `json:"owningMachineDeployment,omitempty"`
}

// MachineHealthCheckSnapshot is a MachineHealthCheck and what its decisions
// read.
type MachineHealthCheckSnapshot struct {
	capipolicy.Settings `json:"-"`
	MachineHealthCheck  *clusterv1.MachineHealthCheck `json:"machineHealthCheck"`
	Cluster             *clusterv1.Cluster            `json:"cluster,omitempty"`
	// Machines are those of the namespace; the policy selects.
	Machines []*clusterv1.Machine `json:"machines,omitempty"`
	// Nodes are those of the workload cluster.
	Nodes []*corev1.Node `json:"nodes,omitempty"`
	// RemediationTemplate is what spec.remediation.templateRef names.
	RemediationTemplate *unstructured.Unstructured `json:"remediationTemplate,omitempty"`
	// RemediationRequests are the requests that exist.
	RemediationRequests []*unstructured.Unstructured `json:"remediationRequests,omitempty"`
}

// ClusterSnapshot is a Cluster and what its decisions read.
type ClusterSnapshot struct {
	capipolicy.Settings `json:"-"`
	Cluster             *clusterv1.Cluster             `json:"cluster"`
	ClusterClass        *clusterv1.ClusterClass        `json:"clusterClass,omitempty"`
	InfraCluster        *unstructured.Unstructured     `json:"infraCluster,omitempty"`
	ControlPlane        *unstructured.Unstructured     `json:"controlPlane,omitempty"`
	MachineDeployments  []*clusterv1.MachineDeployment `json:"machineDeployments,omitempty"`
	MachinePools        []*clusterv1.MachinePool       `json:"machinePools,omitempty"`
	MachineSets         []*clusterv1.MachineSet        `json:"machineSets,omitempty"`
	Machines            []*clusterv1.Machine           `json:"machines,omitempty"`
}

// Each kind's objects without the methods of its snapshot, so that MarshalJSON
// does not find itself.
type (
	machineDeploymentObjects   MachineDeploymentSnapshot
	machineSetObjects          MachineSetSnapshot
	kubeadmControlPlaneObjects KubeadmControlPlaneSnapshot
	machinePoolObjects         MachinePoolSnapshot
	machineObjects             MachineSnapshot
	machineHealthCheckObjects  MachineHealthCheckSnapshot
	clusterObjects             ClusterSnapshot
)

// MarshalJSON gives the snapshot as the policy reads it.
func (s MachineDeploymentSnapshot) MarshalJSON() ([]byte, error) {
	return capipolicy.MarshalSnapshot("MachineDeployment", s.Settings, machineDeploymentObjects(s))
}

// MarshalJSON gives the snapshot as the policy reads it.
func (s MachineSetSnapshot) MarshalJSON() ([]byte, error) {
	return capipolicy.MarshalSnapshot("MachineSet", s.Settings, machineSetObjects(s))
}

// MarshalJSON gives the snapshot as the policy reads it.
func (s KubeadmControlPlaneSnapshot) MarshalJSON() ([]byte, error) {
	return capipolicy.MarshalSnapshot("KubeadmControlPlane", s.Settings, kubeadmControlPlaneObjects(s))
}

// MarshalJSON gives the snapshot as the policy reads it.
func (s MachinePoolSnapshot) MarshalJSON() ([]byte, error) {
	return capipolicy.MarshalSnapshot("MachinePool", s.Settings, machinePoolObjects(s))
}

// MarshalJSON gives the snapshot as the policy reads it.
func (s MachineSnapshot) MarshalJSON() ([]byte, error) {
	return capipolicy.MarshalSnapshot("Machine", s.Settings, machineObjects(s))
}

// MarshalJSON gives the snapshot as the policy reads it.
func (s MachineHealthCheckSnapshot) MarshalJSON() ([]byte, error) {
	return capipolicy.MarshalSnapshot("MachineHealthCheck", s.Settings, machineHealthCheckObjects(s))
}

// MarshalJSON gives the snapshot as the policy reads it.
func (s ClusterSnapshot) MarshalJSON() ([]byte, error) {
	return capipolicy.MarshalSnapshot("Cluster", s.Settings, clusterObjects(s))
}
