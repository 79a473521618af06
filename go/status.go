package capipolicy

import "time"

// Status holds the status fields that the policy decides. Fields that the kind
// does not have, or that stay unset, are nil or empty.
type Status struct {
	// Phase is a word for where the object is in its life.
	Phase string `json:"phase,omitempty"`
	// LastUpdated is when a Machine's phase last changed.
	LastUpdated *time.Time `json:"lastUpdated,omitempty"`
	// Selector is the label selector as text, for the scale subresource.
	Selector string `json:"selector,omitempty"`
	// Version is the lowest version of a control plane's machines.
	Version string `json:"version,omitempty"`
	// ControlPlaneInitialized says whether a control plane has been
	// initialized.
	ControlPlaneInitialized *bool `json:"controlPlaneInitialized,omitempty"`
	// LastRemediation is the last one of a control plane.
	LastRemediation *LastRemediation `json:"lastRemediation,omitempty"`
	// Replicas are the counters of the object itself.
	Replicas `json:",inline"`
	// ControlPlane counts a Cluster's control plane machines.
	ControlPlane *Replicas `json:"controlPlane,omitempty"`
	// Workers counts a Cluster's workers.
	Workers *Replicas `json:"workers,omitempty"`
	// ControlPlaneUpgradePlan lists the versions that are left for a
	// Cluster's control plane. It is nil when they could not be computed.
	ControlPlaneUpgradePlan []string `json:"controlPlaneUpgradePlan,omitzero"`
	// WorkersUpgradePlan lists those that are left for its workers.
	WorkersUpgradePlan []string `json:"workersUpgradePlan,omitzero"`
	// ExpectedMachines counts the targets of a health check.
	ExpectedMachines *int32 `json:"expectedMachines,omitempty"`
	// CurrentHealthy counts those that passed.
	CurrentHealthy *int32 `json:"currentHealthy,omitempty"`
	// RemediationsAllowed is how many more machines may be remediated.
	RemediationsAllowed *int32 `json:"remediationsAllowed,omitempty"`
	// Targets are the names of a health check's targets, sorted.
	Targets []string `json:"targets,omitempty"`
	// ObservedGeneration is the generation that was evaluated without a
	// problem.
	ObservedGeneration *int64 `json:"observedGeneration,omitempty"`
}

// Replicas are counters. One that nobody reports is nil.
type Replicas struct {
	// DesiredReplicas is how many there should be; Cluster only.
	DesiredReplicas *int32 `json:"desiredReplicas,omitempty"`
	// Replicas is how many there are; the others are how many of these are
	// ready, available and as the spec wants them.
	Replicas          *int32 `json:"replicas,omitempty"`
	ReadyReplicas     *int32 `json:"readyReplicas,omitempty"`
	AvailableReplicas *int32 `json:"availableReplicas,omitempty"`
	UpToDateReplicas  *int32 `json:"upToDateReplicas,omitempty"`
	// Versions counts the replicas that run each version, oldest version
	// first. Empty before Cluster API v1.14.
	Versions []VersionCount `json:"versions,omitempty"`
}

// VersionCount says how many replicas run a version.
type VersionCount struct {
	Version  string `json:"version"`
	Replicas int32  `json:"replicas,omitempty"`
}

// LastRemediation is the last remediation of a control plane.
type LastRemediation struct {
	Machine    string    `json:"machine"`
	Time       time.Time `json:"time"`
	RetryCount int64     `json:"retryCount"`
}
