//! What the fleet wants to have read.

use crate::key::{GroupKind, STATIC_PODS};
use anyhow::{Context, Result};
use capi_policy_host::{Fleet, ObjectName, Scope, WorkloadCluster};
use serde::Deserialize;
use std::collections::BTreeSet;

/// The fleet's answer.
#[derive(Deserialize)]
pub struct Wanted {
    kinds: Vec<List>,
    objects: Vec<Object>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct List {
    #[serde(default)]
    group: String,
    kind: String,
    workload_cluster: Option<WorkloadCluster>,
}

#[derive(Deserialize)]
struct Object {
    #[serde(flatten)]
    name: ObjectName,
    presence: String,
}

impl Wanted {
    pub fn of(fleet: &mut Fleet) -> Result<Self> {
        serde_json::from_str(&fleet.wanted()?).context("the policy's answer")
    }

    /// What to list: every kind in the namespace, and elsewhere those that are referred to from there.
    pub fn scopes(&self, namespace: Option<&str>) -> BTreeSet<Scope> {
        let kinds = self.kinds.iter().map(|kind| Scope {
            group: kind.group.clone(),
            kind: kind.kind.clone(),
            namespace: if kind.workload_cluster.is_none() {
                namespace.map(str::to_owned)
            } else {
                (*kind.kind == *GroupKind::pod().kind).then(|| STATIC_PODS.to_owned())
            },
            workload_cluster: kind.workload_cluster.clone(),
        });
        let elsewhere = self.objects.iter().filter(|object| object.presence == "notRead").map(|object| &object.name);
        let elsewhere = elsewhere.filter(|name| {
            name.workload_cluster.is_none()
                && !name.namespace.is_empty()
                && namespace.is_some_and(|own| own != name.namespace)
        });
        let elsewhere = elsewhere.map(|name| Scope {
            group: name.group.clone(),
            kind: name.kind.clone(),
            namespace: Some(name.namespace.clone()),
            workload_cluster: None,
        });
        kinds.chain(elsewhere).collect()
    }

    /// Whether some object refers to one of that kind.
    pub fn refers_to(&self, scope: &Scope) -> bool {
        self.objects.iter().any(|object| object.name.kind == scope.kind && object.name.group == scope.group)
    }
}
