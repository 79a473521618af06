package capipolicy

import "time"

// Observed is what the caller could and could not read, and what it found out
// on the way. A nil or zero field means that everything was read and nothing
// was found.
type Observed struct {
	// MachineSetsListed is false when the MachineSets could not be listed.
	MachineSetsListed *bool `json:"machineSetsListed,omitempty"`
	// MachinesListed is false when the Machines could not be listed.
	MachinesListed *bool `json:"machinesListed,omitempty"`
	// ClusterFound is false when a health check's Cluster does not exist.
	ClusterFound *bool `json:"clusterFound,omitempty"`
	// WorkloadClusterConnected is false without a connection to the workload
	// cluster.
	WorkloadClusterConnected *bool `json:"workloadClusterConnected,omitempty"`
	// NodeReadErrors names Nodes that cannot be read because of an error other
	// than "not found".
	NodeReadErrors []string `json:"nodeReadErrors,omitempty"`
	// RemediationRequestCreateFails is true when the API server refused a new
	// remediation request.
	RemediationRequestCreateFails bool `json:"remediationRequestCreateFails,omitempty"`

	// BootstrapTemplateNotFound is about a MachineDeployment or MachineSet.
	BootstrapTemplateNotFound bool `json:"bootstrapTemplateNotFound,omitempty"`
	// InfrastructureTemplateNotFound is about a MachineDeployment, MachineSet
	// or control plane.
	InfrastructureTemplateNotFound bool `json:"infrastructureTemplateNotFound,omitempty"`
	// ScaleUpPreflightCheckErrMessages are the preflight checks that block a
	// MachineSet from creating Machines, in the order to be shown.
	ScaleUpPreflightCheckErrMessages []string `json:"scaleUpPreflightCheckErrMessages,omitempty"`

	// BootstrapConfigNotFound is about a Machine; nil: as in the snapshot.
	BootstrapConfigNotFound *bool `json:"bootstrapConfigNotFound,omitempty"`
	// InfraMachineNotFound is about a Machine; nil: as in the snapshot.
	InfraMachineNotFound *bool `json:"infraMachineNotFound,omitempty"`
	// InfraClusterNotFound is about a Cluster; nil: as in the snapshot.
	InfraClusterNotFound *bool `json:"infraClusterNotFound,omitempty"`
	// ControlPlaneNotFound is about a Cluster; nil: as in the snapshot.
	ControlPlaneNotFound *bool `json:"controlPlaneNotFound,omitempty"`
	// ControlPlaneContractVersion is v1beta1 or v1beta2, for a Cluster.
	ControlPlaneContractVersion string `json:"controlPlaneContractVersion,omitempty"`
	// DescendantsListed is false when a Cluster's MachineDeployments,
	// MachineSets and Machines could not be listed.
	DescendantsListed *bool `json:"descendantsListed,omitempty"`

	// NodeGetError says why a Machine's Node cannot be read:
	// ClusterNotConnected or anything else.
	NodeGetError string `json:"nodeGetError,omitempty"`
	// HealthCheckingState is about the probes of the workload cluster.
	HealthCheckingState HealthCheckingState `json:"healthCheckingState,omitzero"`
	// RemoteConditionsGracePeriodSeconds is how long a Machine keeps Node
	// conditions without a successful probe.
	RemoteConditionsGracePeriodSeconds int64 `json:"remoteConditionsGracePeriodSeconds,omitempty"`
	// RemoteConnectionGracePeriodSeconds is how long a Cluster tolerates
	// failing probes.
	RemoteConnectionGracePeriodSeconds int64 `json:"remoteConnectionGracePeriodSeconds,omitempty"`

	// PreflightCheckResults are those of a control plane.
	PreflightCheckResults PreflightCheckResults `json:"preflightCheckResults,omitzero"`
	// EtcdMembers are those of a control plane; nil when they could not be
	// read.
	EtcdMembers []EtcdMember `json:"etcdMembers,omitzero"`
	// EtcdMembersAndMachinesAreMatching is true when members, machines and
	// nodes fit together.
	EtcdMembersAndMachinesAreMatching bool `json:"etcdMembersAndMachinesAreMatching,omitempty"`
	// HasKubeadmConfig says whether the workload cluster has the kubeadm
	// ConfigMap: true, false or error.
	HasKubeadmConfig string `json:"hasKubeadmConfig,omitempty"`

	// DeletingReason and DeletingMessage are what the deletion flow reports.
	DeletingReason  string `json:"deletingReason,omitempty"`
	DeletingMessage string `json:"deletingMessage,omitempty"`
	// UpdatingReason and UpdatingMessage are what the in-place update flow
	// reports.
	UpdatingReason  string `json:"updatingReason,omitempty"`
	UpdatingMessage string `json:"updatingMessage,omitempty"`
}

// HealthCheckingState is about the probes of a workload cluster.
type HealthCheckingState struct {
	LastProbeTime        *time.Time `json:"lastProbeTime,omitempty"`
	LastProbeSuccessTime *time.Time `json:"lastProbeSuccessTime,omitempty"`
	ConsecutiveFailures  int64      `json:"consecutiveFailures,omitempty"`
}

// PreflightCheckResults are a control plane's preflight checks; true is bad.
type PreflightCheckResults struct {
	HasDeletingMachine               bool `json:"hasDeletingMachine,omitempty"`
	CertificateMissing               bool `json:"certificateMissing,omitempty"`
	ControlPlaneComponentsNotHealthy bool `json:"controlPlaneComponentsNotHealthy,omitempty"`
	EtcdClusterNotHealthy            bool `json:"etcdClusterNotHealthy,omitempty"`
	TopologyVersionMismatch          bool `json:"topologyVersionMismatch,omitempty"`
}

// EtcdMember is one member of etcd.
type EtcdMember struct {
	Name      string `json:"name"`
	IsLearner bool   `json:"isLearner,omitempty"`
}
