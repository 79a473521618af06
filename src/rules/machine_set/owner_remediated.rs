#![doc = include_str!("owner_remediated.md")]

use super::preflight::Preflight;
use crate::progress::Progress;
use crate::table::{Table, facts, in_progress, otherwise, row, subject};
use crate::view::{ConditionsExt, Machine};

/// A machine of a MachineSet that may have to be remediated.
pub struct MachineOfMachineSet;

/// What the guards read.
pub struct Remediation<'a> {
    /// The machine.
    pub machine: &'a Machine<'a>,
    /// What all machines of the MachineSet have in common.
    pub budget: &'a Budget,
    /// How many machines go before this one.
    pub before: usize,
    /// What is decided about the machine.
    pub progress: Progress<'a>,
}

/// How many machines a MachineSet may remediate at once.
pub struct Budget {
    /// Whether the MachineSet belongs to an earlier template of its MachineDeployment.
    pub replaced: bool,
    /// `maxInFlight` as it is written; `None` when there is no limit.
    pub configured: Option<String>,
    /// `maxInFlight` in machines.
    pub max_in_flight: Result<Option<i64>, String>,
    /// Machines that are being deleted because they were remediated.
    pub in_flight: usize,
    /// The checks before machines are made again.
    pub preflight: Preflight,
}

/// What becomes of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// It is healthy again: the mark for the owner is removed.
    Unmark,
    /// It stays.
    Wait,
    /// It stays, and so does an error.
    Fail,
    /// It stays until the preflight checks pass.
    CheckAgain,
    /// It is deleted.
    Delete,
}

subject!(MachineOfMachineSet, Remediation, Act);

in_progress!(Remediation);

/// What a MachineSet does about an unhealthy machine.
#[rustfmt::skip]
pub static OWNER_REMEDIATED: Table<MachineOfMachineSet> = Table {
    id: "MS-OWN",
    kind: "MachineSet",
    condition: "OwnerRemediated",
    about: "Decided for each of its Machines. Unhealthy Machines (`HealthCheckSucceeded` False) that are left to the owner (`OwnerRemediated` False) are deleted, those with the annotation `cluster.x-k8s.io/remediate-machine` first, then the newest, as long as no more than `maxInFlight` of the MachineDeployment are being replaced.",
    source: "Cluster API v1.14.2, MachineSet controller",
    facts: facts![max_in_flight, in_flight, before; configured, obstacles],
    rows: &[
        //   row         when                                          status reason                 message
        row!("MS-OWN-1", healthy_again                              => act Unmark),
        row!("MS-OWN-2", not_to_be_remediated                       => keep),
        row!("MS-OWN-3", machine_set_replaced                       => False, "CannotBeRemediated",  "Machine won't be remediated because it is pending removal due to rollout", act Wait),
        row!("MS-OWN-4", limit_unreadable                           => keep, act Fail),
        row!("MS-OWN-5", too_many_in_flight                         => False, "RemediationDeferred", "Waiting because there are already too many remediations in progress (spec.strategy.remediation.maxInFlight is {configured})", act Wait),
        row!("MS-OWN-6", preflight_checks_fail                      => False, "RemediationDeferred", "{obstacles}", act CheckAgain),
        row!("MS-OWN-7", otherwise                                  => False, "MachineDeleting",     "Machine is deleting", act Delete),
    ],
};

fn max_in_flight(r: &Remediation<'_>) -> String {
    match &r.budget.max_in_flight {
        Ok(Some(limit)) => limit.to_string(),
        Ok(None) => "no limit".to_owned(),
        Err(error) => error.clone(),
    }
}

fn in_flight(r: &Remediation<'_>) -> usize {
    r.budget.in_flight
}

fn before(r: &Remediation<'_>) -> usize {
    r.before
}

/// `maxInFlight` as it is written.
fn configured<'r>(r: &'r Remediation<'_>) -> &'r str {
    r.budget.configured.as_deref().unwrap_or_default()
}

/// Why preflight checks fail, a line each.
fn obstacles(r: &Remediation<'_>) -> String {
    let lines: Vec<_> = r.budget.preflight.obstacles().iter().map(|obstacle| format!("* {obstacle}")).collect();
    lines.join("\n")
}

/// The Machine stays, its health check succeeds again, and `OwnerRemediated` is still False.
fn healthy_again(r: &Remediation<'_>) -> bool {
    let conditions = &r.machine.status.conditions;
    !r.machine.metadata.in_deletion()
        && conditions.has("HealthCheckSucceeded", "True")
        && conditions.has("OwnerRemediated", "False")
}

/// The Machine is being deleted, or nothing asks for its remediation.
fn not_to_be_remediated(r: &Remediation<'_>) -> bool {
    r.machine.metadata.in_deletion() || !r.machine.to_be_remediated()
}

/// The MachineSet is an old one of its MachineDeployment.
fn machine_set_replaced(r: &Remediation<'_>) -> bool {
    r.budget.replaced
}

/// `maxInFlight` is neither a number nor a percentage.
fn limit_unreadable(r: &Remediation<'_>) -> bool {
    r.budget.max_in_flight.is_err()
}

/// As many Machines as `maxInFlight` allows are being remediated.
fn too_many_in_flight(r: &Remediation<'_>) -> bool {
    let taken = i64::try_from(r.budget.in_flight.saturating_add(r.before)).unwrap_or(i64::MAX);
    r.budget.max_in_flight.as_ref().is_ok_and(|limit| limit.is_some_and(|limit| taken >= limit))
}

/// A preflight check fails.
fn preflight_checks_fail(r: &Remediation<'_>) -> bool {
    !r.budget.preflight.passes()
}
