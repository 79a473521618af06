//! The conditions and status fields of one object that a decision sets, as the server is asked to store them.

use super::decision::Condition;
use super::differences::path;
use super::entry::Entry;
use super::key::Key;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ManagedFieldsEntry;
use kube::core::ApiResource;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// What is to be stored.
pub struct Fields<'a> {
    conditions: Vec<&'a Condition>,
    status: Vec<(&'a String, &'a Value)>,
}

impl<'a> Fields<'a> {
    pub fn new(conditions: &'a [Condition], status: &'a Map<String, Value>) -> Self {
        Self { conditions: conditions.iter().collect(), status: status.iter().collect() }
    }

    /// Leaves out those with these names.
    pub fn leave_out(&mut self, names: &BTreeSet<String>) {
        self.conditions.retain(|condition| !names.contains(&condition.kind));
        self.status.retain(|(name, _)| !names.contains(*name));
    }

    /// Whether the object says all this already.
    pub fn stored(&self, entry: &Entry) -> bool {
        self.differing(entry).is_empty()
    }

    /// Names and digests of those that the object has otherwise.
    pub fn differing(&self, entry: &Entry) -> Vec<(String, [u8; 32])> {
        let stored = entry.conditions();
        let conditions = self.conditions.iter().filter(|condition| !condition.stored_in(&stored));
        let mut differing: Vec<_> = conditions.map(|condition| of_condition(condition)).collect();
        if !self.status.is_empty() {
            let status = entry.status();
            let fields = self.status.iter().filter(|(name, value)| status.pointer(&path(name)) != Some(*value));
            differing.extend(fields.map(|(name, value)| of_field(name, value)));
        }
        differing
    }

    /// Names and digests of all that was decided. What only stays as it is stored is not taken from whoever wrote it.
    pub fn digests(&self) -> impl Iterator<Item = (String, [u8; 32])> {
        let fields = self.status.iter().map(|(name, value)| of_field(name, value));
        let decided = self.conditions.iter().filter(|condition| !condition.kept);
        decided.map(|condition| of_condition(condition)).chain(fields)
    }

    /// Whether this gives the object a condition with a status that it does not have yet.
    pub fn sets(&self, kind: &str, status: &str, entry: &Entry) -> bool {
        self.conditions.iter().any(|condition| condition.kind == kind && condition.status == status)
            && !entry.conditions().iter().any(|stored| stored.condition_type == kind && stored.status == status)
    }

    /// Whether a decided condition had to be left out.
    pub fn lacks(&self, kind: &str, decided: &[Condition]) -> bool {
        let is = |condition: &Condition| condition.kind == kind;
        decided.iter().any(is) && !self.conditions.iter().any(|condition| is(condition))
    }

    /// Names the version that was decided about: on any other the decision may be wrong, and the server refuses it.
    pub fn body(&self, resource: &ApiResource, key: &Key, entry: &Entry) -> Value {
        let conditions: Vec<Value> = self
            .conditions
            .iter()
            .map(|condition| {
                let mut json = json!({
                    "type": condition.kind,
                    "status": condition.status,
                    "reason": condition.reason,
                    "message": condition.message,
                    "lastTransitionTime": condition.last_transition_time,
                });
                if condition.observed_generation != 0 {
                    json["observedGeneration"] = json!(condition.observed_generation);
                }
                json
            })
            .collect();
        let mut status = json!({ "conditions": conditions });
        for (field, value) in &self.status {
            let mut place = &mut status;
            for part in path(field).split('/').skip(1) {
                place = &mut place[part];
            }
            *place = (*value).clone();
        }
        json!({
            "apiVersion": resource.api_version,
            "kind": resource.kind,
            "metadata": {
                "name": &*key.name,
                "namespace": &*key.namespace,
                "uid": entry.uid,
                "resourceVersion": entry.version.to_string(),
            },
            "status": status,
        })
    }
}

fn of_condition(condition: &Condition) -> (String, [u8; 32]) {
    (condition.kind.clone(), Sha256::digest(condition.line()).into())
}

fn of_field(name: &str, value: &Value) -> (String, [u8; 32]) {
    (name.to_owned(), Sha256::digest(value.to_string()).into())
}

/// Who wrote a condition or a field of the status last, as managed fields tell.
pub fn manager_of(managed: &[ManagedFieldsEntry], name: &str) -> Option<String> {
    let condition = format!("k:{}", json!({ "type": name }));
    let owns = |entry: &&ManagedFieldsEntry| {
        let Some(fields) = &entry.fields_v1 else { return false };
        let status = &fields.0["f:status"];
        status["f:conditions"].get(&condition).is_some() || status.get(format!("f:{name}")).is_some()
    };
    let last = managed.iter().filter(owns).max_by_key(|entry| entry.time.as_ref().map(|time| time.0))?;
    last.manager.clone()
}
