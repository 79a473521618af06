#![doc = include_str!("in_place_update.md")]

use crate::progress::Progress;
use crate::table::{Table, facts, in_progress, otherwise, row, subject};
use crate::view::{Machine, MachineSet, annotation};

/// A machine of a MachineSet that may have to be updated in place.
pub struct UpdatedMachine;

/// What the guards read.
pub struct Update<'a> {
    /// The machine.
    pub machine: &'a Machine<'a>,
    /// Its MachineSet.
    pub machine_set: &'a MachineSet<'a>,
    /// A template that does not exist.
    pub missing_template: Option<String>,
    /// What is decided about the MachineSet.
    pub progress: Progress<'a>,
}

/// What becomes of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Its MachineDeployment has to count it first.
    Wait,
    /// It can't be updated.
    Fail,
    /// The extension takes over.
    Start,
}

subject!(UpdatedMachine, Update, Act);

in_progress!(Update);

/// Whether an in-place update is handed to the extension.
#[rustfmt::skip]
pub static IN_PLACE_UPDATE: Table<UpdatedMachine> = Table {
    id: "MS-IPU",
    kind: "MachineSet",
    condition: "InPlaceUpdate",
    about: "Decided for each of its Machines. A Machine that came from another MachineSet is updated to the template of this one; before that, its MachineDeployment has to count it here.",
    source: "Cluster API v1.14.2, MachineSet controller",
    facts: facts![moved_in, acknowledged],
    rows: &[
        //   row         when                                                    then
        row!("MS-IPU-1", not update_wanted                                    => nothing),
        row!("MS-IPU-2", moved_in and machines_received and not acknowledged  => act Wait),
        row!("MS-IPU-3", template_missing                                     => act Fail),
        row!("MS-IPU-4", otherwise                                            => act Start),
    ],
};

/// The Machine is marked for an update in place that was not handed to the extension yet.
fn update_wanted(u: &Update<'_>) -> bool {
    u.machine.metadata.annotation(annotation::UPDATE_IN_PROGRESS).is_some() && !u.machine.update_pending()
}

/// Whether the machine came from another MachineSet and was not counted here before.
pub fn moved_in(u: &Update<'_>) -> bool {
    u.machine.metadata.annotation(annotation::PENDING_ACKNOWLEDGE_MOVE).is_some()
}

/// The MachineSet receives Machines from others.
fn machines_received(u: &Update<'_>) -> bool {
    receives(u.machine_set)
}

/// Whether machines may come from other MachineSets.
pub fn receives(machine_set: &MachineSet<'_>) -> bool {
    machine_set.metadata.annotation(annotation::RECEIVE_MACHINES_FROM).is_some_and(|from| !from.is_empty())
}

/// The MachineDeployment has counted the Machine here.
fn acknowledged(u: &Update<'_>) -> bool {
    let list = u.machine_set.metadata.annotation(annotation::ACKNOWLEDGED_MOVE);
    list.is_some_and(|list| list.split(',').any(|name| u.machine.metadata.name == *name))
}

/// A template does not exist.
fn template_missing(u: &Update<'_>) -> bool {
    u.missing_template.is_some()
}
