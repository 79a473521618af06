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
use crate::outcome::Evaluation;
use crate::progress::{Mode, Progress, decide};
use crate::snapshot::Kind;
use crate::summary::Summary;
use crate::table::{Table, in_progress, subject};
use crate::view::Machine;
use std::cell::OnceCell;

/// A Machine.
pub struct OfMachine;

subject!(OfMachine, Facts, ());

/// A Machine and what belongs to it.
pub type Input<'a> = super::input::Input<'a, Machine<'a>>;

/// What the guards read.
pub struct Facts<'a> {
    input: Input<'a>,
    deletion: Deletion<'a>,
    node_health: Option<NodeHealth>,
    bootstrap: Referenced<'a>,
    infrastructure: Referenced<'a>,
    /// Summarized when the table of `Ready` asks, since that is when all it reads is decided.
    summary: OnceCell<Summary>,
    progress: Progress<'a>,
}

in_progress!(Facts);

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

/// Decides every table.
pub fn evaluate(input: Input<'_>, mode: Mode) -> Evaluation {
    let object = input.object;
    let stored = (&object.metadata, &*object.status.conditions);
    let (progress, _) = paused(mode, Kind::Machine, stored, input.cluster);
    let (spec, observed) = (&object.spec, input.observed);
    let (bootstrap, infrastructure) = (&spec.bootstrap.config_ref, &spec.infrastructure_ref);
    let mut facts = Facts {
        deletion: Deletion::of(&object.metadata, observed),
        bootstrap: Referenced::new(bootstrap, input.bootstrap_config, observed.bootstrap_config_not_found),
        infrastructure: Referenced::new(infrastructure, input.infra_machine, observed.infra_machine_not_found),
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
    let mut evaluation = facts.progress.evaluation(Kind::Machine, &object.metadata, status);
    evaluation.requeue_after_seconds = requeue;
    evaluation.next_change = next_change;
    evaluation
}
