//! Status fields, typed for each kind.

use super::abi::{Made, made, record};
use super::evaluation::{count, counts, time};
use crate::outcome::{LastRemediation, Name, Replicas, Status, VersionCount};

pub struct OfCluster<'a>(pub &'a Status);
pub struct OfKubeadmControlPlane<'a>(pub &'a Status);
pub struct OfMachineDeployment<'a>(pub &'a Status);
pub struct OfMachineSet<'a>(pub &'a Status);
pub struct OfMachinePool<'a>(pub &'a Status);
pub struct OfMachine<'a>(pub &'a Status);
pub struct OfMachineHealthCheck<'a>(pub &'a Status);

record! {
    OfCluster<'_> { s:
        phase: Option<&str> = s.0.phase,
        control_plane: Option<&Replicas> = s.0.control_plane.as_ref(),
        workers: Option<&Replicas> = s.0.workers.as_ref(),
        control_plane_upgrade_plan: Option<&Vec<String>> = s.0.control_plane_upgrade_plan.as_ref(),
        workers_upgrade_plan: Option<&Vec<String>> = s.0.workers_upgrade_plan.as_ref(),
    }
    OfKubeadmControlPlane<'_> { s:
        selector: Option<&str> = s.0.selector.as_deref(),
        version: Option<&str> = s.0.version.as_deref(),
        initialized: Option<bool> = s.0.control_plane_initialized,
        last_remediation: Option<&LastRemediation> = s.0.last_remediation.as_ref(),
        replicas: &Replicas = &s.0.replicas,
    }
    OfMachineDeployment<'_> { s:
        phase: Option<&str> = s.0.phase,
        selector: Option<&str> = s.0.selector.as_deref(),
        replicas: &Replicas = &s.0.replicas,
    }
    OfMachineSet<'_> { s:
        selector: Option<&str> = s.0.selector.as_deref(),
        replicas: &Replicas = &s.0.replicas,
    }
    OfMachinePool<'_> { s:
        replicas: &Replicas = &s.0.replicas,
    }
    OfMachine<'_> { s:
        phase: Option<&str> = s.0.phase,
        last_updated: Option<Made> = time(s.0.last_updated),
    }
    OfMachineHealthCheck<'_> { s:
        expected_machines: Option<u32> = counts(s.0.expected_machines),
        current_healthy: Option<u32> = counts(s.0.current_healthy),
        remediations_allowed: Option<u32> = counts(s.0.remediations_allowed),
        targets: &Vec<Name> = &s.0.targets,
        observed_generation: Option<i64> = s.0.observed_generation,
    }
    Name { name:
        name: &str = name,
    }
    Replicas { r:
        desired_replicas: Option<u32> = counts(r.desired_replicas),
        replicas: Option<u32> = counts(r.replicas),
        ready_replicas: Option<u32> = counts(r.ready_replicas),
        available_replicas: Option<u32> = counts(r.available_replicas),
        up_to_date_replicas: Option<u32> = counts(r.up_to_date_replicas),
        versions: &Vec<VersionCount> = &r.versions,
    }
    VersionCount { v:
        version: &str = &v.version,
        replicas: u32 = count(v.replicas),
    }
    LastRemediation { r:
        machine: &str = &r.machine,
        time: Made = made(r.time.to_string()),
        retry_count: u32 = count(r.retry_count),
    }
}
