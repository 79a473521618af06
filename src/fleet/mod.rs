//! Objects kept between decisions: the one place that knows how they relate to each other, and what was not read.
//!
//! A change costs the size of the changed object plus the decision, not the size of the fleet. What a fleet decides is exactly
//! what [`crate::evaluate_json`] decides about [`Fleet::snapshot`].

mod affected;
mod completeness;
mod control_plane;
mod decide;
mod frame;
pub mod json;
mod name;
mod object;
mod observed;
mod reading;
mod references;
mod snapshot;
mod store;
mod update;
mod verdicts;
mod wanted;

pub use completeness::{Assumption, Presence};
pub use name::{ObjectRef, Place, Scope, Subject, WorkloadCluster};
pub use observed::Audience;
pub use update::{Reduced, Update};
pub use wanted::{OutdatedObject, Wanted, WantedKind, WantedObject};

use self::affected::{Affected, Again, Extent, affected};
use self::completeness::Completeness;
use self::name::{Header, Listed};
use self::object::Object;
use self::observed::Reports;
use self::reading::Reading;
use self::store::Store;
use self::verdicts::{Verdicts, lasting};
use crate::error::Error;
use crate::forecast::{Forecast, look_ahead};
use crate::outcome::{CheckedMachine, Evaluation};
use crate::progress::Mode;
use crate::snapshot::{Kind, Profile, read};
use crate::time::Time;
use std::collections::{BTreeMap, BTreeSet};

/// Objects and their relations.
#[derive(Default)]
pub struct Fleet {
    store: Store,
    completeness: Completeness,
    reports: Reports,
    /// Objects in versions that the policy does not read.
    outdated: Vec<(ObjectRef, String)>,
    /// Objects to decide about because something changed.
    changed: BTreeSet<Subject>,
    /// When time alone can change a decision.
    timers: BTreeSet<(Time, Subject)>,
    decided: BTreeMap<Subject, Decided>,
}

/// What is remembered of decisions about an object.
#[derive(Default)]
struct Decided {
    next: Option<Time>,
    /// Of a health check.
    verdicts: Verdicts,
    /// What the last update was made from.
    updated: Option<Box<Evaluation>>,
}

/// How to evaluate.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The time of the evaluation.
    pub now: Time,
    /// Which rules apply.
    pub profile: Profile,
    /// Whether to tell how each table came to its answer.
    pub explain: bool,
}

impl From<Options> for Mode {
    fn from(Options { now, profile, explain }: Options) -> Self {
        Self { now, changes_at: now, profile, explain }
    }
}

impl Fleet {
    /// Takes in an object, as the API server serves it, in place of the one of that name. A Node belongs to the workload
    /// cluster given here, else to the one that Cluster API's annotations on it name. What can't be read changes nothing.
    pub fn upsert(
        &mut self,
        text: impl Into<Box<str>>,
        workload_cluster: Option<WorkloadCluster>,
    ) -> Result<(), Error> {
        let text = text.into();
        let header = Header::read(&text)?;
        let name = header.object(workload_cluster);
        if self.store.get(&name).is_some_and(|known| known.text() == &*text) {
            return Ok(());
        }
        let version = header.unread_version(&name).map(ToOwned::to_owned);
        let object = Object::read(&name.place, text)?;
        self.put(&name, object, version);
        Ok(())
    }

    /// An object does not exist, or no longer.
    pub fn remove(&mut self, name: &ObjectRef) {
        let before = affected(&self.store, name, Extent::Frame);
        let kinds = self.kind_state(name);
        let named_before = self.named_by(name);
        if self.store.remove(name) {
            self.outdated.retain(|(known, _)| known != name);
        }
        if self.store.is_referred_to(name) {
            self.completeness.missing(name.clone());
        }
        self.forget_missing(&named_before);
        if let Some(subject) = name.subject() {
            self.forget(&subject);
        }
        self.note(&before);
        self.note_kind(name, kinds);
    }

    /// Takes in everything that there is in a scope, which counts as completely listed from here on. When an object can't be
    /// read, nothing changes.
    pub fn replace<'t>(&mut self, scope: &Scope, texts: impl IntoIterator<Item = &'t str>) -> Result<(), Error> {
        let (mut listed, mut names) = (Vec::new(), BTreeSet::new());
        for (i, text) in texts.into_iter().enumerate() {
            let (name, object, version) =
                Self::read_listed(scope, text).map_err(|error| error.in_item("objects", i))?;
            names.insert(name.clone());
            listed.push((name, object, version));
        }
        let gone: Vec<_> = self.names_in(scope).filter(|name| !names.contains(name)).collect();
        self.mark(scope, true);
        for name in gone {
            self.remove(&name);
        }
        for (name, object, version) in listed {
            self.put(&name, object, version);
        }
        Ok(())
    }

    /// Everything in the scope has been passed in, or no longer counts as such.
    pub fn mark(&mut self, scope: &Scope, complete: bool) {
        if self.completeness.mark(scope.clone(), complete) {
            self.everything_changed();
        }
    }

    /// Sets what counts as completely listed where nobody reported.
    pub fn assume(&mut self, assumption: Assumption) {
        if self.completeness.assumption != assumption {
            self.completeness.assumption = assumption;
            self.everything_changed();
        }
    }

    /// Reports what a host could and could not read, and what only it can know: JSON as in a snapshot's `observed`.
    pub fn observe(&mut self, audience: &Audience, facts: &str) -> Result<(), Error> {
        if !self.reports.take(audience, facts)? {
            return Ok(());
        }
        match audience {
            Audience::All => self.everything_changed(),
            Audience::Object(subject) => self.subject_changed(subject, &Again::All),
            Audience::WorkloadCluster(cluster) => {
                for subject in self.of_workload_cluster(cluster) {
                    self.subject_changed(&subject, &Again::All);
                }
            }
        }
        Ok(())
    }

    /// What the fleet needs to decide about everything it has.
    pub fn wanted(&self) -> Wanted {
        wanted::wanted(self)
    }

    /// The objects that can be decided about, by kind, namespace and name.
    pub fn decidable(&self) -> Vec<Subject> {
        let mut subjects = Vec::new();
        for kind in Kind::ALL {
            for place in self.store.places_of(kind.group(), kind.name()) {
                let named = self.store.place(place).into_iter().flatten();
                subjects.extend(named.map(|(name, _)| Subject::new(*kind, &place.namespace, name)));
            }
        }
        subjects
    }

    /// The objects that have to be evaluated by now: something changed about them, or their time has come.
    pub fn due(&self, now: Time) -> Vec<Subject> {
        self.due_of(now, Kind::ALL)
    }

    /// Those of these kinds, for a host that decides about no others: to it, all others stay due for ever.
    pub fn due_of(&self, now: Time, kinds: &[Kind]) -> Vec<Subject> {
        let timed = self.timers.iter().take_while(|(next, _)| *next <= now).map(|(_, subject)| subject);
        let timed = timed.filter(|subject| kinds.contains(&subject.kind) && !self.changed.contains(subject));
        kinds.iter().flat_map(|kind| of_kind(&self.changed, *kind)).chain(timed).cloned().collect()
    }

    /// The decision about an object.
    pub fn evaluate(&mut self, subject: &Subject, options: Options) -> Result<Evaluation, Error> {
        let mode = Mode::from(options);
        let reading = self.reading(subject)?;
        let observed = observed::observed(&reading, &self.reports, mode.now);
        let observed = read(&observed)?;
        let known = self.decided.get(subject).map(|decided| &decided.verdicts).filter(|verdicts| verdicts.hold(mode));
        let mut evaluation = decide::decide(&reading, &observed, known, mode)?;
        let holds = known.is_some_and(|verdicts| verdicts.agree(&evaluation));
        if known.is_some() && !holds {
            evaluation = decide::decide(&reading, &observed, None, mode)?;
        }
        let lasting = lasting(&mut evaluation);
        self.remember(subject, &evaluation, lasting, holds);
        Ok(evaluation)
    }

    /// The decision about an object, reduced to what differs from the last update.
    pub fn update(&mut self, subject: &Subject, options: Options) -> Result<Update, Error> {
        let evaluation = self.evaluate(subject, options)?;
        let Some(decided) = self.decided.get_mut(subject) else { return Err(subject.not_found()) };
        let mut kept = Box::new(evaluation.clone());
        kept.explanations.clear();
        Ok(match decided.updated.replace(kept) {
            Some(before) => update::reduce(&before, evaluation),
            None => Update { evaluation, reduced: None },
        })
    }

    /// The decisions to come up to `until` if nothing but time changes.
    pub fn forecast(&self, subject: &Subject, options: Options, until: Time) -> Result<Forecast, Error> {
        let reading = self.reading(subject)?;
        let observed = observed::observed(&reading, &self.reports, options.now);
        let observed = read(&observed)?;
        look_ahead(options.into(), until, |mode| decide::decide(&reading, &observed, None, mode))
    }

    /// The snapshot that the decision about an object reads, for the stateless functions.
    pub fn snapshot(&self, subject: &Subject, options: Options) -> Result<String, Error> {
        let reading = self.reading(subject)?;
        let observed = observed::observed(&reading, &self.reports, options.now);
        Ok(snapshot::snapshot(&reading, &observed, options.into()))
    }

    /// How many objects there are, and the size of their texts in bytes.
    pub fn size(&self) -> (usize, usize) {
        self.store.size()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn reading<'s>(&'s self, subject: &'s Subject) -> Result<Reading<'s>, Error> {
        let object = self.store.subject(subject).ok_or_else(|| subject.not_found())?;
        Ok(Reading { store: &self.store, completeness: &self.completeness, subject, object })
    }

    fn put(&mut self, name: &ObjectRef, object: Object, version: Option<String>) {
        let extent = match self.store.get(name) {
            Some(before) if before.text() == object.text() => return,
            Some(before) if before.has_frame() && !frame::differs(before.text(), object.text()) => Extent::BelowFrame,
            _ => Extent::Frame,
        };
        let before = affected(&self.store, name, extent);
        let kinds = self.kind_state(name);
        let named_before = self.named_by(name);
        self.completeness.found(name);
        self.store.insert(name, object);
        self.forget_missing(&named_before);
        self.outdated.retain(|(known, _)| known != name);
        self.outdated.extend(version.map(|version| (name.clone(), version)));
        self.note(&before);
        self.note(&affected(&self.store, name, extent));
        self.note_kind(name, kinds);
    }

    fn read_listed(scope: &Scope, text: &str) -> Result<(ObjectRef, Object, Option<String>), Error> {
        let Listed { name, version, text } = Listed::read(scope, text)?;
        let object = Object::read(&name.place, text)?;
        Ok((name, object, version))
    }

    fn names_in(&self, scope: &Scope) -> impl Iterator<Item = ObjectRef> {
        let places = self.store.places().filter(|(place, _)| scope.covers(place));
        places
            .flat_map(|(place, named)| named.keys().map(|name| ObjectRef { place: place.clone(), name: name.clone() }))
    }

    fn of_workload_cluster(&self, cluster: &WorkloadCluster) -> Vec<Subject> {
        let objects = Kind::ALL
            .iter()
            .flat_map(|kind| self.store.all(*kind, &cluster.namespace).map(move |object| (*kind, object)));
        let belonging = objects.filter(|(_, object)| object.cluster_name() == Some(&cluster.name));
        belonging
            .filter_map(|(kind, object)| {
                let metadata = object.metadata()?;
                Some(Subject::new(kind, &metadata.namespace, &metadata.name))
            })
            .collect()
    }

    fn remember(&mut self, subject: &Subject, evaluation: &Evaluation, lasting: Vec<CheckedMachine>, holds: bool) {
        self.changed.remove(subject);
        let decided = self.decided.entry(subject.clone()).or_default();
        let next = due_at(evaluation);
        if let Some(before) = std::mem::replace(&mut decided.next, next) {
            self.timers.remove(&(before, subject.clone()));
        }
        if let Some(next) = next {
            self.timers.insert((next, subject.clone()));
        }
        if !holds {
            decided.verdicts = Verdicts::default();
        }
        decided.verdicts.add(evaluation, lasting);
    }

    /// An object that is gone is not due, whatever happens to what its decisions read.
    fn forget(&mut self, subject: &Subject) {
        self.changed.remove(subject);
        self.reports.forget(subject);
        if let Some(next) = self.decided.remove(subject).and_then(|decided| decided.next) {
            self.timers.remove(&(next, subject.clone()));
        }
    }

    /// What an object refers to, where that matters.
    fn named_by(&self, name: &ObjectRef) -> Vec<ObjectRef> {
        let object = self.store.get(name).filter(|_| self.completeness.any_missing());
        object.map(references::named_by).unwrap_or_default()
    }

    /// That an object does not exist is remembered for as long as others refer to it.
    fn forget_missing(&mut self, named: &[ObjectRef]) {
        for name in named.iter().filter(|name| !self.store.is_referred_to(name)) {
            self.completeness.found(name);
        }
    }

    fn note(&mut self, affected: &[Affected]) {
        for Affected { subject, again } in affected {
            self.subject_changed(subject, again);
        }
    }

    /// Something changed that the decision about an object reads: for a health check perhaps about one machine only, or about none.
    fn subject_changed(&mut self, subject: &Subject, again: &Again) {
        if self.store.subject(subject).is_none() {
            return;
        }
        if !self.changed.contains(subject) {
            self.changed.insert(subject.clone());
        }
        if let Some(decided) = self.decided.get_mut(subject) {
            match again {
                Again::All => decided.verdicts = Verdicts::default(),
                Again::Machine(machine) => decided.verdicts.forget(machine),
                Again::None => {}
            }
        }
    }

    fn everything_changed(&mut self) {
        for subject in self.decidable() {
            self.subject_changed(&subject, &Again::All);
        }
    }

    /// What the first and the last object of a kind change for others: whether its place counts as completely listed, and
    /// whether a workload cluster has Nodes.
    fn kind_state(&self, name: &ObjectRef) -> (bool, bool) {
        let assumed = self.completeness.assumption != Assumption::Nothing;
        let complete = assumed && self.completeness.is_complete(&self.store, &name.place);
        (complete, name.place.is_of_nodes() && self.store.place(&name.place).is_some())
    }

    fn note_kind(&mut self, name: &ObjectRef, before: (bool, bool)) {
        if self.kind_state(name) != before {
            self.everything_changed();
        }
    }
}

fn of_kind(subjects: &BTreeSet<Subject>, kind: Kind) -> impl Iterator<Item = &Subject> {
    subjects.range(Subject::new(kind, "", "")..).take_while(move |subject| subject.kind == kind)
}

fn due_at(evaluation: &Evaluation) -> Option<Time> {
    let requeue = evaluation.requeue_after_seconds.map(|seconds| evaluation.now.plus(seconds));
    requeue.into_iter().chain(evaluation.next_change).min()
}
