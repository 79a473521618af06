//! Machine: its facts and its tables.

mod available;
mod bootstrap_config_ready;
mod control_plane_components;
mod deleting;
mod infrastructure_ready;
mod next_change;
mod node;
mod node_health;
mod node_healthy;
mod node_ready;
mod phase;
mod ready;
mod up_to_date;
mod updating;

pub use available::AVAILABLE;
pub use bootstrap_config_ready::BOOTSTRAP_CONFIG_READY;
pub use deleting::DELETING;
pub use infrastructure_ready::INFRASTRUCTURE_READY;
pub use node_healthy::NODE_HEALTHY;
pub use node_ready::NODE_READY;
pub use ready::READY;
pub use up_to_date::UP_TO_DATE;
pub use updating::UPDATING;

use self::node_health::NodeHealth;
use super::deletion::Deletion;
use super::paused::paused;
use crate::mirror::Referenced;
use crate::observed::Observed;
use crate::outcome::Evaluation;
use crate::progress::{Mode, Progress, decide};
use crate::snapshot::Kind;
use crate::summary::Summary;
use crate::table::{Table, in_progress, subject};
use crate::view::{Cluster, ExternalObject, Machine, MachineDeployment, MachineSet, Node};
use std::cell::OnceCell;

/// A Machine.
pub struct OfMachine;

subject!(OfMachine, Facts, ());

/// The tables in the order in which they are decided.
pub static TABLES: &[&Table<OfMachine>] = &[
    &BOOTSTRAP_CONFIG_READY,
    &INFRASTRUCTURE_READY,
    &NODE_READY,
    &NODE_HEALTHY,
    &DELETING,
    &UPDATING,
    &UP_TO_DATE,
    &READY,
    &AVAILABLE,
];

/// A Machine and what belongs to it.
pub struct Input<'a> {
    /// The object.
    pub machine: &'a Machine<'a>,
    /// Its Cluster.
    pub cluster: Option<&'a Cluster<'a>>,
    /// The MachineSet that owns it.
    pub machine_set: Option<&'a MachineSet<'a>>,
    /// The MachineDeployment that owns that.
    pub machine_deployment: Option<&'a MachineDeployment<'a>>,
    /// The object behind `spec.bootstrap.configRef`.
    pub bootstrap_config: Option<&'a ExternalObject<'a>>,
    /// The object behind `spec.infrastructureRef`.
    pub infra_machine: Option<&'a ExternalObject<'a>>,
    /// Its Node.
    pub node: Option<&'a Node<'a>>,
    /// What could be read.
    pub observed: &'a Observed<'a>,
}

/// What the guards read.
pub struct Facts<'a> {
    input: Input<'a>,
    deletion: Deletion<'a>,
    bootstrap: Referenced<'a>,
    infrastructure: Referenced<'a>,
    node_health: Option<NodeHealth>,
    /// Summarized when the table of `Ready` asks, since that is when all it reads is decided.
    summary: OnceCell<Summary>,
    progress: Progress<'a>,
}

in_progress!(Facts);

/// Decides every table.
pub fn evaluate(input: Input<'_>, mode: Mode) -> Evaluation {
    let object = input.machine;
    let progress = Progress::new(mode, &object.metadata, &object.status.conditions);
    let (progress, _) = paused(progress, "Machine", &object.metadata, input.cluster);
    let mut facts = Facts {
        deletion: Deletion::of(&object.metadata, input.observed),
        bootstrap: Referenced::new(
            &object.spec.bootstrap.config_ref,
            input.bootstrap_config,
            input.observed.bootstrap_config_not_found,
        ),
        infrastructure: Referenced::new(
            &object.spec.infrastructure_ref,
            input.infra_machine,
            input.observed.infra_machine_not_found,
        ),
        node_health: input.node.map(NodeHealth::of),
        summary: OnceCell::new(),
        progress,
        input,
    };
    for table in TABLES {
        decide(table, &mut facts);
    }
    let status = phase::status(&facts);
    let (requeue, next_change) = (available::seconds_left(&facts), next_change::of(&facts));
    let mut evaluation = Evaluation::of(Kind::Machine, &object.metadata, facts.progress, status);
    evaluation.requeue_after_seconds = requeue;
    evaluation.next_change = next_change;
    evaluation
}
