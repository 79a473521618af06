//! Objects by what others call them: name, owner, cluster.

use super::relations::Kind;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const CLUSTER_NAME: &str = "cluster.x-k8s.io/cluster-name";
const READ_VERSION: &str = "v1beta2";

/// Group, kind, namespace and name.
type Key<'a> = (&'a str, &'a str, &'a str, &'a str);

/// Every object of the input. Of two with the same name the later one counts, as with `kubectl apply`.
pub struct Store<'a> {
    objects: BTreeMap<Key<'a>, &'a Value>,
    owned: BTreeMap<Key<'a>, Vec<&'a Value>>,
}

/// A reference to an object of any kind.
pub struct Reference {
    /// The API group.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The name.
    pub name: String,
}

impl<'a> Store<'a> {
    /// Sorts objects in.
    pub fn of(objects: &'a [Value]) -> Self {
        let objects: BTreeMap<_, _> = objects.iter().map(|object| (key(object), object)).collect();
        let mut owned: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for object in objects.values() {
            for owner in owners(object) {
                let key =
                    (group_of(text(owner, "apiVersion")), text(owner, "kind"), namespace(object), text(owner, "name"));
                owned.entry(key).or_default().push(*object);
            }
        }
        Self { objects, owned }
    }

    /// Every object of a kind.
    pub fn all(&self, kind: &Kind) -> impl Iterator<Item = &'a Value> {
        let (group, name) = (kind.group, kind.name);
        self.objects
            .range::<Key<'_>, _>((group, name, "", "")..)
            .take_while(move |((g, k, ..), _)| (*g, *k) == (group, name))
            .map(|(_, object)| *object)
    }

    /// Whether there is any object of a kind.
    pub fn has(&self, group: &str, kind: &str) -> bool {
        self.objects
            .range::<Key<'_>, _>((group, kind, "", "")..)
            .next()
            .is_some_and(|((g, k, ..), _)| (*g, *k) == (group, kind))
    }

    /// Objects of Cluster API in a version other than the one decisions read.
    pub fn outdated(&self) -> BTreeSet<String> {
        let version = |object: &Value| text(object, "apiVersion").rsplit('/').next().unwrap_or_default().to_owned();
        self.objects
            .iter()
            .filter(|((group, ..), object)| {
                group.ends_with("cluster.x-k8s.io")
                    && super::relations::SUBJECTS.iter().any(|s| s.kind.name == text(object, "kind"))
            })
            .filter(|(_, object)| version(object) != READ_VERSION)
            .map(|((_, kind, ..), object)| format!("{kind} {}", text(object, "apiVersion")))
            .collect()
    }

    pub(super) fn owned_by(&self, owner: &Value, kind: &Kind) -> Vec<&'a Value> {
        let uid = owner.pointer("/metadata/uid").and_then(Value::as_str);
        let is_owner = |object: &Value| {
            owners(object).any(|reference| {
                (text(reference, "kind"), text(reference, "name")) == (text(owner, "kind"), name(owner))
                    && reference["controller"] == true
                    && uid.is_none_or(|uid| reference["uid"].as_str().is_none_or(|other| other == uid))
            })
        };
        let all = self.owned.get(&key(owner)).into_iter().flatten();
        all.copied().filter(|object| is_kind(object, kind) && is_owner(object)).collect()
    }

    pub(super) fn owner_of(&self, object: &Value, kind: &Kind) -> Option<&'a Value> {
        let owner = owners(object).find(|owner| {
            owner["controller"] == true
                && (group_of(text(owner, "apiVersion")), text(owner, "kind")) == (kind.group, kind.name)
        })?;
        self.get(kind.group, kind.name, namespace(object), text(owner, "name"))
    }

    pub(super) fn named(&self, object: &Value, at: &str, kind: &Kind) -> Option<&'a Value> {
        let name = object.pointer(at)?.as_str()?;
        let namespace = if kind.group.is_empty() { "" } else { namespace(object) };
        self.get(kind.group, kind.name, namespace, name)
    }

    pub(super) fn referenced(&self, object: &Value, at: &[&str]) -> Option<&'a Value> {
        let reference = reference(object, at)?;
        self.get(&reference.group, &reference.kind, namespace(object), &reference.name)
    }

    pub(super) fn cluster_of(&self, object: &Value, kind: &Kind) -> Option<&'a Value> {
        self.get(kind.group, kind.name, namespace(object), cluster_name(object)?)
    }

    pub(super) fn of_cluster(&self, cluster: &Value, kind: &Kind) -> Vec<&'a Value> {
        self.neighbours(cluster, kind)
            .into_iter()
            .filter(|object| cluster_name(object) == Some(name(cluster)))
            .collect()
    }

    pub(super) fn neighbours(&self, object: &Value, kind: &Kind) -> Vec<&'a Value> {
        self.all(kind).filter(|other| namespace(other) == namespace(object)).collect()
    }

    pub(super) fn request(&self, machine: &Value, template: &Reference) -> Option<&'a Value> {
        let kind = template.kind.strip_suffix("Template")?;
        self.get(&template.group, kind, namespace(machine), name(machine))
    }

    fn get(&self, group: &str, kind: &str, namespace: &str, name: &str) -> Option<&'a Value> {
        self.objects.get(&(group, kind, namespace, name)).copied()
    }
}

/// The reference at the first of the paths that holds one.
pub(super) fn reference(object: &Value, at: &[&str]) -> Option<Reference> {
    let found = at.iter().filter_map(|path| object.pointer(path)).find(|found| !text(found, "name").is_empty())?;
    let group = found["apiGroup"].as_str().unwrap_or_else(|| group_of(text(found, "apiVersion")));
    Some(Reference {
        group: group.to_owned(),
        kind: text(found, "kind").to_owned(),
        name: text(found, "name").to_owned(),
    })
}

fn key(object: &Value) -> Key<'_> {
    (group_of(text(object, "apiVersion")), text(object, "kind"), namespace(object), name(object))
}

fn is_kind(object: &Value, kind: &Kind) -> bool {
    (group_of(text(object, "apiVersion")), text(object, "kind")) == (kind.group, kind.name)
}

fn cluster_name(object: &Value) -> Option<&str> {
    let label = || object["metadata"]["labels"][CLUSTER_NAME].as_str();
    object["spec"]["clusterName"].as_str().filter(|name| !name.is_empty()).or_else(label)
}

fn owners(object: &Value) -> impl Iterator<Item = &Value> {
    object["metadata"]["ownerReferences"].as_array().into_iter().flatten()
}

fn name(object: &Value) -> &str {
    text(&object["metadata"], "name")
}

fn namespace(object: &Value) -> &str {
    text(&object["metadata"], "namespace")
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

fn group_of(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}
