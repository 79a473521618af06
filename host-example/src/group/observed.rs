//! What a controller would have found out beside the objects, as far as the input tells.

use super::Found;
use super::relations::{Kind, Subject};
use super::store::Store;
use serde_json::{Map, Value, json};

/// One entry of `observed`.
pub enum Fact {
    /// Yes or no.
    Flag(&'static str, bool),
    /// A word.
    Text(&'static str, &'static str),
}

/// How long Cluster API keeps Node conditions without a successful probe, unless told otherwise.
pub const CONDITIONS_GRACE_SECONDS: i64 = 300;
/// How long Cluster API tolerates failing probes, unless told otherwise.
pub const CONNECTION_GRACE_SECONDS: i64 = 50;

const NODE: Kind = Kind { group: "", name: "Node" };

/// Flows that only a running controller knows about; their last word is in the condition they keep.
pub const REPORTED: &[(&str, &str, &str)] =
    &[("Deleting", "deletingReason", "deletingMessage"), ("Updating", "updatingReason", "updatingMessage")];

/// `observed` of a snapshot.
pub(super) fn observed(store: &Store<'_>, subject: &Subject, object: &Value, found: &Found<'_>, now: &str) -> Value {
    let mut observed = Map::new();
    for (related, _) in &found.unread {
        match related.unread {
            Some(Fact::Flag(name, value)) => observed.insert(name.to_owned(), json!(value)),
            Some(Fact::Text(name, value)) => observed.insert(name.to_owned(), json!(value)),
            None => None,
        };
    }
    for (condition, reason, message) in REPORTED {
        if let Some(stored) = condition_of(object, condition).filter(|stored| stored["status"] == "True") {
            observed.insert((*reason).to_owned(), stored["reason"].clone());
            observed.insert((*message).to_owned(), stored["message"].clone());
        }
    }
    observed.insert("remoteConditionsGracePeriodSeconds".to_owned(), json!(CONDITIONS_GRACE_SECONDS));
    observed.insert("remoteConnectionGracePeriodSeconds".to_owned(), json!(CONNECTION_GRACE_SECONDS));
    let cluster = if subject.field == "cluster" { Some(object) } else { related(found, "cluster").first().copied() };
    if store.has(NODE.group, NODE.name) || cluster.is_some_and(probed) {
        observed.insert("healthCheckingState".to_owned(), json!({ "lastProbeTime": now, "lastProbeSuccessTime": now }));
    }
    observed.insert("controlPlaneContractVersion".to_owned(), json!("v1beta2"));
    Value::Object(observed)
}

/// Whether the Cluster says that its workload cluster answers.
fn probed(cluster: &Value) -> bool {
    condition_of(cluster, "RemoteConnectionProbe").is_some_and(|stored| stored["status"] == "True")
}

fn condition_of<'a>(object: &'a Value, kind: &str) -> Option<&'a Value> {
    object["status"]["conditions"].as_array()?.iter().find(|condition| condition["type"] == kind)
}

fn related<'f, 'a>(found: &'f Found<'a>, field: &str) -> &'f [&'a Value] {
    found.by_field.get(field).map(Vec::as_slice).unwrap_or_default()
}
