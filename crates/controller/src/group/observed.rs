//! What a controller would have found out beside the objects, as far as the input tells.

use super::Found;
use super::relations::{Kind, Related, Subject};
use super::store::Store;
use serde_json::{Map, Value, json};

/// One entry of `observed`.
pub enum Fact {
    /// Yes or no.
    Flag(&'static str, bool),
    /// A word.
    Text(&'static str, &'static str),
    /// The object as the subject last saw it: its `Ready` condition is what the subject's condition of this type says.
    /// Where there is no such condition, the flag says that the object could not be read.
    LastSeen(&'static str, &'static str),
}

/// The input holds no probes of the workload cluster, so time alone never makes one overdue: a hundred years.
const GRACE_SECONDS: i64 = 3_155_760_000;

const NODE: Kind = Kind { group: "", name: "Node" };

/// Flows that only a running controller knows about; their last word is in the condition they keep.
pub const REPORTED: &[(&str, &str, &str)] =
    &[("Deleting", "deletingReason", "deletingMessage"), ("Updating", "updatingReason", "updatingMessage")];

/// `observed` of a snapshot.
pub(super) fn observed(store: &Store<'_>, subject: &Subject, object: &Value, found: &Found<'_>, now: &str) -> Value {
    let mut observed = Map::new();
    for (related, _) in &found.unread {
        let (name, value) = match related.unread {
            Some(Fact::Flag(name, value)) => (name, json!(value)),
            Some(Fact::Text(name, value)) => (name, json!(value)),
            Some(Fact::LastSeen(condition, name)) if condition_of(object, condition).is_none() => (name, json!(false)),
            Some(Fact::LastSeen(..)) | None => continue,
        };
        observed.insert(name.to_owned(), value);
    }
    for (condition, reason, message) in REPORTED {
        if let Some(stored) = condition_of(object, condition).filter(|stored| stored["status"] == "True") {
            observed.insert((*reason).to_owned(), stored["reason"].clone());
            observed.insert((*message).to_owned(), stored["message"].clone());
        }
    }
    observed.insert("remoteConditionsGracePeriodSeconds".to_owned(), json!(GRACE_SECONDS));
    observed.insert("remoteConnectionGracePeriodSeconds".to_owned(), json!(GRACE_SECONDS));
    let cluster = if subject.field == "cluster" { Some(object) } else { related(found, "cluster").first().copied() };
    if store.has(NODE.group, NODE.name) || cluster.is_some_and(probed) {
        observed.insert("healthCheckingState".to_owned(), json!({ "lastProbeTime": now, "lastProbeSuccessTime": now }));
    }
    if let Some(members) = etcd_members(related(found, "machines")) {
        observed.insert("etcdMembers".to_owned(), members);
        observed.insert("etcdMembersAndMachinesAreMatching".to_owned(), json!(true));
    }
    observed.insert("controlPlaneContractVersion".to_owned(), json!("v1beta2"));
    Value::Object(observed)
}

/// Objects that are not in the input, as the subject last saw them, by field.
pub(super) fn last_seen(object: &Value, found: &Found<'_>) -> Vec<(&'static str, Value)> {
    let seen = |(related, kind): &(&'static Related, String)| {
        let Some(Fact::LastSeen(condition, _)) = related.unread else { return None };
        let mut ready = condition_of(object, condition)?.clone();
        ready["type"] = json!("Ready");
        Some((related.field, json!({ "kind": kind, "status": { "conditions": [ready] } })))
    };
    found.unread.iter().filter_map(seen).collect()
}

/// A Machine whose member of etcd was inspected has one, named like its Node; `None` when no Machine tells.
fn etcd_members(machines: &[&Value]) -> Option<Value> {
    let inspected = |machine: &&&Value| {
        condition_of(machine, "EtcdMemberHealthy").is_some_and(|condition| condition["status"] != "Unknown")
    };
    let member = |machine: &&Value| json!({ "name": machine["status"]["nodeRef"]["name"], "isLearner": false });
    let members: Vec<_> = machines.iter().filter(inspected).map(member).collect();
    (!members.is_empty()).then(|| json!(members))
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
