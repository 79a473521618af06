//! In: Kubernetes objects, in any order. Out: one snapshot for each object that the policy can evaluate, with
//! everything that its decisions read.

pub(crate) mod observed;
mod question;
pub(crate) mod relations;
mod store;

pub use question::Question;

use self::relations::{Link, Related, SUBJECT, Subject};
use self::store::Store;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The snapshots, and what a person should know about the input.
pub struct Grouped {
    /// One for each object that can be evaluated, by kind and then by name.
    pub questions: Vec<Question>,
    /// Kinds that objects refer to and that the input has none of.
    pub absent: BTreeSet<String>,
    /// Objects of a version that the policy does not read.
    pub outdated: BTreeSet<String>,
}

/// Groups objects into snapshots for those of the `kinds`.
pub fn group(objects: &[Value], kinds: &BTreeSet<String>, now: &str) -> Grouped {
    let store = Store::of(objects);
    let mut grouped = Grouped { questions: Vec::new(), absent: BTreeSet::new(), outdated: store.outdated() };
    for subject in relations::SUBJECTS.iter().filter(|subject| kinds.contains(subject.kind.name)) {
        for object in store.all(&subject.kind) {
            let found = relate(&store, subject, object);
            grouped.absent.extend(found.unread.iter().map(|(_, kind)| kind.clone()));
            let observed = observed::observed(&store, subject, object, &found, now);
            let mut snapshot = Map::new();
            snapshot.insert("kind".to_owned(), json!(subject.kind.name));
            snapshot.insert("now".to_owned(), json!(now));
            snapshot.insert(subject.field.to_owned(), object.clone());
            for related in subject.related {
                let objects = found.by_field.get(related.field).map(Vec::as_slice).unwrap_or_default();
                let value = if related.many { json!(objects) } else { json!(objects.first()) };
                snapshot.insert(related.field.to_owned(), value);
            }
            for (field, seen) in observed::last_seen(object, &found) {
                snapshot.insert(field.to_owned(), seen);
            }
            snapshot.insert("observed".to_owned(), observed);
            grouped.questions.push(Question::of(Value::Object(snapshot)));
        }
    }
    grouped
}

/// What was found for one subject.
struct Found<'a> {
    /// Objects by field of the snapshot.
    by_field: BTreeMap<&'static str, Vec<&'a Value>>,
    /// Relations that lead to a kind that the input has none of, with that kind.
    unread: Vec<(&'static Related, String)>,
}

fn relate<'a>(store: &Store<'a>, subject: &Subject, object: &'a Value) -> Found<'a> {
    let mut found = Found { by_field: BTreeMap::from([(SUBJECT, vec![object])]), unread: Vec::new() };
    for related in subject.related {
        let objects = follow(store, &found.by_field, &related.link);
        if let Some(kind) = unread(store, &found.by_field, &related.link) {
            found.unread.push((related, kind));
        }
        found.by_field.insert(related.field, objects);
    }
    found.by_field.remove(SUBJECT);
    found
}

fn follow<'a>(store: &Store<'a>, known: &BTreeMap<&str, Vec<&'a Value>>, link: &Link) -> Vec<&'a Value> {
    let from = |field: &str| known.get(field).map(Vec::as_slice).unwrap_or_default();
    let mut objects: Vec<&Value> = match link {
        Link::OwnedBy { kind, owner } => from(owner).iter().flat_map(|owner| store.owned_by(owner, kind)).collect(),
        Link::OwnerOf { kind, owned } => from(owned).iter().filter_map(|owned| store.owner_of(owned, kind)).collect(),
        Link::Named { kind, at, of } => from(of).iter().filter_map(|object| store.named(object, at, kind)).collect(),
        Link::Referenced { at, of } => from(of).iter().filter_map(|object| store.referenced(object, at)).collect(),
        Link::ClusterOf { kind } => from(SUBJECT).iter().filter_map(|object| store.cluster_of(object, kind)).collect(),
        Link::OfCluster { kind } => from(SUBJECT).iter().flat_map(|cluster| store.of_cluster(cluster, kind)).collect(),
        Link::Neighbours { kind } => from(SUBJECT).iter().flat_map(|object| store.neighbours(object, kind)).collect(),
        Link::RequestsFor { template, machines } => from(SUBJECT)
            .iter()
            .filter_map(|object| store::reference(object, template))
            .flat_map(|reference| from(machines).iter().filter_map(move |machine| store.request(machine, &reference)))
            .collect(),
    };
    let mut seen = BTreeSet::new();
    objects.retain(|object| seen.insert(std::ptr::from_ref(*object)));
    objects
}

/// The kind that the link leads to, where something refers to it and the input has none at all.
fn unread(store: &Store<'_>, known: &BTreeMap<&str, Vec<&Value>>, link: &Link) -> Option<String> {
    let from = |field: &str| known.get(field).map(Vec::as_slice).unwrap_or_default();
    match link {
        Link::Named { kind, at, of } => {
            let named = from(of).iter().any(|object| object.pointer(at).and_then(Value::as_str).is_some());
            (named && !store.has(kind.group, kind.name)).then(|| kind.name.to_owned())
        }
        Link::Referenced { at, of } => from(of)
            .iter()
            .filter_map(|object| store::reference(object, at))
            .find(|reference| !store.has(&reference.group, &reference.kind))
            .map(|reference| reference.kind),
        _ => None,
    }
}
