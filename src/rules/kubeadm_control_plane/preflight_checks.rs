#![doc = include_str!("preflight_checks.md")]

use super::Input;
use super::projection::{self, COMPONENTS, EtcdProjection};
use super::topology;
use crate::progress::Progress;
use crate::sorted::Sorted;
use crate::table::{Table, facts, in_progress, otherwise, row, subject};
use crate::view::{ConditionsExt, Machine, annotation};

/// A KubeadmControlPlane before a machine comes, goes or is updated.
pub struct CheckedControlPlane;

/// What the guards read.
pub struct Checks<'a> {
    /// The control plane and what belongs to it.
    pub input: &'a Input<'a>,
    /// The machine whose health does not matter.
    pub without: Option<&'a Machine<'a>>,
    /// Whether a machine is to come.
    pub scale_up: bool,
    /// What is decided about the control plane.
    pub progress: Progress<'a>,
}

/// The result of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// All of them passed.
    Pass,
    /// One failed; they are run again soon.
    CheckAgain,
    /// A machine is being deleted; they are run again later.
    WaitForDeletion,
}

subject!(CheckedControlPlane, Checks, Act);

in_progress!(Checks);

/// Whether the control plane is well enough for a change.
#[rustfmt::skip]
pub static PREFLIGHT_CHECKS: Table<CheckedControlPlane> = Table {
    id: "KCP-PRE",
    kind: "KubeadmControlPlane",
    condition: "PreflightChecks",
    about: "Run before a Machine is made, deleted or updated. While a remediation is in progress, its replacement may be made as long as one Machine runs healthy components and etcd keeps its quorum even if the new member is not healthy.",
    source: "Cluster API v1.14.2, KubeadmControlPlane controller",
    facts: facts![
        topology_version_mismatch, certificate_missing, has_deleting_machine, control_plane_components_not_healthy,
        etcd_cluster_not_healthy
    ],
    rows: &[
        //   row          when                                     then
        row!("KCP-PRE-1", no_machine                            => act Pass),
        row!("KCP-PRE-2", topology_version_mismatch             => act CheckAgain),
        row!("KCP-PRE-3", certificate_missing                   => act CheckAgain),
        row!("KCP-PRE-4", has_deleting_machine                  => act WaitForDeletion),
        row!("KCP-PRE-5", replacement_possible                  => act Pass),
        row!("KCP-PRE-6", not_healthy                           => act CheckAgain),
        row!("KCP-PRE-7", otherwise                             => act Pass),
    ],
};

/// The control plane has no Machines.
fn no_machine(c: &Checks<'_>) -> bool {
    c.input.machines.is_empty()
}

/// The Cluster's topology wants another version first.
fn topology_version_mismatch(c: &Checks<'_>) -> bool {
    !no_machine(c) && topology::pending_version(c.input).is_some()
}

/// A Machine is to come and `CertificatesAvailable` is not True.
fn certificate_missing(c: &Checks<'_>) -> bool {
    let available = c.input.object.status.conditions.has("CertificatesAvailable", "True");
    !no_machine(c) && !topology_version_mismatch(c) && c.scale_up && !available
}

/// A Machine is being deleted, and no check before this one failed.
fn has_deleting_machine(c: &Checks<'_>) -> bool {
    let earlier = topology_version_mismatch(c) || certificate_missing(c);
    !earlier && c.input.machines.iter().any(|machine| machine.metadata.in_deletion())
}

/// Whether another check failed before health is looked at.
fn settled(c: &Checks<'_>) -> bool {
    no_machine(c) || topology_version_mismatch(c) || certificate_missing(c) || has_deleting_machine(c)
}

fn control_plane_components_not_healthy(c: &Checks<'_>) -> bool {
    !settled(c) && health(c).components
}

fn etcd_cluster_not_healthy(c: &Checks<'_>) -> bool {
    !settled(c) && health(c).etcd
}

/// What is not healthy.
#[derive(Default)]
struct Health {
    components: bool,
    etcd: bool,
    failures: Vec<String>,
}

/// The failures as people read them, sorted.
pub fn failures(c: &Checks<'_>) -> Vec<String> {
    if settled(c) {
        return Vec::new();
    }
    let mut failures = health(c).failures;
    failures.order_by(Ord::cmp);
    failures
}

/// Components of the Machines or members of etcd are not healthy enough.
fn not_healthy(c: &Checks<'_>) -> bool {
    !health(c).failures.is_empty()
}

fn replacing(c: &Checks<'_>) -> bool {
    c.scale_up && c.input.object.metadata.annotation(annotation::REMEDIATION_IN_PROGRESS).is_some()
}

/// The replacement of a remediated Machine may be made although some Machine is not healthy.
fn replacement_possible(c: &Checks<'_>) -> bool {
    replacing(c) && !health_of_machines(c).failures.is_empty() && !not_healthy(c)
}

fn health(c: &Checks<'_>) -> Health {
    let health = health_of_machines(c);
    if replacing(c) && !health.failures.is_empty() { health_while_replacing(c) } else { health }
}

fn health_of_machines(c: &Checks<'_>) -> Health {
    let manages_etcd = c.input.object.manages_etcd();
    let etcd: &[&str] = if manages_etcd { &["EtcdPodHealthy", "EtcdMemberHealthy"] } else { &[] };
    let mut health = Health::default();
    let others =
        |machine: &&&Machine<'_>| c.without.is_none_or(|without| without.metadata.name != machine.metadata.name);
    for machine in c.input.machines.iter().filter(others) {
        let name = &machine.metadata.name;
        if machine.status.node_ref.name.is_empty() {
            let text = "does not have a corresponding Node yet (Machine.status.nodeRef not set)";
            health.failures.push(format!("Machine {name} {text}"));
            health.components = true;
            health.etcd |= manages_etcd;
            continue;
        }
        for condition in COMPONENTS.iter().chain(etcd) {
            let Some(failure) = complaint(machine, condition) else { continue };
            health.failures.push(failure);
            if *condition == "EtcdMemberHealthy" {
                health.etcd = true;
            } else {
                health.components = true;
            }
        }
    }
    health
}

fn complaint(machine: &Machine<'_>, condition: &str) -> Option<String> {
    let name = &machine.metadata.name;
    let Some(stored) = machine.status.conditions.of_type(condition) else {
        return Some(format!("Machine {name} does not have {condition} condition"));
    };
    let status = match &*stored.status {
        "False" => "false",
        "Unknown" => "unknown",
        _ => return None,
    };
    Some(format!("Machine {name} reports {condition} condition is {status} ({})", stored.message))
}

fn health_while_replacing(c: &Checks<'_>) -> Health {
    let mut health = Health::default();
    if projection::healthy_control_planes(c.input, None) == 0 {
        health.components = true;
        health.failures.push(
            "cannot add a new control plane Machine when there are no control plane Machines with all Kubernetes control \
             plane components in healthy state. Please check Kubernetes control plane component status"
                .to_owned(),
        );
    }
    if !c.input.object.manages_etcd() {
        return health;
    }
    if !projection::members_known(c.input) {
        let text = "cannot check etcd cluster health before scale up, etcd member list is empty";
        health.failures.push(text.to_owned());
    } else if !EtcdProjection::of(c.input, None, true).holds() {
        health.etcd = true;
        let text = "adding a new control plane Machine can lead to etcd quorum loss. Please check the etcd status";
        health.failures.push(text.to_owned());
    }
    health
}
