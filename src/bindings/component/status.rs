//! Status fields, typed for each kind.

use super::evaluation::{all, count, counts};
use super::types;
use crate::outcome::{LastRemediation, Replicas, Status, VersionCount};

impl From<Status> for types::ClusterStatus {
    fn from(s: Status) -> Self {
        Self {
            phase: s.phase.map(ToOwned::to_owned),
            control_plane: s.control_plane.map(Into::into),
            workers: s.workers.map(Into::into),
            control_plane_upgrade_plan: s.control_plane_upgrade_plan,
            workers_upgrade_plan: s.workers_upgrade_plan,
        }
    }
}

impl From<Status> for types::KubeadmControlPlaneStatus {
    fn from(s: Status) -> Self {
        Self {
            selector: s.selector,
            version: s.version,
            initialized: s.control_plane_initialized,
            last_remediation: s.last_remediation.map(Into::into),
            replicas: s.replicas.into(),
        }
    }
}

impl From<Status> for types::MachineDeploymentStatus {
    fn from(s: Status) -> Self {
        Self { phase: s.phase.map(ToOwned::to_owned), selector: s.selector, replicas: s.replicas.into() }
    }
}

impl From<Status> for types::MachineSetStatus {
    fn from(s: Status) -> Self {
        Self { selector: s.selector, replicas: s.replicas.into() }
    }
}

impl From<Status> for types::MachinePoolStatus {
    fn from(s: Status) -> Self {
        Self { replicas: s.replicas.into() }
    }
}

impl From<Status> for types::MachineStatus {
    fn from(s: Status) -> Self {
        Self { phase: s.phase.map(ToOwned::to_owned), last_updated: s.last_updated.map(|time| time.to_string()) }
    }
}

impl From<Status> for types::MachineHealthCheckStatus {
    fn from(s: Status) -> Self {
        Self {
            expected_machines: counts(s.expected_machines),
            current_healthy: counts(s.current_healthy),
            remediations_allowed: counts(s.remediations_allowed),
            targets: all(s.targets),
            observed_generation: s.observed_generation,
        }
    }
}

impl From<Replicas> for types::Replicas {
    fn from(r: Replicas) -> Self {
        Self {
            desired_replicas: counts(r.desired_replicas),
            replicas: counts(r.replicas),
            ready_replicas: counts(r.ready_replicas),
            available_replicas: counts(r.available_replicas),
            up_to_date_replicas: counts(r.up_to_date_replicas),
            versions: all(r.versions),
        }
    }
}

impl From<VersionCount> for types::VersionCount {
    fn from(v: VersionCount) -> Self {
        Self { version: v.version, replicas: count(v.replicas) }
    }
}

impl From<LastRemediation> for types::LastRemediation {
    fn from(r: LastRemediation) -> Self {
        Self { machine: r.machine, time: r.time.to_string(), retry_count: count(r.retry_count) }
    }
}
