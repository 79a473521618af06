#![doc = include_str!("next_step.md")]

use super::Input;
use super::failure_domains;
use crate::observed::NotUpToDate;
use crate::progress::Progress;
use crate::rules::replica_counters::number;
use crate::table::{Table, facts, in_progress, otherwise, row, subject};
use crate::view::{ConditionsExt, IntOrPercent, Machine};

/// A KubeadmControlPlane that may have to be scaled or rolled out.
pub struct ScaledControlPlane;

/// What the guards read.
pub struct Next<'a> {
    /// The control plane and what belongs to it.
    pub input: &'a Input<'a>,
    /// Machines that have to be replaced or updated.
    pub outdated: Vec<&'a Machine<'a>>,
    /// The machine that would go, or be updated, first.
    pub candidate: Option<&'a Machine<'a>>,
    /// Whether the preflight checks pass before a machine comes,
    pub ready_to_grow: bool,
    /// before any machine is updated,
    pub ready_to_update: bool,
    /// before the candidate goes.
    pub ready_to_shrink: bool,
    /// What is decided about the control plane.
    pub progress: Progress<'a>,
}

/// What the control plane does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Waits for an in-place update.
    WaitForUpdate,
    /// Waits for the checks before a machine comes.
    WaitToGrow,
    /// Waits for the checks before a machine is updated.
    WaitToUpdate,
    /// Waits for the checks before a machine goes.
    WaitToShrink,
    /// Makes the first machine.
    Initialize,
    /// Makes a machine.
    Grow,
    /// Deletes a machine.
    Shrink,
    /// Updates a machine in place.
    Update,
}

subject!(ScaledControlPlane, Next, Act);

in_progress!(Next);

/// How a control plane comes to the machines that it wants.
#[rustfmt::skip]
pub static NEXT_STEP: Table<ScaledControlPlane> = Table {
    id: "KCP-NXT",
    kind: "KubeadmControlPlane",
    condition: "NextStep",
    about: "A rollout goes before scaling. With `maxSurge` 1 a Machine is added first, else one is replaced. First go Machines with the annotation `cluster.x-k8s.io/delete-machine`, those with unhealthy components, those in a failure domain with more of them than others, and the oldest.",
    source: "Cluster API v1.14.2, KubeadmControlPlane controller",
    facts: facts![wanted, machines, outdated, up_to_date, max_surge, failure_domains],
    rows: &[
        //   row           when                                                                    then
        row!("KCP-NXT-1",  updating_in_place                                                    => act WaitForUpdate),
        row!("KCP-NXT-2",  rollout and room_for_surge and not ready_to_grow                     => act WaitToGrow),
        row!("KCP-NXT-3",  rollout and room_for_surge                                           => act Grow),
        row!("KCP-NXT-4",  rollout and in_place_possible and not ready_to_update and ready_to_shrink => act Shrink),
        row!("KCP-NXT-5",  rollout and in_place_possible and not ready_to_update                => act WaitToUpdate),
        row!("KCP-NXT-6",  rollout and in_place_possible and update_taken                       => act Update),
        row!("KCP-NXT-7",  rollout and in_place_possible                                        => act Shrink),
        row!("KCP-NXT-8",  rollout and not ready_to_shrink                                      => act WaitToShrink),
        row!("KCP-NXT-9",  rollout                                                              => act Shrink),
        row!("KCP-NXT-10", too_few and machines == 0                                            => act Initialize),
        row!("KCP-NXT-11", too_few and not ready_to_grow                                        => act WaitToGrow),
        row!("KCP-NXT-12", too_few                                                              => act Grow),
        row!("KCP-NXT-13", too_many and not ready_to_shrink                                     => act WaitToShrink),
        row!("KCP-NXT-14", too_many                                                             => act Shrink),
        row!("KCP-NXT-15", otherwise                                                            => nothing),
    ],
};

/// Machines that are not as the spec wants them, and what is known about them.
pub fn not_up_to_date<'a>(input: &'a Input<'a>) -> Vec<(&'a Machine<'a>, Option<&'a NotUpToDate<'a>>)> {
    let reported = input.observed.machines_not_up_to_date.as_ref();
    let result = |machine: &'a Machine<'a>| {
        if let Some(list) = reported {
            let result = list.iter().find(|result| result.machine == machine.metadata.name);
            return result.map(|result| (machine, Some(result)));
        }
        let stored = machine.status.conditions.of_type("UpToDate");
        stored.filter(|c| c.status == *"False" && c.reason == *"NotUpToDate").map(|_| (machine, None))
    };
    input.machines.iter().copied().filter_map(result).collect()
}

fn wanted(n: &Next<'_>) -> i64 {
    n.input.object.spec.replicas.unwrap_or(1)
}

/// How many Machines there are.
fn machines(n: &Next<'_>) -> i64 {
    number(n.input.machines.len())
}

fn outdated(n: &Next<'_>) -> usize {
    n.outdated.len()
}

fn up_to_date(n: &Next<'_>) -> i64 {
    machines(n).saturating_sub(number(not_up_to_date(n.input).len()))
}

/// Where the next machine may go.
fn failure_domains(n: &Next<'_>) -> String {
    let outdated: Vec<_> = not_up_to_date(n.input).into_iter().map(|(machine, _)| machine).collect();
    failure_domains::for_next_machine(n.input, &outdated).join(", ")
}

fn max_surge(n: &Next<'_>) -> i64 {
    match &n.input.object.spec.rollout.strategy.rolling_update.max_surge {
        Some(IntOrPercent::Int(number)) => *number,
        Some(IntOrPercent::Text(text)) => text.parse().unwrap_or(0),
        None => 1,
    }
}

/// Some Machine is being updated in place.
fn updating_in_place(n: &Next<'_>) -> bool {
    n.input.machines.iter().any(|machine| machine.updating_in_place())
}

/// Some Machine is not up to date.
fn rollout(n: &Next<'_>) -> bool {
    !n.outdated.is_empty()
}

/// There are fewer Machines than `spec.replicas` and `maxSurge` allow.
fn room_for_surge(n: &Next<'_>) -> bool {
    machines(n) < wanted(n).saturating_add(max_surge(n))
}

fn result<'a>(n: &Next<'a>) -> Option<&'a NotUpToDate<'a>> {
    let candidate = n.candidate?;
    let list = not_up_to_date(n.input);
    list.into_iter()
        .find(|(machine, _)| machine.metadata.name == candidate.metadata.name)
        .and_then(|(_, result)| result)
}

/// Updates in place are switched on, only fields of the candidate differ that can be changed in place, and fewer
/// Machines than wanted are up to date.
fn in_place_possible(n: &Next<'_>) -> bool {
    n.input.observed.feature_gates.in_place_updates
        && result(n).is_some_and(|result| result.eligible_for_in_place_update)
        && up_to_date(n) < wanted(n)
}

/// The preflight checks pass before a Machine comes.
fn ready_to_grow(n: &Next<'_>) -> bool {
    n.ready_to_grow
}

/// The preflight checks pass before a Machine is updated.
fn ready_to_update(n: &Next<'_>) -> bool {
    n.ready_to_update
}

/// The preflight checks pass before the candidate goes.
fn ready_to_shrink(n: &Next<'_>) -> bool {
    n.ready_to_shrink
}

/// An extension takes the update of the candidate.
fn update_taken(n: &Next<'_>) -> bool {
    result(n).is_some_and(|result| result.can_update_in_place)
}

/// There are fewer Machines than wanted.
fn too_few(n: &Next<'_>) -> bool {
    machines(n) < wanted(n)
}

/// There are more Machines than wanted.
fn too_many(n: &Next<'_>) -> bool {
    machines(n) > wanted(n)
}
