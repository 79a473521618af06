//! What the owners of machines were expected to do, compared with what they do. Only Cluster API's controllers act; a decision
//! that they do not follow is a rule that is wrong, or a fact that only they have.

use super::entry::Entry;
use super::key::Key;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The MachineSet that does not exist yet.
const NEW: &str = "<new>";

/// What an owner has: Machines and whether they are being deleted, MachineSets and how many replicas they are to have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Owned {
    machines: BTreeMap<String, bool>,
    machine_sets: BTreeMap<String, i64>,
}

/// What an owner is about to do, as far as it can be seen when it is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Steps {
    deletes: BTreeSet<String>,
    creates: usize,
    scales: BTreeMap<String, i64>,
}

/// What became of an expected step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    Predicted,
    CameTrue,
    /// The owner did something else of the same sort.
    DidNot,
    /// Something changed before it was done, and the decision with it.
    Withdrawn,
}

impl Fate {
    /// Its name in metrics.
    pub fn name(self) -> &'static str {
        match self {
            Self::Predicted => "predicted",
            Self::CameTrue => "came_true",
            Self::DidNot => "did_not",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// A step and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The step's name in decisions.
    pub step: &'static str,
    /// The Machine or MachineSet, where it is a certain one.
    pub object: String,
    pub fate: Fate,
}

/// What one owner is expected to do, and what it had when that was decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    steps: Steps,
    owned: Owned,
}

impl Expected {
    /// Compares what was expected with what the owner has now, and expects what was decided now.
    pub fn update(&mut self, decision: &Value, owned: Owned) -> Vec<Outcome> {
        let mut outcomes = Outcomes::default();
        let now = Steps::of(decision);
        let (before, had) = (std::mem::replace(&mut self.steps, now.clone()), std::mem::take(&mut self.owned));
        deletes(&before, &now, &had, &owned, &mut outcomes);
        creates(&before, &now, &had, &owned, &mut outcomes);
        scales(&before, &now, &had, &owned, &mut outcomes);
        self.owned = owned;
        outcomes.0
    }

    /// Whether there is anything to compare with later.
    pub fn is_empty(&self) -> bool {
        self.steps == Steps::default()
    }
}

#[derive(Default)]
struct Outcomes(Vec<Outcome>);

impl Outcomes {
    fn note(&mut self, step: &'static str, object: &str, fate: Fate) {
        self.0.push(Outcome { step, object: object.to_owned(), fate });
    }
}

fn deletes(before: &Steps, now: &Steps, had: &Owned, owned: &Owned, outcomes: &mut Outcomes) {
    let goes = |owned: &Owned, name: &str| owned.machines.get(name).copied().unwrap_or(true);
    let others =
        had.machines.iter().filter(|(name, going)| !**going && !before.deletes.contains(*name) && goes(owned, name));
    let mut others = others.count();
    for name in &before.deletes {
        if goes(owned, name) {
            outcomes.note("deleteMachine", name, Fate::CameTrue);
        } else if others > 0 {
            others -= 1;
            outcomes.note("deleteMachine", name, Fate::DidNot);
        } else if !now.deletes.contains(name) {
            outcomes.note("deleteMachine", name, Fate::Withdrawn);
        }
    }
    for name in now.deletes.difference(&before.deletes) {
        outcomes.note("deleteMachine", name, Fate::Predicted);
    }
}

fn creates(before: &Steps, now: &Steps, had: &Owned, owned: &Owned, outcomes: &mut Outcomes) {
    let new = owned.machines.keys().filter(|name| !had.machines.contains_key(*name)).count();
    let mut add = |number: usize, fate| (0..number).for_each(|_| outcomes.note("createMachines", "", fate));
    let done = new.min(before.creates);
    let left = before.creates.saturating_sub(done);
    add(done, Fate::CameTrue);
    add(left.saturating_sub(now.creates), Fate::Withdrawn);
    add(now.creates.saturating_sub(left), Fate::Predicted);
}

fn scales(before: &Steps, now: &Steps, had: &Owned, owned: &Owned, outcomes: &mut Outcomes) {
    for (name, wanted) in &before.scales {
        let (was, is) = if name == NEW {
            let new = owned.machine_sets.iter().find(|(name, _)| !had.machine_sets.contains_key(*name));
            (None, new.map(|(_, replicas)| *replicas))
        } else {
            (had.machine_sets.get(name).copied(), owned.machine_sets.get(name).copied())
        };
        let fate = if is == Some(*wanted) {
            Fate::CameTrue
        } else if is != was {
            Fate::DidNot
        } else if now.scales.get(name) != Some(wanted) {
            Fate::Withdrawn
        } else {
            continue;
        };
        outcomes.note("applyMachineSet", name, fate);
    }
    for (name, wanted) in &now.scales {
        if before.scales.get(name) != Some(wanted) {
            outcomes.note("applyMachineSet", name, Fate::Predicted);
        }
    }
}

impl Steps {
    fn of(decision: &Value) -> Self {
        let mut steps = Self::default();
        let actions = decision["ownerActions"].as_array().into_iter().flatten();
        for step in actions.flat_map(|action| action["steps"].as_array().into_iter().flatten()) {
            let text = |field: &str| step[field].as_str().unwrap_or_default().to_owned();
            match step["type"].as_str() {
                Some("deleteMachine") => drop(steps.deletes.insert(text("machine"))),
                Some("createMachines") => {
                    let count = step["count"].as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
                    steps.creates = steps.creates.saturating_add(count);
                }
                // One that only gets other labels or annotations is not seen to change here.
                Some("applyMachineSet") if step["from"] != step["replicas"] || step["created"] == true => {
                    steps.scales.insert(text("machineSet"), step["replicas"].as_i64().unwrap_or(0));
                }
                _ => {}
            }
        }
        steps
    }
}

#[derive(Deserialize)]
struct Object {
    metadata: Metadata,
    #[serde(default)]
    spec: Spec,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    deletion_timestamp: Option<String>,
    #[serde(default)]
    owner_references: Vec<OwnerReference>,
}

#[derive(Deserialize)]
struct OwnerReference {
    uid: String,
    #[serde(default)]
    controller: bool,
}

#[derive(Default, Deserialize)]
struct Spec {
    #[serde(default)]
    replicas: i64,
}

impl Owned {
    /// What an owner controls, of all objects that its fleet has.
    pub fn by<'o>(owner: &Entry, objects: impl Iterator<Item = (&'o Key, &'o Arc<Entry>)>) -> Self {
        let mut found = Self::default();
        let Some(uid) = owner.uid.as_deref() else { return found };
        for (key, entry) in objects.filter(|(key, _)| ["Machine", "MachineSet"].contains(&&*key.kind.kind)) {
            // To look for the owner first is much faster than to read every object.
            if !entry.text.contains(uid) {
                continue;
            }
            let Ok(Object { metadata, spec }) = serde_json::from_str(&entry.text) else { continue };
            if !metadata.owner_references.iter().any(|reference| reference.controller && *reference.uid == *uid) {
                continue;
            }
            if &*key.kind.kind == "Machine" {
                found.machines.insert(key.name.to_string(), metadata.deletion_timestamp.is_some());
            } else {
                found.machine_sets.insert(key.name.to_string(), spec.replicas);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{Expected, Fate, Owned};
    use serde_json::{Value, json};

    fn machines(named: &[(&str, bool)]) -> Owned {
        let machines = named.iter().map(|(name, going)| ((*name).to_owned(), *going)).collect();
        Owned { machines, ..Owned::default() }
    }

    fn sets(named: &[(&str, i64)]) -> Owned {
        let machine_sets = named.iter().map(|(name, replicas)| ((*name).to_owned(), *replicas)).collect();
        Owned { machine_sets, ..Owned::default() }
    }

    #[allow(clippy::needless_pass_by_value, reason = "each caller makes one for this call")]
    fn fates(expected: &mut Expected, steps: Value, owned: Owned) -> Vec<(String, Fate)> {
        let outcomes = expected.update(&json!({ "ownerActions": [{ "steps": steps }] }), owned);
        outcomes.into_iter().map(|outcome| (outcome.object, outcome.fate)).collect()
    }

    fn of(object: &str, fate: Fate) -> (String, Fate) {
        (object.to_owned(), fate)
    }

    #[test]
    fn a_machine_that_goes_was_predicted_or_not() {
        let delete = |name: &str| json!([{ "type": "deleteMachine", "machine": name }]);
        let mut expected = Expected::default();
        let all = |going: &str| machines(&["a", "b"].map(|name| (name, name == going)));
        assert_eq!(fates(&mut expected, delete("a"), all("")), [of("a", Fate::Predicted)]);
        assert_eq!(fates(&mut expected, delete("a"), all("")), [], "it stands");
        let mut other = expected.clone();
        let mut withdrawn = expected.clone();
        assert_eq!(fates(&mut expected, json!([]), all("a")), [of("a", Fate::CameTrue)]);
        assert_eq!(fates(&mut other, json!([]), all("b")), [of("a", Fate::DidNot)]);
        assert_eq!(fates(&mut withdrawn, json!([]), all("")), [of("a", Fate::Withdrawn)]);
    }

    #[test]
    fn machines_come_one_by_one() {
        let create = |count: u64| json!([{ "type": "createMachines", "count": count }]);
        let mut expected = Expected::default();
        let new = |fates: &[Fate]| fates.iter().map(|fate| of("", *fate)).collect::<Vec<_>>();
        assert_eq!(fates(&mut expected, create(2), machines(&[])), new(&[Fate::Predicted; 2]));
        assert_eq!(fates(&mut expected, create(1), machines(&[("a", false)])), new(&[Fate::CameTrue]));
        let both = machines(&[("a", false), ("b", false)]);
        assert_eq!(fates(&mut expected, json!([]), both), new(&[Fate::CameTrue]));
        assert!(expected.is_empty());
    }

    #[test]
    fn a_machine_set_gets_the_replicas_that_were_decided() {
        let scale = |name: &str, from: i64, to: i64| {
            let created = name == super::NEW;
            json!([{ "type": "applyMachineSet", "machineSet": name, "from": from, "replicas": to, "created": created }])
        };
        let mut expected = Expected::default();
        assert_eq!(fates(&mut expected, scale("<new>", 0, 1), sets(&[("s", 3)])), [of("<new>", Fate::Predicted)]);
        let now = fates(&mut expected, scale("s", 3, 2), sets(&[("s", 3), ("t", 1)]));
        assert_eq!(now, [of("<new>", Fate::CameTrue), of("s", Fate::Predicted)]);
        assert_eq!(fates(&mut expected, json!([]), sets(&[("s", 0), ("t", 1)])), [of("s", Fate::DidNot)]);
    }
}
