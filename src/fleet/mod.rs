//! Objects in one by one, decisions out: parsed once, kept with their relations between calls.
//!
//! An event costs its own size plus the decision, not the fleet's size. What a fleet decides is exactly what a fresh
//! snapshot of the same objects decides.

mod inputs;
mod places;
mod relations;
mod said;
mod store;

use self::places::Places;
use self::relations::Affected;
use self::said::Said;
use self::store::{Header, Kept, Store, keep};
use crate::error::Error;
use crate::observed::Observed;
use crate::outcome::Evaluation;
use crate::progress::Mode;
use crate::snapshot::{Kind, Profile};
use crate::time::Time;
use serde::Serialize;
use yoke::Yoke;

/// The objects of one cluster.
#[derive(Default)]
pub struct Fleet {
    store: Store,
    /// What is known about objects that can be evaluated.
    watched: Places<Watched>,
}

/// What is known about an object that can be evaluated.
struct Watched {
    object: ObjectRef,
    /// Something changed about it since it was evaluated.
    changed: bool,
    /// When time alone can change the decision.
    next: Option<Time>,
    /// What the host could and could not read for it.
    facts: Option<Kept<Observed<'static>>>,
    /// What it said about machines, if it is a health check.
    said: Said,
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

impl ObjectRef {
    fn new(kind: Kind, namespace: &str, name: &str) -> Self {
        Self { kind, namespace: namespace.to_owned(), name: name.to_owned() }
    }

    fn key(&self) -> String {
        store::key(&self.kind.to_string(), &self.namespace, &self.name)
    }
}

impl Fleet {
    /// Takes in an object, as the API server serves it, in place of what was there under its name.
    pub fn upsert(&mut self, text: &str) -> Result<(), Error> {
        let header = Header::read(text)?;
        let before = relations::affected(&self.store, &header);
        self.store.insert(&header, text)?;
        let after = relations::affected(&self.store, &header);
        self.changed(&before);
        self.changed(&after);
        Ok(())
    }

    /// Forgets an object. One that is not there is no error.
    pub fn remove(&mut self, kind: &str, namespace: &str, name: &str) {
        let header =
            Header { kind: kind.into(), metadata: store::Named { namespace: namespace.into(), name: name.into() } };
        let affected = relations::affected(&self.store, &header);
        self.store.remove(&header);
        self.changed(&affected);
        self.watched.remove(header.key());
    }

    /// Says what the host could and could not read for an object, as in a snapshot's `observed`.
    pub fn observe(&mut self, object: &ObjectRef, facts: &str) -> Result<(), Error> {
        let facts = keep!(Observed<'static>, facts)?;
        self.watch(object, |watched| {
            watched.changed = true;
            watched.facts = Some(facts);
            watched.said = Said::default();
        });
        Ok(())
    }

    /// The decision about an object, with how it came about if `explain` asks for that.
    pub fn evaluate(
        &mut self,
        object: &ObjectRef,
        now: Time,
        profile: Profile,
        explain: bool,
    ) -> Result<Evaluation, Error> {
        let mode = Mode { now, changes_at: now, profile, explain };
        let nothing = Observed::default();
        let watched = self.watched.get(&object.key());
        let facts = watched.and_then(|watched| watched.facts.as_ref()).map_or(&nothing, Yoke::get);
        let decide = |said| inputs::evaluate(&self.store, object, facts, said, mode);
        let said = watched.map(|watched| &watched.said).filter(|said| said.holds(mode));
        let mut evaluation = decide(said)?;
        let holds = said.is_some_and(|said| said.agrees(&evaluation));
        if said.is_some() && !holds {
            evaluation = decide(None)?;
        }
        let lasting = said::lasting(&self.store, &mut evaluation);
        let next = due_at(&evaluation);
        self.watch(object, |watched| {
            watched.changed = false;
            watched.next = next;
            if !holds {
                watched.said = Said::default();
            }
            watched.said.add(&evaluation, lasting);
        });
        Ok(evaluation)
    }

    /// The objects that have to be evaluated by now: something changed about them, or time came for them.
    pub fn due(&self, now: Time) -> Vec<ObjectRef> {
        let is_due = |watched: &&Watched| watched.changed || watched.next.is_some_and(|next| next <= now);
        self.watched.all().filter(is_due).map(|watched| watched.object.clone()).collect()
    }

    fn changed(&mut self, affected: &[Affected]) {
        for Affected { object, machine } in affected {
            self.watch(object, |watched| {
                watched.changed = true;
                match machine {
                    Some(place) => watched.said.forget(*place),
                    None => watched.said = Said::default(),
                }
            });
        }
    }

    fn watch(&mut self, object: &ObjectRef, change: impl FnOnce(&mut Watched)) {
        let new = || Watched { object: object.clone(), changed: false, next: None, facts: None, said: Said::default() };
        if let Some(watched) = self.watched.get_or(object.key(), new) {
            change(watched);
        }
    }
}

fn due_at(evaluation: &Evaluation) -> Option<Time> {
    let requeue = evaluation.requeue_after_seconds.map(|seconds| evaluation.now.plus(seconds));
    requeue.into_iter().chain(evaluation.next_change).min()
}
