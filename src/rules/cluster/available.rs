#![doc = include_str!("available.md")]

use super::{Facts, OfCluster};
use crate::aggregate::Priority;
use crate::outcome::ConditionStatus;
use crate::rules::summarized::{Summarized, issues, summarized, summary_message, unknowns};
use crate::summary::{Reported, Scope, Summary, summarize};
use crate::table::{Table, otherwise};
use crate::view::Gate;

/// Whether the Cluster is fit for use.
pub static AVAILABLE: Table<OfCluster> = summarized! {
    id: "CL-AVL", kind: "Cluster", condition: "Available", source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    about: "The summary of `Deleting`, `RemoteConnectionProbe`, `InfrastructureReady`, `ControlPlaneAvailable`, `WorkersAvailable`, `TopologyReconciled` and the availability gates, those of the ClusterClass where the Cluster has none.",
    gates: availability_gates, refused: "CL-AVL-1" gate_names_available, rows: some "CL-AVL-2" "NotAvailable", unclear "CL-AVL-3" "AvailableUnknown", all "CL-AVL-4" "Available",
};

const SUMMARIZED: &[&str] = &[
    "Deleting",
    "RemoteConnectionProbe",
    "InfrastructureReady",
    "ControlPlaneAvailable",
    "WorkersAvailable",
    "TopologyReconciled",
];

/// A topology that waits its turn is all right; one that failed is not.
const TOPOLOGY_FAILED: &[&str] = &["ReconcileFailed", "ClusterClassNotReconciled"];

/// While the Cluster is deleted, it is all right that these objects are gone already.
const GONE: &[&str] = &["ObjectDeleted", "ObjectDoesNotExist"];

fn availability_gates(s: &Facts<'_>) -> usize {
    gates(s).len()
}

/// An availability gate names `Available` itself.
fn gate_names_available(s: &Facts<'_>) -> bool {
    scope(s).includes("Available")
}

fn scope<'a>(s: &Facts<'a>) -> Scope<'a> {
    let mut scope = Scope::new(SUMMARIZED, &["Deleting"]);
    if !s.input.object.spec.topology.is_defined() {
        scope = scope.optional("TopologyReconciled");
    }
    scope.gates(gates(s))
}

fn gates<'a>(s: &Facts<'a>) -> &'a [Gate<'a>] {
    let of_class = || s.input.cluster_class.and_then(|class| class.spec.availability_gates.as_deref());
    s.input.object.spec.availability_gates.as_deref().or_else(of_class).unwrap_or_default()
}

impl Summarized for Facts<'_> {
    fn summary(&self) -> &Summary {
        let s = self;
        self.summary.get_or_init(|| {
            let scope = scope(s);
            let reported = scope.read(|kind| s.progress.current(kind));
            summarize(reported.into_iter().map(|reported| (priority(s, &scope, &reported), reported)))
        })
    }
}

fn priority(s: &Facts<'_>, scope: &Scope<'_>, reported: &Reported<'_>) -> Priority {
    let all_right = match reported.kind {
        "InfrastructureReady" | "ControlPlaneAvailable" => {
            s.deletion.in_deletion() && GONE.contains(&&*reported.reason)
        }
        "TopologyReconciled" => {
            reported.status == ConditionStatus::False && !TOPOLOGY_FAILED.contains(&&*reported.reason)
        }
        _ => false,
    };
    if all_right { Priority::Info } else { scope.priority(reported) }
}
