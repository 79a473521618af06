package capipolicy

import (
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	controlplanev1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// Profile says which rules apply where the documentation of Cluster API and
// its code differ.
type Profile string

const (
	// ProfileDocumented is what the documentation says. It is the default.
	ProfileDocumented Profile = "documented"
	// ProfileClusterAPI is what Cluster API does.
	ProfileClusterAPI Profile = "cluster-api"
)

// Settings belong to every snapshot.
type Settings struct {
	// Now is the time of the evaluation. It is required: a policy has no clock.
	Now time.Time
	// Profile says which rules apply. Default: ProfileDocumented.
	Profile Profile
	// Explain asks for Evaluation.Explanations.
	Explain bool
	// Observed is what could and could not be read. Its zero value means that
	// everything was read.
	Observed Observed
}

// MachineDeploymentSnapshot is a MachineDeployment and what its decisions
// read.
type MachineDeploymentSnapshot struct {
	Settings          `json:"-"`
	MachineDeployment *clusterv1.MachineDeployment `json:"machineDeployment"`
	// MachineSets are those that the MachineDeployment controls.
	MachineSets []*clusterv1.MachineSet `json:"machineSets,omitempty"`
	// Machines are those of the MachineSets.
	Machines []*clusterv1.Machine `json:"machines,omitempty"`
}

// MachineSetSnapshot is a MachineSet and what its decisions read.
type MachineSetSnapshot struct {
	Settings   `json:"-"`
	MachineSet *clusterv1.MachineSet `json:"machineSet"`
	Machines   []*clusterv1.Machine  `json:"machines,omitempty"`
}

// KubeadmControlPlaneSnapshot is a KubeadmControlPlane and what its decisions
// read.
type KubeadmControlPlaneSnapshot struct {
	Settings            `json:"-"`
	KubeadmControlPlane *controlplanev1.KubeadmControlPlane `json:"kubeadmControlPlane"`
	Cluster             *clusterv1.Cluster                  `json:"cluster,omitempty"`
	Machines            []*clusterv1.Machine                `json:"machines,omitempty"`
}

// MachineSnapshot is a Machine and what its decisions read.
type MachineSnapshot struct {
	Settings        `json:"-"`
	Machine         *clusterv1.Machine         `json:"machine"`
	Cluster         *clusterv1.Cluster         `json:"cluster,omitempty"`
	BootstrapConfig *unstructured.Unstructured `json:"bootstrapConfig,omitempty"`
	InfraMachine    *unstructured.Unstructured `json:"infraMachine,omitempty"`
	Node            *corev1.Node               `json:"node,omitempty"`
	// OwningMachineSet and OwningMachineDeployment are the owners of the
	// Machine, where it has some.
	OwningMachineSet        *clusterv1.MachineSet        `json:"owningMachineSet,omitempty"`
	OwningMachineDeployment *clusterv1.MachineDeployment `json:"owningMachineDeployment,omitempty"`
}

// MachineHealthCheckSnapshot is a MachineHealthCheck and what its decisions
// read.
type MachineHealthCheckSnapshot struct {
	Settings           `json:"-"`
	MachineHealthCheck *clusterv1.MachineHealthCheck `json:"machineHealthCheck"`
	Cluster            *clusterv1.Cluster            `json:"cluster,omitempty"`
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
	Settings           `json:"-"`
	Cluster            *clusterv1.Cluster             `json:"cluster"`
	ClusterClass       *clusterv1.ClusterClass        `json:"clusterClass,omitempty"`
	InfraCluster       *unstructured.Unstructured     `json:"infraCluster,omitempty"`
	ControlPlane       *unstructured.Unstructured     `json:"controlPlane,omitempty"`
	MachineDeployments []*clusterv1.MachineDeployment `json:"machineDeployments,omitempty"`
	MachineSets        []*clusterv1.MachineSet        `json:"machineSets,omitempty"`
	Machines           []*clusterv1.Machine           `json:"machines,omitempty"`
}

// header is what every snapshot has beside its objects.
type header struct {
	Kind     string      `json:"kind"`
	Now      metav1.Time `json:"now"`
	Profile  Profile     `json:"profile,omitempty"`
	Explain  bool        `json:"explain,omitempty"`
	Observed Observed    `json:"observed,omitzero"`
}

// marshal gives the JSON of a snapshot: objects beside the header.
func marshal(kind string, s Settings, objects any) ([]byte, error) {
	first, err := json.Marshal(header{kind, metav1.NewTime(s.Now), s.Profile, s.Explain, s.Observed})
	if err != nil {
		return nil, err
	}
	rest, err := json.Marshal(objects)
	if err != nil {
		return nil, err
	}
	// Every snapshot has an object, so there is always something to join.
	first[len(first)-1] = ','
	return append(first, rest[1:]...), nil
}
