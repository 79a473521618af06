//! The objects of a simulation, kept beside the fleet that decides about them.

use crate::object;
use capi_policy::fleet::{Audience, Fleet, ObjectRef, Subject, WorkloadCluster};
use capi_policy::{Error, Kind};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Objects, who controls whom, and what only a controller could observe.
#[derive(Default)]
pub struct State {
    fleet: Fleet,
    objects: BTreeMap<ObjectRef, Value>,
    controlled: BTreeMap<ObjectRef, BTreeSet<ObjectRef>>,
    observed: BTreeMap<Subject, Value>,
    numbered: BTreeMap<String, u64>,
    made: u64,
}

impl State {
    /// Around a fleet that may hold assumptions and reports already, but no objects.
    pub fn new(fleet: Fleet) -> Self {
        Self { fleet, ..Self::default() }
    }

    /// The fleet, to evaluate.
    pub fn fleet(&mut self) -> &mut Fleet {
        &mut self.fleet
    }

    /// Takes in an object in place of the one of its name. A Node belongs to `cluster`, else to the one that its
    /// annotations name.
    pub fn put(&mut self, object: Value, cluster: Option<WorkloadCluster>) -> Result<ObjectRef, Error> {
        let name = object::reference(&object, cluster.clone());
        self.fleet.upsert(object.to_string(), cluster)?;
        self.unlink(&name);
        if let Some(owner) = owner_of(&object) {
            self.controlled.entry(owner).or_default().insert(name.clone());
        }
        self.objects.insert(name.clone(), object);
        Ok(name)
    }

    /// Changes an object. Its generation grows when its spec changes, as an API server has it.
    pub fn edit(&mut self, name: &ObjectRef, change: impl FnOnce(&mut Value)) -> Result<(), Error> {
        let Some(before) = self.objects.get(name) else { return Ok(()) };
        let mut object = before.clone();
        change(&mut object);
        if object == *before {
            return Ok(());
        }
        if object["spec"] != before["spec"] && before.pointer("/metadata/generation").is_some() {
            object["metadata"]["generation"] = json!(object::number(before, "/metadata/generation").saturating_add(1));
        }
        self.put(object, name.place.workload_cluster.clone()).map(drop)
    }

    /// Removes an object.
    pub fn remove(&mut self, name: &ObjectRef) {
        self.unlink(name);
        self.objects.remove(name);
        if let Some(subject) = name.subject() {
            self.observed.remove(&subject);
        }
        self.fleet.remove(name);
    }

    /// An object.
    pub fn get(&self, name: &ObjectRef) -> Option<&Value> {
        self.objects.get(name)
    }

    /// All objects.
    pub fn objects(&self) -> impl Iterator<Item = (&ObjectRef, &Value)> {
        self.objects.iter()
    }

    /// The objects of a kind that can be decided about.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = (&ObjectRef, &Value)> {
        self.objects.iter().filter(move |(name, _)| name.place.decidable() == Some(kind))
    }

    /// The objects of a kind that an object controls.
    pub fn controlled(&self, owner: &ObjectRef, kind: Kind) -> impl Iterator<Item = (&ObjectRef, &Value)> {
        let names = self.controlled.get(owner).into_iter().flatten();
        let names = names.filter(move |name| name.place.decidable() == Some(kind));
        names.filter_map(|name| self.objects.get_key_value(name))
    }

    /// Changes what a controller would have observed about an object, as in a snapshot's `observed`.
    pub fn observe(&mut self, subject: &Subject, change: impl FnOnce(&mut Value)) -> Result<(), Error> {
        let observed = self.observed.entry(subject.clone()).or_insert_with(|| json!({}));
        change(observed);
        self.fleet.observe(&Audience::Object(subject.clone()), &observed.to_string())
    }

    /// What a controller would have observed about an object.
    pub fn observed(&self, subject: &Subject) -> Option<&Value> {
        self.observed.get(subject)
    }

    /// A name of the form `prefix-number` that no object has or had.
    pub fn new_name(&mut self, like: &ObjectRef, prefix: &str) -> String {
        let number = self.numbered.entry(prefix.to_owned()).or_default();
        loop {
            *number = number.saturating_add(1);
            let name = format!("{prefix}-{number}");
            if !self.objects.contains_key(&ObjectRef { name: name.clone(), ..like.clone() }) {
                return name;
            }
        }
    }

    /// A uid that no other object has.
    pub fn new_uid(&mut self) -> String {
        self.made = self.made.saturating_add(1);
        format!("made-{}", self.made)
    }

    fn unlink(&mut self, name: &ObjectRef) {
        let owner = self.objects.get(name).and_then(owner_of);
        if let Some(below) = owner.and_then(|owner| self.controlled.get_mut(&owner)) {
            below.remove(name);
        }
    }
}

/// The object that controls an object.
pub fn owner_of(object: &Value) -> Option<ObjectRef> {
    let owner = object::controller(object)?;
    let group = object::group_of(object::text(owner, "/apiVersion"));
    let namespace = object::text(object, "/metadata/namespace");
    Some(ObjectRef::new((group, object::text(owner, "/kind")), namespace, object::text(owner, "/name")))
}
