//! The replica counters of control plane and workers.

use super::Facts;
use crate::outcome::{self, Replicas};
use crate::rules::status_versions::Act;
use crate::rules::versions;
use crate::view::{ConditionsExt, Counters, ExternalObject, Machine, VersionCount};

/// Counters of the control plane: what its object reports, else its Machines.
pub fn of_control_plane(s: &Facts<'_>, counting: Act) -> Replicas {
    let counters = counters_of_control_plane(s);
    Replicas { versions: if counting == Act::LeaveOut { Vec::new() } else { counters.versions }, ..counters }
}

fn counters_of_control_plane(s: &Facts<'_>) -> Replicas {
    let spec = &s.input.object.spec;
    let stored = stored(&s.input.object.status.control_plane);
    if spec.control_plane_ref.is_defined() || spec.topology.is_defined() {
        return match s.control_plane.object() {
            Some(object) if !s.control_plane.missing() => {
                reported(object, &s.input.observed.control_plane_contract_version, stored)
            }
            _ => Replicas::default(),
        };
    }
    if !s.input.observed.descendants_listed {
        return stored;
    }
    let mut counters = Replicas::default();
    for machine in &s.descendants.control_plane_machines {
        count(&mut counters, machine);
    }
    Replicas { versions: versions::of_machines(&s.descendants.control_plane_machines), ..counters }
}

/// Counters of the workers, summed up over MachineDeployments and what belongs to none.
pub fn of_workers(s: &Facts<'_>, counting: Act, pools: bool) -> Replicas {
    let counters = counters_of_workers(s, pools);
    Replicas { versions: if counting == Act::LeaveOut { Vec::new() } else { counters.versions }, ..counters }
}

fn counters_of_workers(s: &Facts<'_>, pools: bool) -> Replicas {
    if !s.input.observed.descendants_listed {
        return stored(&s.input.object.status.workers);
    }
    let mut counters = Replicas::default();
    let pools: &[_] = if pools { &s.descendants.machine_pools } else { &[] };
    for pool in pools {
        add(&mut counters, Replicas { desired_replicas: pool.spec.replicas, ..pool.status.counters() });
    }
    for deployment in &s.descendants.machine_deployments {
        add(&mut counters, Replicas { desired_replicas: deployment.spec.replicas, ..deployment.status.counters() });
    }
    for set in &s.descendants.stand_alone_machine_sets {
        add(&mut counters, Replicas { desired_replicas: set.spec.replicas, ..set.status.counters() });
    }
    for machine in &s.descendants.stand_alone_worker_machines {
        count(&mut counters, machine);
    }
    counters.versions.extend(versions::of_machines(&s.descendants.stand_alone_worker_machines));
    Replicas { versions: versions::summed(counters.versions), ..counters }
}

/// What a control plane reports; a counter that it does not have stays as it was.
fn reported(object: &ExternalObject<'_>, contract: &str, stored: Replicas) -> Replicas {
    let desired_replicas = object.spec.replicas.as_i64().or(stored.desired_replicas);
    let (available, up_to_date) = if contract == "v1beta1" {
        let unavailable = object.count("unavailableReplicas");
        let available = desired_replicas.zip(unavailable).map(|(desired, not)| desired.saturating_sub(not).max(0));
        (available, object.count("updatedReplicas"))
    } else {
        (object.count("availableReplicas"), object.count("upToDateReplicas"))
    };
    Replicas {
        desired_replicas,
        replicas: object.count("replicas").or(stored.replicas),
        ready_replicas: object.count("readyReplicas").or(stored.ready_replicas),
        available_replicas: available.or(stored.available_replicas),
        up_to_date_replicas: up_to_date.or(stored.up_to_date_replicas),
        versions: reported_versions(object, stored.versions),
    }
}

/// The versions that a control plane reports. A list that makes no sense changes nothing, a missing one takes them away.
fn reported_versions(object: &ExternalObject<'_>, stored: Vec<outcome::VersionCount>) -> Vec<outcome::VersionCount> {
    let Ok(found) = object.versions() else { return stored };
    let Some(counts) = found else { return Vec::new() };
    let sensible = versions::are_ascending(counts.iter().map(|count| &*count.version))
        && counts.iter().all(|count| count.replicas >= 0);
    if sensible { counts.iter().map(VersionCount::counted).collect() } else { stored }
}

/// A Machine that somebody made is one that somebody wants.
fn count(counters: &mut Replicas, machine: &Machine<'_>) {
    let one_if = |condition: &str| machine.status.conditions.has(condition, "True").then_some(1);
    let one = Replicas {
        desired_replicas: Some(1),
        replicas: Some(1),
        ready_replicas: one_if("Ready"),
        available_replicas: one_if("Available"),
        up_to_date_replicas: one_if("UpToDate"),
        versions: Vec::new(),
    };
    add(counters, one);
}

/// Adds up; a counter that nobody has stays unset.
fn add(counters: &mut Replicas, more: Replicas) {
    for (counter, more) in [
        (&mut counters.desired_replicas, more.desired_replicas),
        (&mut counters.replicas, more.replicas),
        (&mut counters.ready_replicas, more.ready_replicas),
        (&mut counters.available_replicas, more.available_replicas),
        (&mut counters.up_to_date_replicas, more.up_to_date_replicas),
    ] {
        *counter = counter.map_or(more, |sum| Some(sum.saturating_add(more.unwrap_or(0))));
    }
    counters.versions.extend(more.versions);
}

fn stored(counters: &Counters<'_>) -> Replicas {
    Replicas {
        desired_replicas: counters.desired_replicas,
        replicas: counters.replicas,
        ready_replicas: counters.ready_replicas,
        available_replicas: counters.available_replicas,
        up_to_date_replicas: counters.up_to_date_replicas,
        versions: counters.versions.iter().map(VersionCount::counted).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_that_nobody_has_stay_unset() {
        let mut counters = Replicas::default();
        add(&mut counters, Replicas { replicas: Some(2), ..Replicas::default() });
        add(&mut counters, Replicas { replicas: Some(3), ready_replicas: Some(0), ..Replicas::default() });
        assert_eq!(counters, Replicas { replicas: Some(5), ready_replicas: Some(0), ..Replicas::default() });
    }

    #[test]
    fn the_old_contract_counts_what_is_unavailable() {
        let read = |text: &'static str| capi_policy_json::read::<ExternalObject<'_>>(text).unwrap_or_default();
        let object = read(r#"{"spec": {"replicas": 3}, "status": {"unavailableReplicas": 1, "availableReplicas": 9}}"#);
        assert_eq!(reported(&object, "v1beta1", Replicas::default()).available_replicas, Some(2));
        assert_eq!(reported(&object, "v1beta2", Replicas::default()).available_replicas, Some(9));
        let too_many = read(r#"{"spec": {"replicas": 3}, "status": {"unavailableReplicas": 5}}"#);
        assert_eq!(reported(&too_many, "v1beta1", Replicas::default()).available_replicas, Some(0));
    }
}
