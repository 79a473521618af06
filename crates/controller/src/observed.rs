//! What the host found out beside the objects: what it could not read, and what only a controller knows.

use super::decision::stored_conditions;
use super::index::Entry;
use super::key::{GroupKind, Key, cluster_name, group_of, workload};
use super::world::World;
use crate::group::observed::{Fact, REPORTED};
use crate::group::relations::{Link, Related, Subject};
use kube::core::DynamicObject;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How long Cluster API keeps Node conditions without a successful probe, unless told otherwise.
const CONDITIONS_GRACE_SECONDS: i64 = 300;
/// How long Cluster API tolerates failing probes, unless told otherwise.
const CONNECTION_GRACE_SECONDS: i64 = 50;

/// What is not known when a kind can't be listed.
const LISTS: &[(&str, &[&str])] = &[
    ("Machine", &["machinesListed", "descendantsListed"]),
    ("MachineSet", &["machineSetsListed", "descendantsListed"]),
    ("MachineDeployment", &["descendantsListed"]),
];

/// What is being decided about, and what was found for it.
pub struct Reading<'a> {
    pub subject: &'a Subject,
    pub object: &'a Entry,
    pub machines: &'a [(Key, Arc<Entry>)],
    /// Kinds that can't be read.
    pub unreadable: &'a BTreeSet<GroupKind>,
    /// The workload cluster, where the decision depends on it.
    pub workload: Option<&'a str>,
    pub cluster_exists: bool,
    /// A remediation request was refused.
    pub refused: bool,
}

/// `observed` of a snapshot; none while the first connection to the workload cluster is being made.
pub fn observed(world: &World, reading: &Reading<'_>) -> Option<Value> {
    let Reading { subject, object, .. } = reading;
    let mut observed = Map::new();
    report_flows(&object.object, &mut observed);
    observed.insert("remoteConditionsGracePeriodSeconds".to_owned(), json!(CONDITIONS_GRACE_SECONDS));
    observed.insert("remoteConnectionGracePeriodSeconds".to_owned(), json!(CONNECTION_GRACE_SECONDS));
    observed.insert("controlPlaneContractVersion".to_owned(), json!("v1beta2"));
    for (kind, facts) in LISTS {
        if world.unreadable(&GroupKind::new("cluster.x-k8s.io", kind)) {
            observed.extend(facts.iter().map(|fact| ((*fact).to_owned(), json!(false))));
        }
    }
    if reading.refused {
        observed.insert("remediationRequestCreateFails".to_owned(), json!(true));
    }
    for related in subject.related {
        if let (Link::Referenced { at, .. }, Some(fact)) = (&related.link, &related.unread) {
            let kind = at.iter().find_map(|path| referenced_kind(object.object.data.pointer(path)?));
            if kind.is_some_and(|kind| reading.unreadable.contains(&kind)) {
                note(fact, &mut observed);
            }
        }
    }
    if let Some(members) = etcd_members(reading.machines) {
        observed.insert("etcdMembers".to_owned(), members);
        observed.insert("etcdMembersAndMachinesAreMatching".to_owned(), json!(true));
    }
    if let Some(workload) = reading.workload {
        let connection = match world.connection(workload) {
            None if reading.cluster_exists => return None,
            known => known.unwrap_or_default(),
        };
        let unread = reads_nodes(subject).and_then(|related| related.unread.as_ref());
        if let (false, Some(fact)) = (connection.connected, unread) {
            note(fact, &mut observed);
        }
        observed.insert("healthCheckingState".to_owned(), connection.health());
    }
    Some(Value::Object(observed))
}

/// The workload cluster that the decision about an object depends on.
pub fn workload_of(subject: &Subject, key: &Key, object: &Entry) -> Option<String> {
    let cluster = if subject.field == "cluster" {
        &*key.name
    } else {
        reads_nodes(subject)?;
        cluster_name(&object.object)?
    };
    Some(workload(&key.namespace, cluster))
}

fn reads_nodes(subject: &Subject) -> Option<&Related> {
    subject.related.iter().find(|related| matches!(related.link, Link::Named { kind, .. } if kind.group.is_empty()))
}

/// The last word of flows that only a running controller knows about is in the condition they keep.
fn report_flows(object: &DynamicObject, observed: &mut Map<String, Value>) {
    for stored in stored_conditions(&object.data).iter().filter(|condition| condition["status"] == "True") {
        for (condition, reason, message) in REPORTED {
            if stored["type"] == *condition {
                observed.insert((*reason).to_owned(), stored["reason"].clone());
                observed.insert((*message).to_owned(), stored["message"].clone());
            }
        }
    }
}

/// A Machine whose member of etcd was inspected has one, named like its Node; `None` when no Machine tells.
fn etcd_members(machines: &[(Key, Arc<Entry>)]) -> Option<Value> {
    let inspected = |entry: &Entry| {
        let conditions = stored_conditions(&entry.object.data);
        conditions.iter().any(|c| c["type"] == "EtcdMemberHealthy" && c["status"] != "Unknown")
    };
    let name = |entry: &Entry| entry.object.data.pointer("/status/nodeRef/name").cloned().unwrap_or_default();
    let members: Vec<Value> = machines
        .iter()
        .filter(|(_, entry)| inspected(entry))
        .map(|(_, entry)| json!({ "name": name(entry), "isLearner": false }))
        .collect();
    (!members.is_empty()).then(|| json!(members))
}

fn note(fact: &Fact, observed: &mut Map<String, Value>) {
    match fact {
        Fact::Flag(name, value) => observed.insert((*name).to_owned(), json!(value)),
        Fact::NotThere(name) => observed.insert((*name).to_owned(), json!(false)),
        Fact::Text(name, value) => observed.insert((*name).to_owned(), json!(value)),
    };
}

fn referenced_kind(reference: &Value) -> Option<GroupKind> {
    let group = reference["apiGroup"].as_str().or_else(|| reference["apiVersion"].as_str().map(group_of))?;
    Some(GroupKind::new(group, reference["kind"].as_str()?))
}
