//! The objects of a simulation, kept beside the fleet that decides about them.

use crate::object;
use capi_policy::fleet::{Audience, Fleet, ObjectRef, Place, Subject, WorkloadCluster};
use capi_policy::outcome::{Condition, Evaluation, Status};
use capi_policy::{Error, Kind};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Objects, who controls whom, and what only a controller could observe.
#[derive(Default)]
pub struct State {
    fleet: Fleet,
    /// By place and then by name: a health check looks up thousands of names in one place.
    objects: Objects,
    controlled: BTreeMap<ObjectRef, BTreeSet<ObjectRef>>,
    observed: BTreeMap<Subject, Value>,
    /// The last number of the names that start alike.
    numbered: BTreeMap<String, u64>,
    made: u64,
}

/// Longer numbers at the end of a name are no count.
const MOST_DIGITS: usize = 9;

type Objects = BTreeMap<Place, BTreeMap<String, Kept>>;

/// An object as it is kept.
struct Kept {
    name: ObjectRef,
    object: Value,
    /// What of an evaluation it carries, as far as somebody has written that down since the object changed last.
    written: Option<Written>,
    /// The conditions that a health check has written to it last, as long as it has not changed since.
    marked: Option<Vec<Condition>>,
}

impl Kept {
    /// The fleet takes in what has become of the object.
    fn changed(&mut self, fleet: &mut Fleet) -> Result<(), Error> {
        (self.written, self.marked) = (None, None);
        fleet.upsert(object::written(&self.object), self.name.place.workload_cluster.clone())
    }
}

/// What an evaluation says about the object itself.
pub struct Written {
    /// Its conditions.
    pub conditions: Vec<Condition>,
    /// Its status apart from them.
    pub status: Status,
}

/// Apart from the rest of the state, so that the fleet can take in an object while it is changed.
fn kept_mut<'o>(objects: &'o mut Objects, place: &Place, name: &str) -> Option<&'o mut Kept> {
    objects.get_mut(place)?.get_mut(name)
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
        self.fleet.upsert(object::written(&object), cluster)?;
        self.unlink(&name);
        if let Some(owner) = owner_of(&object) {
            self.controlled.entry(owner).or_default().insert(name.clone());
        }
        self.count(&name.name);
        let place = self.objects.entry(name.place.clone()).or_default();
        place.insert(name.name.clone(), Kept { name: name.clone(), object, written: None, marked: None });
        Ok(name)
    }

    /// Changes an object. Its generation grows when its spec changes, as an API server has it.
    pub fn edit(&mut self, name: &ObjectRef, change: impl FnOnce(&mut Value)) -> Result<(), Error> {
        let Some(kept) = kept_mut(&mut self.objects, &name.place, &name.name) else { return Ok(()) };
        let object = &mut kept.object;
        let (owner, spec) = (owner_of(object), object["spec"].clone());
        let generation = object::at(object, "/metadata/generation").map(|known| known.as_i64().unwrap_or(0));
        change(object);
        if let Some(generation) = generation.filter(|_| object["spec"] != spec) {
            object["metadata"]["generation"] = json!(generation.saturating_add(1));
        }
        let owner_now = owner_of(object);
        kept.changed(&mut self.fleet)?;
        if owner != owner_now {
            if let Some(below) = owner.and_then(|owner| self.controlled.get_mut(&owner)) {
                below.remove(name);
            }
            if let Some(owner) = owner_now {
                self.controlled.entry(owner).or_default().insert(name.clone());
            }
        }
        Ok(())
    }

    /// Changes an object's status and nothing else of it, which needs no look at its spec and its owner.
    pub fn edit_status(&mut self, name: &ObjectRef, change: impl FnOnce(&mut Value)) -> Result<(), Error> {
        let Some(kept) = kept_mut(&mut self.objects, &name.place, &name.name) else { return Ok(()) };
        change(&mut kept.object);
        kept.changed(&mut self.fleet)
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
        self.kept(place, name).map(|kept| &kept.object)
    }

    fn kept(&self, place: &Place, name: &str) -> Option<&Kept> {
        self.objects.get(place)?.get(name)
    }

    /// Whether an object carries the conditions and the status of an evaluation, as far as that is known without a look at it.
    pub fn is_written(&self, name: &ObjectRef, evaluation: &Evaluation) -> bool {
        let written = self
            .kept(&name.place, &name.name)
            .and_then(|kept| kept.written.as_ref())
            .filter(|_| evaluation.error.is_none());
        written
            .is_some_and(|written| written.conditions == evaluation.conditions && written.status == evaluation.status)
    }

    /// What of an evaluation an object is known to carry, for whoever writes another one.
    pub fn take_written(&mut self, name: &ObjectRef) -> Option<Written> {
        kept_mut(&mut self.objects, &name.place, &name.name)?.written.take()
    }

    /// Whether a health check wrote these conditions of a Machine last, and it has not changed since.
    pub fn is_marked(&self, place: &Place, name: &str, conditions: &[Condition]) -> bool {
        self.kept(place, name).and_then(|kept| kept.marked.as_ref()).is_some_and(|marked| marked == conditions)
    }

    /// Notes that a Machine carries these conditions of a health check and no other ones, until it changes.
    pub fn note_marked(&mut self, place: &Place, name: &str, conditions: &[Condition]) {
        if let Some(kept) = kept_mut(&mut self.objects, place, name) {
            kept.marked = Some(conditions.to_vec());
        }
    }

    /// Notes that an object carries the conditions and the status of an evaluation, until it changes.
    pub fn note_written(&mut self, name: &ObjectRef, evaluation: &Evaluation) {
        if let Some(kept) = kept_mut(&mut self.objects, &name.place, &name.name).filter(|_| evaluation.error.is_none())
        {
            let (conditions, status) = (evaluation.conditions.clone(), evaluation.status.clone());
            kept.written = Some(Written { conditions, status });
        }
    }

    /// All objects.
    pub fn objects(&self) -> impl Iterator<Item = (&ObjectRef, &Value)> {
        self.objects.values().flat_map(BTreeMap::values).map(|kept| (&kept.name, &kept.object))
    }

    /// The objects of a kind that can be decided about.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = (&ObjectRef, &Value)> {
        let places = self.objects.iter().filter(move |(place, _)| place.decidable() == Some(kind));
        places.flat_map(|(_, objects)| objects.values()).map(|kept| (&kept.name, &kept.object))
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

    /// A name of the form `prefix-number` that no object has or had: what is planned for one that is gone must not meet another.
    pub fn new_name(&mut self, prefix: &str) -> String {
        let number = self.numbered.entry(prefix.to_owned()).or_default();
        *number = number.saturating_add(1);
        format!("{prefix}-{number}")
    }

    /// Notes the number that a name ends with.
    fn count(&mut self, name: &str) {
        let Some((prefix, digits)) = name.rsplit_once('-') else { return };
        let Some(number) = digits.parse::<u64>().ok().filter(|_| digits.len() <= MOST_DIGITS) else { return };
        match self.numbered.get_mut(prefix) {
            Some(known) => *known = number.max(*known),
            None => drop(self.numbered.insert(prefix.to_owned(), number)),
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
