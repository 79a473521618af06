//! Objects in one by one, decisions out: parsed once, kept with their relations between calls.
//!
//! An event costs its own size plus the decision, not the fleet's size. What a fleet decides is exactly what a fresh
//! snapshot of the same objects decides.

mod inputs;
mod relations;
mod store;

use self::store::{Header, Kept, Store, keep};
use crate::error::Error;
use crate::observed::Observed;
use crate::outcome::Evaluation;
use crate::progress::Mode;
use crate::snapshot::{Kind, Profile};
use crate::time::Time;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use yoke::Yoke;

/// The objects of one cluster.
#[derive(Default)]
pub struct Fleet {
    store: Store,
    facts: BTreeMap<ObjectRef, Kept<Observed<'static>>>,
    /// Objects that something changed about since they were evaluated.
    changed: BTreeSet<ObjectRef>,
    /// When time alone can change the decision about an object.
    next: BTreeMap<ObjectRef, Time>,
}

/// An object that can be evaluated.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ObjectRef {
    /// Its kind.
    pub kind: Kind,
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

impl Fleet {
    /// Takes in an object, as the API server serves it, in place of what was there under its name.
    pub fn upsert(&mut self, text: &str) -> Result<(), Error> {
        let header = Header::read(text)?;
        let before = self.affected_by(&header);
        self.store.insert(&header, text)?;
        self.changed.extend(before);
        self.changed.extend(self.affected_by(&header));
        Ok(())
    }

    /// Forgets an object. One that is not there is no error.
    pub fn remove(&mut self, kind: &str, namespace: &str, name: &str) {
        let header =
            Header { kind: kind.into(), metadata: store::Named { namespace: namespace.into(), name: name.into() } };
        let affected = self.affected_by(&header);
        self.store.remove(&header);
        self.changed.extend(affected);
        let gone = |object: &ObjectRef| {
            object.kind.to_string() == kind && object.namespace == namespace && object.name == name
        };
        self.changed.retain(|object| !gone(object));
        self.next.retain(|object, _| !gone(object));
        self.facts.retain(|object, _| !gone(object));
    }

    /// Says what the host could and could not read for an object, as in a snapshot's `observed`.
    pub fn observe(&mut self, object: ObjectRef, facts: &str) -> Result<(), Error> {
        let facts = keep!(Observed<'static>, facts)?;
        self.changed.insert(object.clone());
        self.facts.insert(object, facts);
        Ok(())
    }

    /// The decision about an object.
    pub fn evaluate(&mut self, object: &ObjectRef, now: Time, profile: Profile) -> Result<Evaluation, Error> {
        let mode = Mode { now, changes_at: now, profile, explain: false };
        let nothing = Observed::default();
        let observed = self.facts.get(object).map_or(&nothing, Yoke::get);
        let evaluation = inputs::evaluate(&self.store, object, observed, mode)?;
        self.changed.remove(object);
        match due_at(&evaluation) {
            Some(moment) => self.next.insert(object.clone(), moment),
            None => self.next.remove(object),
        };
        Ok(evaluation)
    }

    /// The objects that have to be evaluated by now: something changed about them, or time came for them.
    pub fn due(&self, now: Time) -> Vec<ObjectRef> {
        let timely = self.next.iter().filter(|(_, moment)| **moment <= now).map(|(object, _)| object);
        let mut due = self.changed.clone();
        due.extend(timely.cloned());
        due.into_iter().collect()
    }

    fn affected_by(&self, header: &Header<'_>) -> BTreeSet<ObjectRef> {
        relations::affected(&self.store, header)
    }
}

fn due_at(evaluation: &Evaluation) -> Option<Time> {
    let requeue = evaluation.requeue_after_seconds.map(|seconds| evaluation.now.plus(seconds));
    requeue.into_iter().chain(evaluation.next_change).min()
}
