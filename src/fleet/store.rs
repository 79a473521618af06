//! Objects by place and name, and who refers to whom.

use super::name::{ObjectRef, Place, Subject, WorkloadCluster};
use super::object::Object;
use super::references;
use crate::snapshot::Kind;
use crate::view::{Machine, Node};
use std::collections::{BTreeMap, BTreeSet};

/// Objects of one place by name.
pub type Named = BTreeMap<String, Object>;

/// Names by place.
type ByName<V> = BTreeMap<Place, BTreeMap<String, V>>;

/// Everything a fleet holds.
#[derive(Default)]
pub struct Store {
    objects: BTreeMap<Place, Named>,
    /// Who refers to an object: Machines, Clusters and health checks by the object they name.
    referrers: ByName<BTreeSet<Subject>>,
    /// MachineSets and Machines by the object that controls them.
    controlled: ByName<BTreeSet<Subject>>,
    /// How many objects, and the size of their texts.
    count: usize,
    bytes: usize,
}

impl Store {
    /// Puts an object in place of what was there under its name.
    pub fn insert(&mut self, name: &ObjectRef, object: Object) {
        self.remove(name);
        self.count = self.count.saturating_add(1);
        self.bytes = self.bytes.saturating_add(object.text().len());
        if let Some(subject) = name.subject() {
            for target in references::named_by(&object) {
                add(&mut self.referrers, target, subject.clone());
            }
            if let Some(controller) = references::controller(&object) {
                add(&mut self.controlled, controller, subject);
            }
        }
        // A new place is rare: its name is copied only then.
        if let Some(named) = self.objects.get_mut(&name.place) {
            named.insert(name.name.clone(), object);
        } else {
            self.objects.insert(name.place.clone(), Named::from([(name.name.clone(), object)]));
        }
    }

    /// Takes an object out; whether it was there.
    pub fn remove(&mut self, name: &ObjectRef) -> bool {
        let Some(named) = self.objects.get_mut(&name.place) else { return false };
        let Some(object) = named.remove(&name.name) else { return false };
        if named.is_empty() {
            self.objects.remove(&name.place);
        }
        self.count = self.count.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(object.text().len());
        if let Some(subject) = name.subject() {
            for target in references::named_by(&object) {
                drop_from(&mut self.referrers, &target, &subject);
            }
            if let Some(controller) = references::controller(&object) {
                drop_from(&mut self.controlled, &controller, &subject);
            }
        }
        true
    }

    /// How many objects there are, and the size of their texts.
    pub fn size(&self) -> (usize, usize) {
        (self.count, self.bytes)
    }

    /// An object by its name.
    pub fn get(&self, name: &ObjectRef) -> Option<&Object> {
        self.objects.get(&name.place)?.get(&name.name)
    }

    /// An object that can be decided about.
    pub fn subject(&self, subject: &Subject) -> Option<&Object> {
        self.objects.get(&subject.place())?.get(&subject.name)
    }

    /// The objects of a place by name.
    pub fn place(&self, place: &Place) -> Option<&Named> {
        self.objects.get(place)
    }

    /// The objects of a kind in a namespace by name.
    pub fn all<'s>(&'s self, kind: Kind, namespace: &str) -> impl Iterator<Item = &'s Object> + use<'s> {
        self.objects.get(&Place::of(kind, namespace)).into_iter().flat_map(Named::values)
    }

    /// Every place that has objects.
    pub fn places(&self) -> impl Iterator<Item = (&Place, &Named)> {
        self.objects.iter()
    }

    /// The places of a kind.
    pub fn places_of(&self, group: &str, kind: &str) -> impl Iterator<Item = &Place> {
        let first = Place::new((group, kind), "");
        let (group, kind) = (first.group.clone(), first.kind.clone());
        let places = self.objects.range(first..).map(|(place, _)| place);
        places.take_while(move |place| (&place.group, &place.kind) == (&group, &kind))
    }

    /// The objects of a kind that an object controls, by name.
    pub fn controlled<'s>(&'s self, owner: &Subject, kind: Kind) -> impl Iterator<Item = &'s Object> + use<'s> {
        let uid = self.subject(owner).and_then(Object::metadata).map_or("", |metadata| &metadata.uid);
        let children = self.controlled.get(&owner.place()).and_then(|named| named.get(&owner.name));
        let objects = self.objects.get(&Place::of(kind, &owner.namespace));
        let of_kind = children.into_iter().flatten().filter(move |child| child.kind == kind);
        of_kind
            .filter_map(move |child| objects?.get(&child.name))
            .filter(move |object| references::is_controlled_by(object, uid))
    }

    /// The object of a kind that controls another.
    pub fn controller_of(&self, object: &Object, kind: Kind) -> Option<&Object> {
        let subject = references::controller(object)?.subject().filter(|subject| subject.kind == kind)?;
        let owner = self.subject(&subject)?;
        references::is_controlled_by(object, &owner.metadata()?.uid).then_some(owner)
    }

    /// Who refers to an object by name.
    pub fn referrers(&self, name: &ObjectRef) -> impl Iterator<Item = &Subject> {
        self.referrers.get(&name.place).and_then(|named| named.get(&name.name)).into_iter().flatten()
    }

    /// Whether anything refers to an object by name.
    pub fn is_referred_to(&self, name: &ObjectRef) -> bool {
        self.referrers(name).next().is_some()
    }

    /// The Machines that name a Node, whichever workload cluster they are in.
    pub fn on_any_node(&self, name: &str) -> impl Iterator<Item = &Subject> {
        let first = Place::of_nodes(None);
        let nodes = self.referrers.range(first..).take_while(|(place, _)| place.is_of_nodes());
        nodes.filter_map(move |(_, named)| named.get(name)).flatten()
    }

    /// Everything that objects refer to by name.
    pub fn referred_to(&self) -> impl Iterator<Item = (&Place, &str)> {
        self.referrers.iter().flat_map(|(place, named)| named.keys().map(move |name| (place, &**name)))
    }

    /// The Nodes of a workload cluster.
    pub fn nodes(&self, workload_cluster: &WorkloadCluster) -> OfWorkload<'_> {
        self.of_workload(&Place::of_nodes(Some(workload_cluster.clone())))
    }

    /// The objects of a place in a workload cluster.
    pub fn of_workload(&self, place: &Place) -> OfWorkload<'_> {
        OfWorkload { of_cluster: self.objects.get(place), of_any: self.objects.get(&place.in_workload(None)) }
    }

    /// The Machines of a namespace by name.
    pub fn machines<'s>(&'s self, namespace: &str) -> impl Iterator<Item = &'s Machine<'s>> + use<'s> {
        self.all(Kind::Machine, namespace).filter_map(Object::machine)
    }
}

/// The Nodes or Pods of a workload cluster, and those of which nobody knows the cluster.
#[derive(Clone, Copy)]
pub struct OfWorkload<'s> {
    of_cluster: Option<&'s Named>,
    of_any: Option<&'s Named>,
}

impl<'s> OfWorkload<'s> {
    /// Whether there are any.
    pub fn is_empty(self) -> bool {
        self.of_cluster.is_none() && self.of_any.is_none()
    }

    /// Those that are known to be the cluster's.
    pub fn known(self) -> impl Iterator<Item = &'s Object> {
        self.of_cluster.into_iter().flat_map(Named::values)
    }

    /// One of them as it is kept.
    pub fn object(self, name: &str) -> Option<&'s Object> {
        self.of_cluster.and_then(|named| named.get(name)).or_else(|| self.of_any?.get(name))
    }

    /// A Node by its name.
    pub fn get(self, name: &str) -> Option<&'s Node<'s>> {
        self.object(name).and_then(Object::node)
    }
}

fn add(index: &mut ByName<BTreeSet<Subject>>, target: ObjectRef, subject: Subject) {
    index.entry(target.place).or_default().entry(target.name).or_default().insert(subject);
}

fn drop_from(index: &mut ByName<BTreeSet<Subject>>, target: &ObjectRef, subject: &Subject) {
    let Some(named) = index.get_mut(&target.place) else { return };
    if let Some(subjects) = named.get_mut(&target.name) {
        subjects.remove(subject);
        if subjects.is_empty() {
            named.remove(&target.name);
        }
    }
    if named.is_empty() {
        index.remove(&target.place);
    }
}
