//! From an object to those its decision reads, noting on the way what was asked for.

use super::index::{Entry, Index};
use super::key::{self, GroupKind, Key, Query, cluster_name, controller, group_of};
use super::workload;
use crate::group::relations::{Link, SUBJECT};
use kube::core::DynamicObject;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Objects by field of the snapshot.
pub type Found = BTreeMap<&'static str, Vec<(Key, Arc<Entry>)>>;

/// Follows links from the object, and notes on the way what was asked for.
pub struct Asking<'i> {
    pub index: &'i Index,
    pub found: Found,
    pub queries: BTreeSet<Query>,
    /// Kinds that are watched only because something refers to them.
    pub kinds: BTreeSet<GroupKind>,
}

impl Asking<'_> {
    pub fn follow(&mut self, link: &Link) -> Vec<(Key, Arc<Entry>)> {
        let one = if link.is_upward() { Query::FrameOf } else { Query::Named };
        let queries: Vec<Query> = match link {
            Link::OwnedBy { kind, owner } => self.each(owner, |key, _| Some(Query::OwnedBy(kind.into(), key.clone()))),
            Link::OwnerOf { kind, owned } => self.each(owned, |key, object| {
                let owner = controller(object)?;
                let owning = GroupKind::new(group_of(&owner.api_version), &owner.kind);
                owning.is(kind).then(|| one(Key::new(owning, &key.namespace, &owner.name)))
            }),
            Link::Named { kind, at, of } => self.each(of, |key, object| {
                let name = object.data.pointer(at)?.as_str().filter(|name| !name.is_empty())?;
                let namespace = match kind.group {
                    "" => key::workload(&key.namespace, cluster_name(object)?),
                    _ => key.namespace.to_string(),
                };
                Some(one(Key::new(kind.into(), &namespace, name)))
            }),
            Link::Referenced { at, of } => self.each(of, |key, object| {
                let (kind, name) = reference(object, at)?;
                Some(one(Key::new(kind, &key.namespace, &name)))
            }),
            Link::ClusterOf { kind } => {
                self.each(SUBJECT, |key, object| Some(one(Key::new(kind.into(), &key.namespace, cluster_of(object)?))))
            }
            Link::OfCluster { kind } => self
                .each(SUBJECT, |key, _| Some(Query::OfCluster(kind.into(), key.namespace.clone(), key.name.clone()))),
            // All that the namespace has of the same Cluster: no decision looks at those of another.
            Link::Neighbours { kind } => self.each(SUBJECT, |key, object| {
                Some(Query::OfCluster(kind.into(), key.namespace.clone(), cluster_of(object)?.into()))
            }),
            Link::RequestsFor { template, machines } => {
                let request = self.each(SUBJECT, |_, object| reference(object, template)).into_iter().next();
                request.and_then(|(template, _)| request_kind(&template)).map_or_else(Vec::new, |kind| {
                    self.each(machines, |key, _| Some(one(Key::new(kind.clone(), &key.namespace, &key.name))))
                })
            }
        };
        let on_demand = match link {
            Link::Referenced { .. } | Link::RequestsFor { .. } => true,
            // Nodes come from elsewhere.
            Link::Named { kind, .. } => !kind.group.is_empty(),
            _ => false,
        };
        if on_demand {
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

/// The kind of the requests that are made from a template.
pub fn request_kind(template: &GroupKind) -> Option<GroupKind> {
    Some(GroupKind::new(&template.group, template.kind.strip_suffix("Template")?))
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
