//! A decision and the objects as they are stored in, where they differ out.

use super::case::Case;
use super::decision::{Condition, stored_line};
use super::entry::Entry;
use super::key::Key;
use capi_policy::Profile;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// What is decided from facts that only the controller itself has: a difference would say nothing, and to write it would be
/// wrong.
const CONTROLLERS_OWN: &[(&str, &str)] = &[
    // Asking etcd takes the private key of its authority.
    ("KubeadmControlPlane", "EtcdClusterHealthy"),
    ("Machine", "EtcdMemberHealthy"),
    // Follows the controller's view of etcd.
    ("KubeadmControlPlane", "Available"),
    // Each program probes the workload cluster for itself.
    ("Cluster", "RemoteConnectionProbe"),
];

/// Whether only the controller has the facts of a condition.
pub fn is_controllers_own(kind: &str, condition: &str) -> bool {
    CONTROLLERS_OWN.contains(&(kind, condition))
}

/// Whether a row leaves its condition as it is. A row that this program's own catalog does not have is taken to decide.
pub fn keeps(profile: &str, row: &str) -> bool {
    static KEEPING: LazyLock<BTreeSet<(&'static str, &'static str)>> = LazyLock::new(|| {
        let rows = capi_policy::catalog::tables().into_iter().flat_map(|table| table.rows);
        let by_profile = rows.flat_map(|row| Profile::ALL.iter().map(move |profile| (profile.name(), row.clone())));
        let keeping = by_profile.filter(|(profile, row)| {
            let other = row.others.iter().find(|other| other.profile == *profile);
            other.map_or(&row.then, |other| &other.then).status == "keep"
        });
        keeping.map(|(profile, row)| (profile, row.id)).collect()
    });
    KEEPING.contains(&(profile, row))
}

/// Times differ by the moment of writing.
const TIMES: &[&str] = &["lastUpdated"];

/// A decided condition or status field that is not what is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    pub kind: String,
    pub namespace: String,
    pub name: String,
    /// The condition's type, or the field of the status.
    pub what: String,
    /// What is stored; absent when nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<String>,
    pub decided: String,
    /// The row that decided.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub row: String,
}

/// How many of each condition and status field, by kind and its name.
pub type Counts = BTreeMap<(String, String), usize>;

/// Counts that many objects have alike, each kept once.
#[derive(Default)]
pub struct SharedCounts(Mutex<BTreeSet<Arc<Counts>>>);

impl SharedCounts {
    pub fn share(&self, counts: &mut Arc<Counts>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = known.get(counts) {
            *counts = same.clone();
        } else {
            known.retain(|counts| Arc::strong_count(counts) > 1);
            known.insert(counts.clone());
        }
    }
}

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Those that were compared.
    pub compared: Arc<Counts>,
    /// How many were left out, see [`CONTROLLERS_OWN`].
    pub not_compared: usize,
    /// Those that stay as they are stored because something was not read. To compare them would compare what is stored
    /// with itself.
    pub kept: Arc<Counts>,
    pub differences: Vec<Difference>,
}

/// Compares a decision with what is stored.
pub fn compare(case: &Case) -> Comparison {
    let Case { key, object, decision, machines, .. } = case;
    let mut comparison = Comparison::default();
    comparison.conditions(key, object, &decision.conditions);
    let stored = object.status();
    for (field, decided) in &decision.status {
        comparison.field(key, &stored, field, decided);
    }
    for machine in &decision.machines {
        if let Some((key, entry)) = machines.get(&machine.name) {
            comparison.conditions(key, entry, &machine.conditions);
        }
    }
    for machine in &decision.machine_conditions {
        if let Some((key, entry)) = machines.get(&machine.name) {
            comparison.conditions(key, entry, &machine.conditions);
        }
    }
    comparison
}

impl Comparison {
    fn conditions(&mut self, key: &Key, entry: &Entry, decided: &[Condition]) {
        let stored = entry.conditions();
        for decided in decided {
            if is_controllers_own(&key.kind.kind, &decided.kind) {
                self.not_compared = self.not_compared.saturating_add(1);
                continue;
            }
            if decided.kept {
                let kept =
                    Arc::make_mut(&mut self.kept).entry((key.kind.kind.to_string(), decided.kind.clone())).or_default();
                *kept = kept.saturating_add(1);
                continue;
            }
            let stored = stored.iter().find(|stored| stored.condition_type == *decided.kind).map(stored_line);
            self.note(key, &decided.kind, stored, decided.line(), &decided.row);
        }
    }

    fn field(&mut self, key: &Key, stored: &Value, field: &str, decided: &Value) {
        if TIMES.contains(&field) {
            return;
        }
        let stored = stored.pointer(&path(field)).map(sorted);
        self.note(key, field, stored.map(|value| value.to_string()), sorted(decided).to_string(), "");
    }

    fn note(&mut self, key: &Key, what: &str, stored: Option<String>, decided: String, row: &str) {
        let compared =
            Arc::make_mut(&mut self.compared).entry((key.kind.kind.to_string(), what.to_owned())).or_default();
        *compared = compared.saturating_add(1);
        if stored.as_ref() != Some(&decided) {
            self.differences.push(Difference {
                kind: key.kind.kind.to_string(),
                namespace: key.namespace.to_string(),
                name: key.name.to_string(),
                what: what.to_owned(),
                stored,
                decided,
                row: row.to_owned(),
            });
        }
    }
}

/// Where a field of the decision's status is in the object's.
pub fn path(field: &str) -> String {
    match field {
        "controlPlaneInitialized" => "/initialization/controlPlaneInitialized".to_owned(),
        other => format!("/{other}"),
    }
}

/// Lists of names have no order.
fn sorted(value: &Value) -> Value {
    let mut value = value.clone();
    if let Some(items) = value.as_array_mut() {
        items.sort_by_key(ToString::to_string);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::{Counts, SharedCounts};
    use std::sync::Arc;

    #[test]
    fn counts_that_are_alike_are_kept_once_and_no_longer_than_needed() {
        let shared = SharedCounts::default();
        let counted = |number: usize| {
            let mut counts = Arc::new(Counts::from([(("Machine".to_owned(), "Ready".to_owned()), number)]));
            shared.share(&mut counts);
            counts
        };
        let (one, same, other) = (counted(1), counted(1), counted(2));
        assert!(Arc::ptr_eq(&one, &same) && one != other);
        drop((one, same, other));
        let three = counted(3);
        assert_eq!(shared.0.lock().expect("a lock").iter().collect::<Vec<_>>(), [&three]);
    }
}
