#![doc = include_str!("ready.md")]

use super::control_plane_components::grouped;
use super::{Facts, OfMachine};
use crate::aggregate::Priority;
use crate::rules::stale_machines::{DRAIN_DELAYED_AFTER, STALE_AFTER, drain_delays};
use crate::rules::summarized::{Summarized, issues, summarized, summary_message, unknowns};
use crate::summary::{Reported, Scope, Summary, summarize};
use crate::table::{Table, otherwise};
use crate::time::Time;

/// Whether the Machine is fit for use.
pub static READY: Table<OfMachine> = summarized! {
    id: "M-RDY", kind: "Machine", condition: "Ready", source: "Cluster API v1.13.6, `internal/controllers/machine`",
    about: "The summary of `Deleting`, `Updating`, `BootstrapConfigReady`, `InfrastructureReady`, `NodeHealthy`, `HealthCheckSucceeded` and the readiness gates. Control-plane components that say the same are named once.",
    gates: readiness_gates, refused: "M-RDY-1" gate_names_ready, rows: some "M-RDY-2" "NotReady", unclear "M-RDY-3" "ReadyUnknown", all "M-RDY-4" "Ready",
};

const SUMMARIZED: &[&str] =
    &["Deleting", "Updating", "BootstrapConfigReady", "InfrastructureReady", "NodeHealthy", "HealthCheckSucceeded"];

/// While the Machine is deleted, it is all right that these objects are gone already.
const GONE: &[(&str, &[&str])] = &[
    ("BootstrapConfigReady", &["ObjectDeleted", "ObjectDoesNotExist"]),
    ("InfrastructureReady", &["ObjectDeleted", "ObjectDoesNotExist"]),
    ("NodeHealthy", &["NodeDeleted", "NodeDoesNotExist"]),
];

fn readiness_gates(s: &Facts<'_>) -> usize {
    s.input.object.spec.readiness_gates.len()
}

/// A readiness gate names `Ready` itself.
fn gate_names_ready(s: &Facts<'_>) -> bool {
    scope(s).includes("Ready")
}

fn scope<'a>(s: &Facts<'a>) -> Scope<'a> {
    let scope = Scope::new(SUMMARIZED, &["Deleting", "Updating"]).optional("HealthCheckSucceeded");
    scope.gates(&s.input.object.spec.readiness_gates)
}

impl Summarized for Facts<'_> {
    fn summary(&self) -> &Summary {
        let s = self;
        self.summary.get_or_init(|| {
            let scope = scope(s);
            let conditions = scope.read(|kind| s.progress.current(kind)).into_iter().map(|mut reported| {
                if reported.kind == "Deleting" && s.deletion.in_deletion() {
                    reported.message = deletion_in_progress(s, &reported);
                }
                let gone = s.deletion.in_deletion()
                    && GONE
                        .iter()
                        .any(|(kind, reasons)| *kind == reported.kind && reasons.contains(&&*reported.reason));
                (if gone { Priority::Info } else { scope.priority(&reported) }, reported)
            });
            let Summary { priority, messages } = summarize(conditions);
            Summary { priority, messages: grouped(messages) }
        })
    }
}

/// Few words instead of the details of `Deleting`, so that many Machines say the same.
fn deletion_in_progress(s: &Facts<'_>, deleting: &Reported<'_>) -> String {
    let now = s.progress.mode.now;
    if stale_at(s).is_none_or(|moment| moment > now) {
        return format!("Machine deletion in progress, stage: {}", deleting.reason);
    }
    let mut text = format!("Machine deletion in progress since more than 15m, stage: {}", deleting.reason);
    let delays = drain_delays(&deleting.message);
    if !delays.is_empty() && drain_delayed_at(s).is_some_and(|moment| moment <= now) {
        text.push_str(", delay likely due to ");
        text.push_str(&delays.join(", "));
    }
    text
}

/// The first moment at which the deletion takes too long.
pub fn stale_at(s: &Facts<'_>) -> Option<Time> {
    s.input.object.metadata.deletion_timestamp.map(|since| since.plus(STALE_AFTER + 1))
}

/// The first moment at which the drain takes too long.
pub fn drain_delayed_at(s: &Facts<'_>) -> Option<Time> {
    let draining = s.progress.current("Deleting").is_some_and(|deleting| deleting.reason == "DrainingNode");
    let since = s.input.object.status.deletion.node_drain_start_time.filter(|_| draining);
    since.map(|since| since.plus(DRAIN_DELAYED_AFTER + 1))
}
