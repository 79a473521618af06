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
	// FeatureGates are those of Cluster API's controllers; nil for what they
	// ship with.
	FeatureGates *FeatureGates `json:"featureGates,omitempty"`
	// PreflightChecks are switched on for the controller of MachineSets; nil
	// for all of them.
	PreflightChecks []string `json:"preflightChecks,omitzero"`
	// EtcdAlarms are those of a control plane's members, EtcdLeaderID is the id
	// of the one that leads; empty when none is known.
	EtcdAlarms   []EtcdAlarm `json:"etcdAlarms,omitempty"`
	EtcdLeaderID string      `json:"etcdLeaderID,omitempty"`
	// NodeListFails is true when the Nodes of a workload cluster can't be
	// listed, WorkloadClientFails when there is no client for it.
	NodeListFails       bool `json:"nodeListFails,omitempty"`
	WorkloadClientFails bool `json:"workloadClientFails,omitempty"`
	// MoveEtcdLeadershipFails are members that can't lead,
	// RemoveEtcdMemberFails is true when members can't be removed.
	MoveEtcdLeadershipFails []string `json:"moveEtcdLeadershipFails,omitempty"`
	RemoveEtcdMemberFails   bool     `json:"removeEtcdMemberFails,omitempty"`
	// MachinesNotUpToDate are machines of a control plane that are not as its
	// spec wants them; nil for those whose UpToDate is False.
	MachinesNotUpToDate []NotUpToDate `json:"machinesNotUpToDate,omitzero"`
	// MachinesNotCompared are machines of a control plane of which nobody read
	// the KubeadmConfig or the infrastructure.
	MachinesNotCompared []string `json:"machinesNotCompared,omitempty"`
	// CanUpdateInPlace are old MachineSets whose change an extension makes in
	// place, CanUpdateInPlaceFails those for which it can't be asked.
	CanUpdateInPlace      []string `json:"canUpdateInPlace,omitempty"`
	CanUpdateInPlaceFails []string `json:"canUpdateInPlaceFails,omitempty"`
	// MachineDeleteFails are machines that the API server refuses to delete.
	MachineDeleteFails []string `json:"machineDeleteFails,omitempty"`
	// HasKubeadmConfig says whether the workload cluster has the kubeadm
	// ConfigMap: true, false or error.
	HasKubeadmConfig string `json:"hasKubeadmConfig,omitempty"`

	// Etcd is what etcd answered about its members; nil when nobody asked it.
	Etcd *EtcdAnswers `json:"etcd,omitempty"`
	// WorkloadClient says why there is no client for a control plane's
	// workload cluster: NotConnected or anything else.
	WorkloadClient string `json:"workloadClient,omitempty"`
	// NodeListError says why the Nodes of the workload cluster cannot be listed.
	NodeListError string `json:"nodeListError,omitempty"`
	// PodGetErrors names Pods that cannot be read because of an error other
	// than "not found".
	PodGetErrors []string `json:"podGetErrors,omitempty"`
	// Secrets are those of the Cluster's certificates, by name and keys; nil
	// when they were not read. An empty list means that there are none.
	Secrets []CertificateSecret `json:"secrets,omitzero"`
	// SecretGetFails names Secrets that cannot be read because of an error
	// other than "not found".
	SecretGetFails []string `json:"secretGetFails,omitempty"`
	// SecretCreateFails is true when the API server refuses new Secrets.
	SecretCreateFails bool `json:"secretCreateFails,omitempty"`
	// SecretPatchFails is true when the API server refuses changes of Secrets.
	SecretPatchFails bool `json:"secretPatchFails,omitempty"`
	// Topology is what the topology controller found out about a Cluster; nil
	// when nobody asked it.
	Topology *Topology `json:"topology,omitempty"`

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
	// ID is its id, as decimal digits.
	ID        string `json:"id,omitempty"`
	Name      string `json:"name"`
	IsLearner bool   `json:"isLearner,omitempty"`
}

// EtcdAnswers is what etcd answered through the Pods of its members.
type EtcdAnswers struct {
	// UnreachableNodes names Nodes whose member cannot be reached.
	UnreachableNodes []string `json:"unreachableNodes,omitempty"`
	// ConnectError says why no member can be reached.
	ConnectError string `json:"connectError,omitempty"`
	// Members are those of etcd.
	Members []EtcdMember `json:"members,omitempty"`
	// MembersError says why the members cannot be listed.
	MembersError string `json:"membersError,omitempty"`
	// LeaderID is the id of the leader, as decimal digits.
	LeaderID string `json:"leaderID,omitempty"`
	// Alarms are those of etcd.
	Alarms []EtcdAlarm `json:"alarms,omitempty"`
	// AlarmsError says why the alarms cannot be listed.
	AlarmsError string `json:"alarmsError,omitempty"`
}

// EtcdAlarm is an alarm of etcd.
type EtcdAlarm struct {
	// MemberID is the id of the member it is about, as decimal digits.
	MemberID string `json:"memberID"`
	// Type is NONE, NOSPACE or CORRUPT.
	Type string `json:"type"`
}

// CertificateSecret is a Secret that holds a certificate of a Cluster. Its
// contents stay with the caller.
type CertificateSecret struct {
	Name string   `json:"name"`
	Keys []string `json:"keys"`
}

// Topology is what the topology controller found out about a Cluster.
type Topology struct {
	// ReconcileError says why the topology could not be reconciled.
	ReconcileError string `json:"reconcileError,omitempty"`
	// HookResponses are what lifecycle hooks answered.
	HookResponses []HookResponse `json:"hookResponses,omitempty"`
	// ComputeUpgradePlanSucceeded is true when the plans could be computed.
	ComputeUpgradePlanSucceeded bool `json:"computeUpgradePlanSucceeded,omitempty"`
	// ControlPlaneUpgrade, MachineDeploymentsUpgrade and MachinePoolsUpgrade
	// say how far the upgrade is.
	ControlPlaneUpgrade       ControlPlaneUpgrade `json:"controlPlaneUpgrade,omitzero"`
	MachineDeploymentsUpgrade WorkersUpgrade      `json:"machineDeploymentsUpgrade,omitzero"`
	MachinePoolsUpgrade       WorkersUpgrade      `json:"machinePoolsUpgrade,omitzero"`
	// ControlPlaneKind is the kind of the control plane.
	ControlPlaneKind string `json:"controlPlaneKind,omitempty"`
	// ControlPlaneVersion is the version that the topology wants it to have now.
	ControlPlaneVersion string `json:"controlPlaneVersion,omitempty"`
}

// HookResponse is what a lifecycle hook answered. It blocks for
// RetryAfterSeconds, 0 for not at all.
type HookResponse struct {
	Hook              string `json:"hook"`
	RetryAfterSeconds int64  `json:"retryAfterSeconds,omitempty"`
	Message           string `json:"message,omitempty"`
}

// ControlPlaneUpgrade says how far the upgrade of a control plane is.
type ControlPlaneUpgrade struct {
	IsPendingUpgrade  bool     `json:"isPendingUpgrade,omitempty"`
	IsStartingUpgrade bool     `json:"isStartingUpgrade,omitempty"`
	IsUpgrading       bool     `json:"isUpgrading,omitempty"`
	UpgradePlan       []string `json:"upgradePlan,omitempty"`
}

// WorkersUpgrade says how far the upgrade of workers is, by their names.
type WorkersUpgrade struct {
	PendingUpgrade []string `json:"pendingUpgrade,omitempty"`
	Upgrading      []string `json:"upgrading,omitempty"`
	Deferred       []string `json:"deferred,omitempty"`
	PendingCreate  []string `json:"pendingCreate,omitempty"`
	UpgradePlan    []string `json:"upgradePlan,omitempty"`
}

// FeatureGates are those of Cluster API's controllers.
type FeatureGates struct {
	ClusterTopology           bool `json:"clusterTopology"`
	InPlaceUpdates            bool `json:"inPlaceUpdates"`
	MachineSetPreflightChecks bool `json:"machineSetPreflightChecks"`
}

// NotUpToDate is a control-plane machine that is not as the spec wants it.
type NotUpToDate struct {
	Machine                  string `json:"machine"`
	EligibleForInPlaceUpdate bool   `json:"eligibleForInPlaceUpdate,omitempty"`
	CanUpdateInPlace         bool   `json:"canUpdateInPlace,omitempty"`
}
