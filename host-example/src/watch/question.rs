//! An object's key in, the snapshot that its decision reads out.

use super::index::{Entry, Index};
use super::key::{self, GroupKind, Key, Query, cluster_name, controller, group_of};
use super::observed;
use super::workload;
use super::world::{Watched, World};
use crate::group::relations::{Link, SUBJECT, SUBJECTS, Subject};
use kube::core::DynamicObject;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// A snapshot, all but the time.
pub struct Question {
    /// The object as it is stored.
    pub object: Arc<Entry>,
    /// Machines of the snapshot: a health check writes conditions of theirs.
    pub machines: BTreeMap<String, (Key, Arc<Entry>)>,
    /// The JSON object without its closing brace.
    body: String,
}

/// How the policy is asked.
pub struct Manner {
    pub profile: String,
    /// Whether it says how it came to each decision.
    pub explain: bool,
}

/// What asking led to.
pub enum Asked {
    /// The snapshot is complete.
    Ready(Box<Question>),
    /// The object is gone, or not one to decide about.
    Nothing,
    /// Something has not been read yet; its arrival wakes the object.
    NotYet,
}

/// Objects by field of the snapshot.
pub type Found = BTreeMap<&'static str, Vec<(Key, Arc<Entry>)>>;

impl Question {
    /// What the decision depends on, time aside.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The snapshot at a time.
    pub fn snapshot(&self, now: &str) -> String {
        format!("{},\"now\":\"{now}\"}}", self.body)
    }
}

impl World {
    /// Puts together what the decision about an object reads, and notes it so that changes wake the object.
    pub fn ask(&self, key: &Key, manner: &Manner, refused: bool) -> Asked {
        let Some(subject) = SUBJECTS.iter().find(|subject| key.kind.is(&subject.kind)) else { return Asked::Nothing };
        let mut index = self.index();
        let Some(object) = index.get(key).cloned() else { return Asked::Nothing };
        let mut asking =
            Asking { index: &index, found: Found::new(), queries: BTreeSet::new(), kinds: BTreeSet::new() };
        asking.found.insert(SUBJECT, vec![(key.clone(), object.clone())]);
        for related in subject.related {
            let objects = asking.follow(&related.link);
            asking.found.insert(related.field, objects);
        }
        let Asking { mut found, mut queries, kinds, .. } = asking;
        let workload = observed::workload_of(subject, key, &object);
        queries.extend(workload.iter().map(|workload| connection(workload)));
        found.remove(SUBJECT);
        index.subscribe(key, queries);
        drop(index);

        let watched: Vec<_> = kinds.iter().map(|kind| (kind, self.watched(kind))).collect();
        if watched.iter().any(|(_, watched)| matches!(watched, Watched::Starting)) {
            return Asked::NotYet;
        }
        let unreadable: BTreeSet<GroupKind> =
            watched.iter().filter(|(_, w)| matches!(w, Watched::Unreadable)).map(|(kind, _)| (*kind).clone()).collect();
        let machines = found.get("machines").map(Vec::as_slice).unwrap_or_default();
        let cluster_exists = subject.field == "cluster" || found.get("cluster").is_some_and(|cluster| !cluster.is_empty());
        let reading = observed::Reading {
            subject,
            object: &object,
            machines,
            unreadable: &unreadable,
            workload: workload.as_deref(),
            cluster_exists,
            refused,
        };
        let Some(observed) = observed::observed(self, &reading) else {
            return Asked::NotYet;
        };
        let body = write(subject, &object, &found, manner, &observed);
        let machines = found.remove("machines").unwrap_or_default();
        let machines = machines.into_iter().map(|(key, entry)| (key.name.to_string(), (key, entry))).collect();
        Asked::Ready(Box::new(Question { object, machines, body }))
    }
}

/// Follows links from the object, and notes on the way what was asked for.
struct Asking<'i> {
    index: &'i Index,
    found: Found,
    queries: BTreeSet<Query>,
    /// Kinds that are watched only because something refers to them.
    kinds: BTreeSet<GroupKind>,
}

impl Asking<'_> {
    fn follow(&mut self, link: &Link) -> Vec<(Key, Arc<Entry>)> {
        let queries: Vec<Query> = match link {
            Link::OwnedBy { kind, owner } => self.each(owner, |key, _| Some(Query::OwnedBy(kind.into(), key.clone()))),
            Link::OwnerOf { kind, owned } => self.each(owned, |key, object| {
                let owner = controller(object)?;
                let owning = GroupKind::new(group_of(&owner.api_version), &owner.kind);
                owning.is(kind).then(|| Query::Named(Key::new(owning, &key.namespace, &owner.name)))
            }),
            Link::Named { kind, at, of } => self.each(of, |key, object| {
                let name = object.data.pointer(at)?.as_str().filter(|name| !name.is_empty())?;
                let namespace = match kind.group {
                    "" => key::workload(&key.namespace, cluster_name(object)?),
                    _ => key.namespace.to_string(),
                };
                Some(Query::Named(Key::new(kind.into(), &namespace, name)))
            }),
            Link::Referenced { at, of } => self.each(of, |key, object| {
                let (kind, name) = reference(object, at)?;
                Some(Query::Named(Key::new(kind, &key.namespace, &name)))
            }),
            Link::ClusterOf { kind } => self.each(SUBJECT, |key, object| {
                Some(Query::Named(Key::new(kind.into(), &key.namespace, cluster_of(object)?)))
            }),
            Link::OfCluster { kind } => self
                .each(SUBJECT, |key, _| Some(Query::OfCluster(kind.into(), key.namespace.clone(), key.name.clone()))),
            // All that the namespace has of the same Cluster: no decision looks at those of another.
            Link::Neighbours { kind } => self.each(SUBJECT, |key, object| {
                Some(Query::OfCluster(kind.into(), key.namespace.clone(), cluster_of(object)?.into()))
            }),
            Link::RequestsFor { template, machines } => {
                let request = self.each(SUBJECT, |_, object| reference(object, template)).into_iter().next();
                let kind = request
                    .and_then(|(kind, _)| Some(GroupKind::new(&kind.group, kind.kind.strip_suffix("Template")?)));
                kind.map_or_else(Vec::new, |kind| {
                    self.each(machines, |key, _| Some(Query::Named(Key::new(kind.clone(), &key.namespace, &key.name))))
                })
            }
        };
        if matches!(link, Link::Referenced { .. } | Link::RequestsFor { .. }) {
            self.kinds.extend(queries.iter().filter_map(|query| match query {
                Query::Named(key) => Some(key.kind.clone()),
                _ => None,
            }));
        }
        let mut objects = BTreeMap::new();
        for query in queries {
            let answers = self.index.answer(&query);
            objects.extend(answers.into_iter().map(|(key, entry)| (key.clone(), entry.clone())));
            self.queries.insert(query);
        }
        objects.into_iter().collect()
    }

    fn each<T>(&self, field: &str, ask: impl Fn(&Key, &DynamicObject) -> Option<T>) -> Vec<T> {
        let objects = self.found.get(field).into_iter().flatten();
        objects.filter_map(|(key, entry)| ask(key, &entry.object)).collect()
    }
}

/// The Cluster that an object names: in its spec, else by label.
fn cluster_of(object: &DynamicObject) -> Option<&str> {
    let named = object.data.pointer("/spec/clusterName").and_then(Value::as_str).filter(|name| !name.is_empty());
    named.or_else(|| cluster_name(object))
}

/// Asks for the connection to a workload cluster: no Node has an empty name.
pub fn connection(workload: &str) -> Query {
    Query::Named(Key::new(workload::node_kind(), workload, ""))
}

/// Kind and name at the first of the paths that holds a reference.
pub fn reference(object: &DynamicObject, at: &[&str]) -> Option<(GroupKind, String)> {
    let text = |found: &Value, field: &str| found[field].as_str().unwrap_or_default().to_owned();
    let found = at.iter().filter_map(|path| object.data.pointer(path)).find(|found| !text(found, "name").is_empty())?;
    let api_version = text(found, "apiVersion");
    let group = found["apiGroup"].as_str().unwrap_or_else(|| group_of(&api_version));
    Some((GroupKind::new(group, &text(found, "kind")), text(found, "name")))
}

fn write(subject: &Subject, object: &Entry, found: &Found, manner: &Manner, observed: &Value) -> String {
    let Manner { profile, explain } = manner;
    let mut body =
        format!("{{\"kind\":\"{}\",\"profile\":\"{profile}\",\"explain\":{explain}", subject.kind.name);
    let _ = write!(body, ",\"{}\":{}", subject.field, object.text);
    for related in subject.related {
        let objects = found.get(related.field).map(Vec::as_slice).unwrap_or_default();
        if related.many {
            let texts: Vec<&str> = objects.iter().map(|(_, entry)| entry.text.get()).collect();
            let _ = write!(body, ",\"{}\":[{}]", related.field, texts.join(","));
        } else if let Some((_, entry)) = objects.first() {
            let _ = write!(body, ",\"{}\":{}", related.field, entry.text);
        }
    }
    let _ = write!(body, ",\"observed\":{observed}");
    body
}
