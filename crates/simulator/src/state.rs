//! The objects of a simulation, kept beside the fleet that decides about them.

use crate::object;
use capi_policy::fleet::{Audience, Fleet, ObjectRef, Place, Subject, WorkloadCluster};
use capi_policy::{Error, Kind};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Objects, who controls whom, and what only a controller could observe.
#[derive(Default)]
pub struct State {
    fleet: Fleet,
    /// By place and then by name: a health check looks up thousands of names in one place.
    objects: BTreeMap<Place, BTreeMap<String, (ObjectRef, Value)>>,
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
        let place = self.objects.entry(name.place.clone()).or_default();
        place.insert(name.name.clone(), (name.clone(), object));
        Ok(name)
    }

    /// Changes an object. Its generation grows when its spec changes, as an API server has it.
    pub fn edit(&mut self, name: &ObjectRef, change: impl FnOnce(&mut Value)) -> Result<(), Error> {
        let Some(before) = self.get(name) else { return Ok(()) };
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
        if let Some(place) = self.objects.get_mut(&name.place) {
            place.remove(&name.name);
        }
        if let Some(subject) = name.subject() {
            self.observed.remove(&subject);
        }
        self.fleet.remove(name);
    }

    /// An object.
    pub fn get(&self, name: &ObjectRef) -> Option<&Value> {
        self.at(&name.place, &name.name)
    }

    /// The object of that name in a place.
    pub fn at(&self, place: &Place, name: &str) -> Option<&Value> {
        self.objects.get(place)?.get(name).map(|(_, object)| object)
    }

    /// All objects.
    pub fn objects(&self) -> impl Iterator<Item = (&ObjectRef, &Value)> {
        self.objects.values().flat_map(BTreeMap::values).map(|(name, object)| (name, object))
    }

    /// The objects of a kind that can be decided about.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = (&ObjectRef, &Value)> {
        let places = self.objects.iter().filter(move |(place, _)| place.decidable() == Some(kind));
        places.flat_map(|(_, objects)| objects.values()).map(|(name, object)| (name, object))
    }

    /// The objects of a kind that an object controls.
    pub fn controlled(&self, owner: &ObjectRef, kind: Kind) -> impl Iterator<Item = (&ObjectRef, &Value)> {
        let names = self.controlled.get(owner).into_iter().flatten();
        let names = names.filter(move |name| name.place.decidable() == Some(kind));
        names.filter_map(|name| self.get(name).map(|object| (name, object)))
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
        let taken = self.objects.get(&like.place);
        let number = self.numbered.entry(prefix.to_owned()).or_default();
        loop {
            *number = number.saturating_add(1);
            let name = format!("{prefix}-{number}");
            if !taken.is_some_and(|objects| objects.contains_key(&name)) {
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
        let owner = self.get(name).and_then(owner_of);
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
