//! Which places were listed completely, so that what is not there does not exist.

use super::name::{ObjectRef, Place, Scope};
use super::store::Store;
use serde::Serialize;
use std::collections::BTreeSet;

/// Whether an object is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Presence {
    /// It is.
    Found,
    /// It does not exist.
    Missing,
    /// It was not read.
    NotRead,
}

/// Whether kinds count as completely listed beyond what hosts report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Assumption {
    /// They don't.
    #[default]
    Nothing,
    /// A kind does when at least one object of it is there, Nodes and Pods for each workload cluster: for files and pasted text.
    PresentKindsAreComplete,
    /// Everything is: for hosts that pass in all that there is before they ask.
    EverythingIsComplete,
}

impl Assumption {
    /// Every assumption.
    pub const ALL: &[Self] = &[Self::Nothing, Self::PresentKindsAreComplete, Self::EverythingIsComplete];

    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::PresentKindsAreComplete => "presentKindsAreComplete",
            Self::EverythingIsComplete => "everythingIsComplete",
        }
    }
}

/// What was listed completely.
#[derive(Default)]
pub struct Completeness {
    /// Scopes that hosts reported about. Narrower ones go before wider ones.
    marks: Vec<(Scope, bool)>,
    /// Objects that don't exist though their place was not listed completely.
    missing: BTreeSet<ObjectRef>,
    /// What is assumed where nobody reported.
    pub assumption: Assumption,
}

impl Completeness {
    /// A scope was listed completely, or no longer counts as such; whether that is new.
    pub fn mark(&mut self, scope: Scope, complete: bool) -> bool {
        let before = self.marks.len();
        if scope.namespace.is_none() {
            self.marks.retain(|(narrower, _)| *narrower == scope || !same_but_for_namespace(narrower, &scope));
        }
        let narrower = before != self.marks.len();
        if let Some((_, mark)) = self.marks.iter_mut().find(|(known, _)| *known == scope) {
            return std::mem::replace(mark, complete) != complete || narrower;
        }
        self.marks.push((scope, complete));
        true
    }

    /// An object exists.
    pub fn found(&mut self, object: &ObjectRef) {
        self.missing.remove(object);
    }

    /// An object that others refer to does not exist.
    pub fn missing(&mut self, object: ObjectRef) {
        self.missing.insert(object);
    }

    /// Whether there are objects that don't exist though their place was not listed completely.
    pub fn any_missing(&self) -> bool {
        !self.missing.is_empty()
    }

    /// Whether everything in a place is there.
    pub fn is_complete(&self, store: &Store, place: &Place) -> bool {
        self.marked(place).unwrap_or_else(|| match self.assumption {
            Assumption::Nothing => false,
            Assumption::PresentKindsAreComplete => any(store, place),
            Assumption::EverythingIsComplete => true,
        })
    }

    /// What was reported about the narrowest scope that a place is in.
    fn marked(&self, place: &Place) -> Option<bool> {
        let of_kind = self.marks.iter().filter(|(scope, _)| scope.covers(place));
        // A scope that says more is narrower.
        let narrowest = of_kind.max_by_key(|(scope, _)| (scope.namespace.is_some(), scope.workload_cluster.is_some()));
        narrowest.map(|(_, complete)| *complete)
    }

    /// Whether an object is there.
    pub fn presence(&self, store: &Store, object: &ObjectRef) -> Presence {
        let found = match &object.place.workload_cluster {
            Some(_) => store.of_workload(&object.place).object(&object.name),
            None => store.get(object),
        };
        if found.is_some() {
            Presence::Found
        } else if self.missing.contains(object) || self.is_complete(store, &object.place) {
            Presence::Missing
        } else {
            Presence::NotRead
        }
    }
}

/// Whether there is any object of the kind; of Nodes and Pods, any that may be the workload cluster's.
fn any(store: &Store, place: &Place) -> bool {
    match &place.workload_cluster {
        Some(_) => !store.of_workload(place).is_empty(),
        None => store.places_of(&place.group, &place.kind).next().is_some(),
    }
}

fn same_but_for_namespace(a: &Scope, b: &Scope) -> bool {
    (&a.group, &a.kind, &a.workload_cluster) == (&b.group, &b.kind, &b.workload_cluster)
}
