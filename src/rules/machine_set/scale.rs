#![doc = include_str!("scale.md")]

use super::Input;
use super::delete_order::DeleteOrder;
use super::in_place_update::receives;
use super::preflight::Preflight;
use crate::outcome::OwnerStep;
use crate::progress::Progress;
use crate::table::{Table, facts, in_progress, otherwise, row, subject};
use crate::view::{Machine, MachineSet, annotation, label};

/// A MachineSet that may have too few or too many machines.
pub struct ScaledMachineSet;

/// What the guards read.
pub struct Scale<'a> {
    /// The MachineSet and what belongs to it.
    pub input: &'a Input<'a>,
    /// Machines that came from another MachineSet and don't count here yet.
    pub pending_moves: usize,
    /// The checks before machines are made.
    pub preflight: &'a Preflight,
    /// A template that does not exist.
    pub missing_template: Option<String>,
    /// The machines in the order in which they would be deleted; `None` where the order is unknown.
    pub order: Option<Vec<&'a Machine<'a>>>,
    /// What is decided about the MachineSet.
    pub progress: Progress<'a>,
}

/// What the MachineSet does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// It can't tell, or can't do it.
    Fail,
    /// It waits.
    Wait,
    /// It waits until the preflight checks pass.
    CheckAgain,
    /// It waits for templates to exist.
    FailToCreate,
    /// It has no MachineSet to hand machines to.
    FailToMove,
    /// It makes machines.
    Create,
    /// It hands machines to another MachineSet.
    Move,
    /// It deletes machines.
    Delete,
}

subject!(ScaledMachineSet, Scale, Act);

in_progress!(Scale);

/// How a MachineSet comes to the number of machines that it wants.
#[rustfmt::skip]
pub static SCALE: Table<ScaledMachineSet> = Table {
    id: "MS-SCA",
    kind: "MachineSet",
    condition: "Scale",
    about: "Machines in deletion count until they are gone, so none is deleted in their place. In the order of deletion come first those in deletion, then those with the annotation `cluster.x-k8s.io/delete-machine`, those that are updated in place, unhealthy ones, and then `spec.deletion.order` decides.",
    source: "Cluster API v1.14.2, MachineSet controller",
    facts: facts![wanted, machines, pending_moves],
    rows: &[
        //   row          when                                                then
        row!("MS-SCA-1",  replicas_not_set                                 => act Fail),
        row!("MS-SCA-2",  machines_missing and creation_disabled           => act Wait),
        row!("MS-SCA-3",  machines_missing and preflight_checks_fail       => act CheckAgain),
        row!("MS-SCA-4",  machines_missing and template_missing            => act FailToCreate),
        row!("MS-SCA-5",  machines_missing                                 => act Create),
        row!("MS-SCA-6",  nothing_to_remove                                => nothing),
        row!("MS-SCA-7",  moves_machines and not target_accepts            => act FailToMove),
        row!("MS-SCA-8",  order_unknown                                    => act Fail),
        row!("MS-SCA-9",  moves_machines                                   => act Move),
        row!("MS-SCA-10", otherwise                                        => act Delete),
    ],
};

fn wanted(s: &Scale<'_>) -> i64 {
    s.input.object.spec.replicas.unwrap_or(0)
}

fn machines(s: &Scale<'_>) -> i64 {
    i64::try_from(s.input.machines.len()).unwrap_or(i64::MAX)
}

fn pending_moves(s: &Scale<'_>) -> usize {
    s.pending_moves
}

/// How many machines are missing.
pub fn missing(s: &Scale<'_>) -> i64 {
    wanted(s).saturating_sub(machines(s))
}

/// How many machines are too many.
pub fn excess(s: &Scale<'_>) -> i64 {
    machines(s).saturating_sub(wanted(s)).saturating_sub_unsigned(s.pending_moves as u64)
}

/// `spec.replicas` is not set.
fn replicas_not_set(s: &Scale<'_>) -> bool {
    s.input.object.spec.replicas.is_none()
}

/// There are fewer Machines than wanted.
fn machines_missing(s: &Scale<'_>) -> bool {
    missing(s) > 0
}

/// The annotation `cluster.x-k8s.io/disable-machine-create` is `true`.
fn creation_disabled(s: &Scale<'_>) -> bool {
    s.input.object.metadata.annotation(annotation::DISABLE_MACHINE_CREATE).is_some_and(|value| *value == *"true")
}

/// A preflight check fails.
fn preflight_checks_fail(s: &Scale<'_>) -> bool {
    !s.preflight.passes()
}

/// A template does not exist.
fn template_missing(s: &Scale<'_>) -> bool {
    s.missing_template.is_some()
}

/// There are no more Machines than wanted, apart from those that are still moving in.
fn nothing_to_remove(s: &Scale<'_>) -> bool {
    machines(s) == wanted(s) || excess(s) == 0
}

/// An annotation names the MachineSet that Machines move to.
fn moves_machines(s: &Scale<'_>) -> bool {
    target_name(s.input.object).is_some()
}

/// The MachineSet that Machines move to exists and accepts them from here.
fn target_accepts(s: &Scale<'_>) -> bool {
    accepting_target(s.input).is_ok()
}

/// `spec.deletion.order` is none of `Random`, `Newest` and `Oldest`.
fn order_unknown(s: &Scale<'_>) -> bool {
    DeleteOrder::of(s.input.object).is_none()
}

fn target_name<'a>(machine_set: &'a MachineSet<'_>) -> Option<&'a str> {
    let target = machine_set.metadata.annotation(annotation::MOVE_MACHINES_TO);
    target.map(|target| &**target).filter(|target| !target.is_empty())
}

/// The MachineSet that machines move to, which has to expect them.
pub fn accepting_target<'a>(input: &'a Input<'_>) -> Result<&'a MachineSet<'a>, String> {
    let name = target_name(input.object).unwrap_or_default();
    let own = &input.object.metadata.name;
    let target = input.other_machine_sets.iter().find(|other| other.metadata.name == *name);
    let target = target.ok_or_else(|| format!("MachineSet {name}, to which machines are to move, was not found"))?;
    let from = target.metadata.annotation(annotation::RECEIVE_MACHINES_FROM).map_or("", |from| from);
    if from.split(',').any(|from| *own == *from) {
        Ok(target)
    } else {
        Err(format!("machines of {own} are to move to {name}, which takes machines only from {from:?}"))
    }
}

/// Machines that don't count as too many before the MachineDeployment has counted them.
pub fn pending(input: &Input<'_>, still_marked: impl Fn(&Machine<'_>) -> bool) -> usize {
    if !receives(input.object) {
        return 0;
    }
    input.machines.iter().filter(|machine| still_marked(machine)).count()
}

/// What happens to the machines that are too many when they move, and what stops it.
pub fn moves(s: &Scale<'_>, target: &MachineSet<'_>) -> (Vec<OwnerStep>, Option<String>) {
    let (mut steps, mut errors) = (Vec::new(), Vec::new());
    let mut left = excess(s);
    for machine in s.order.iter().flatten() {
        if left <= 0 {
            break;
        }
        let name = machine.metadata.name.to_string();
        if machine.metadata.in_deletion() {
            left = left.saturating_sub(1);
        } else if machine.to_be_remediated() {
            left = left.saturating_sub(1);
            delete(s, machine, &mut steps, &mut errors);
        } else if !machine.updating_in_place() && !machine.status.node_ref.name.is_empty() {
            left = left.saturating_sub(1);
            let Some(unique_label) = target.metadata.label(label::UNIQUE) else {
                errors = vec![format!("MachineSet {} has no label {}", target.metadata.name, label::UNIQUE)];
                break;
            };
            let (to, unique_label) = (target.metadata.name.to_string(), unique_label.to_string());
            steps.push(OwnerStep::MoveMachine { machine: name, to, unique_label });
        }
    }
    (steps, (!errors.is_empty()).then(|| errors.join("; ")))
}

/// Deletes the machines that are too many.
pub fn deletions(s: &Scale<'_>) -> (Vec<OwnerStep>, Option<String>) {
    let (mut steps, mut errors) = (Vec::new(), Vec::new());
    let excess = usize::try_from(excess(s)).unwrap_or(0);
    for machine in s.order.iter().flatten().take(excess).filter(|machine| !machine.metadata.in_deletion()) {
        delete(s, machine, &mut steps, &mut errors);
    }
    (steps, (!errors.is_empty()).then(|| errors.join("; ")))
}

fn delete(s: &Scale<'_>, machine: &Machine<'_>, steps: &mut Vec<OwnerStep>, errors: &mut Vec<String>) {
    let name = &machine.metadata.name;
    if s.input.observed.machine_delete_fails.contains(name) {
        errors.push(format!("machine {name} could not be deleted"));
    } else {
        steps.push(OwnerStep::DeleteMachine { machine: name.to_string() });
    }
}
