//! A decision, and the objects that it concerns in the versions that were decided about.

use super::decision::{Action, Decision};
use super::entry::Entry;
use super::foresight::Owned;
use super::key::{GroupKind, Key, group_of};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One object's decision.
pub struct Case {
    pub key: Key,
    pub object: Arc<Entry>,
    pub decision: Decision,
    /// The decision as the policy wrote it.
    pub value: Value,
    /// Digest of the policy that decided.
    pub policy: String,
    /// The machines that a health check or an owner decides about, by name.
    pub machines: BTreeMap<String, (Key, Arc<Entry>)>,
    /// What an owner of machines has.
    pub owned: Owned,
    /// Other objects that actions are about.
    others: BTreeMap<Key, Arc<Entry>>,
}

impl Case {
    /// Puts together what belongs to a decision; `read` finds an object in the version that was decided about.
    pub fn new(
        key: Key,
        object: Arc<Entry>,
        decision: Decision,
        value: Value,
        policy: String,
        read: impl Fn(&Key) -> Option<Arc<Entry>>,
    ) -> Self {
        let machine_kind = GroupKind::new("cluster.x-k8s.io", "Machine");
        let owned = decision.machine_conditions.iter().map(|machine| &*machine.name);
        let decided = decision.machines.iter().map(|machine| &*machine.name).chain(owned);
        let named = decided.chain(decision.actions.iter().filter_map(Action::machine));
        let machines = named.filter_map(|name| {
            let machine = Key::new(machine_kind.clone(), &key.namespace, name);
            let entry = read(&machine)?;
            Some((name.to_owned(), (machine, entry)))
        });
        let deleted = decision.actions.iter().filter_map(|action| match action {
            Action::DeleteRemediationRequest { api_version, kind, namespace, name, .. } => {
                let request = Key::new(GroupKind::new(group_of(api_version), kind), namespace, name);
                let entry = read(&request)?;
                Some((request, entry))
            }
            _ => None,
        });
        let (machines, others) = (machines.collect(), deleted.collect());
        Self { key, object, decision, value, policy, machines, owned: Owned::default(), others }
    }

    /// An object that an action is about.
    pub fn entry(&self, key: &Key) -> Option<&Arc<Entry>> {
        self.others.get(key)
    }
}
