//! `metadata`, reduced to what decisions read.

use super::{Str, null_is_default};
use crate::time::Time;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use std::fmt;

/// Labels that decisions read.
pub mod label {
    /// The name of the Cluster an object belongs to.
    pub const CLUSTER_NAME: &str = "cluster.x-k8s.io/cluster-name";
    /// Marks control-plane machines.
    pub const CONTROL_PLANE: &str = "cluster.x-k8s.io/control-plane";
    /// The name of the MachinePool a machine belongs to.
    pub const MACHINE_POOL: &str = "cluster.x-k8s.io/pool-name";
}

/// Annotations that decisions read. All others are skipped while reading.
pub mod annotation {
    /// The object is not to be reconciled.
    pub const PAUSED: &str = "cluster.x-k8s.io/paused";
    /// The machine is not to be remediated.
    pub const SKIP_REMEDIATION: &str = "cluster.x-k8s.io/skip-remediation";
    /// The machine is to be remediated whatever its health.
    pub const REMEDIATE_MACHINE: &str = "cluster.x-k8s.io/remediate-machine";
    /// An in-place update is in progress.
    pub const UPDATE_IN_PROGRESS: &str = "in-place-updates.internal.cluster.x-k8s.io/update-in-progress";
    /// Comma-separated runtime hooks that still have to run.
    pub const PENDING_HOOKS: &str = "runtime.cluster.x-k8s.io/pending-hooks";
    /// A machine came from another MachineSet, and the MachineDeployment has not counted it here yet.
    pub const PENDING_ACKNOWLEDGE_MOVE: &str = "in-place-updates.internal.cluster.x-k8s.io/pending-acknowledge-move";
    /// What a control plane is remediating now, as JSON.
    pub const REMEDIATION_IN_PROGRESS: &str = "controlplane.cluster.x-k8s.io/remediation-in-progress";
    /// What a control-plane machine replaces, as JSON.
    pub const REMEDIATION_FOR: &str = "controlplane.cluster.x-k8s.io/remediation-for";
    /// The version that a Cluster's upgrade is at, where it goes through several.
    pub const UPGRADE_STEP: &str = "topology.internal.cluster.x-k8s.io/upgrade-step";

    pub(super) const READ: &[&str] = &[
        PAUSED,
        SKIP_REMEDIATION,
        REMEDIATE_MACHINE,
        UPDATE_IN_PROGRESS,
        PENDING_HOOKS,
        PENDING_ACKNOWLEDGE_MOVE,
        REMEDIATION_IN_PROGRESS,
        REMEDIATION_FOR,
        UPGRADE_STEP,
    ];
}

/// `metadata` of any object.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Metadata<'a> {
    /// `name`.
    #[serde(borrow)]
    pub name: Str<'a>,
    /// `namespace`.
    #[serde(borrow)]
    pub namespace: Str<'a>,
    /// `uid`.
    #[serde(borrow)]
    pub uid: Str<'a>,
    /// `generation`.
    #[serde(deserialize_with = "null_is_default")]
    pub generation: i64,
    /// `creationTimestamp`.
    pub creation_timestamp: Option<Time>,
    /// `deletionTimestamp`.
    pub deletion_timestamp: Option<Time>,
    /// `labels`, in the order of the text.
    #[serde(borrow, deserialize_with = "all_entries")]
    pub labels: Vec<(Str<'a>, Str<'a>)>,
    /// `annotations`, those of [`annotation`] only.
    #[serde(borrow, deserialize_with = "read_annotations")]
    pub annotations: Vec<(Str<'a>, Str<'a>)>,
    /// `ownerReferences`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub owner_references: Vec<OwnerReference<'a>>,
}

/// One entry of `metadata.ownerReferences`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OwnerReference<'a> {
    /// `apiVersion`.
    #[serde(borrow)]
    pub api_version: Str<'a>,
    /// `kind`.
    #[serde(borrow)]
    pub kind: Str<'a>,
    /// `name`.
    #[serde(borrow)]
    pub name: Str<'a>,
    /// `uid`.
    #[serde(borrow)]
    pub uid: Str<'a>,
    /// `controller`.
    #[serde(deserialize_with = "null_is_default")]
    pub controller: bool,
}

impl<'a> Metadata<'a> {
    /// The value of a label.
    pub fn label(&self, key: &str) -> Option<&Str<'a>> {
        self.labels.iter().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    /// The value of an annotation of [`annotation`].
    pub fn annotation(&self, key: &str) -> Option<&Str<'a>> {
        self.annotations.iter().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    /// Whether the object is being deleted.
    pub fn in_deletion(&self) -> bool {
        self.deletion_timestamp.is_some()
    }

    /// Whether some controller owns the object.
    pub fn has_controller(&self) -> bool {
        self.owner_references.iter().any(|owner| owner.controller)
    }

    /// `namespace/name`, or the name of an object without namespace.
    pub fn key(&self) -> String {
        if self.namespace.is_empty() { self.name.to_string() } else { format!("{}/{}", self.namespace, self.name) }
    }
}

type Entries<'a> = Vec<(Str<'a>, Str<'a>)>;

fn all_entries<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Entries<'a>, D::Error> {
    deserializer.deserialize_any(Map { keep: |_| true, borrow: std::marker::PhantomData })
}

fn read_annotations<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Entries<'a>, D::Error> {
    deserializer.deserialize_any(Map { keep: |key| annotation::READ.contains(&key), borrow: std::marker::PhantomData })
}

/// A map of strings as a list, without building the entries that nothing reads.
struct Map<'a> {
    keep: fn(&str) -> bool,
    borrow: std::marker::PhantomData<&'a ()>,
}

impl<'de: 'a, 'a> Visitor<'de> for Map<'a> {
    type Value = Entries<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of strings")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<Str<'a>>()? {
            if (self.keep)(&key) {
                entries.push((key, map.next_value()?));
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(entries)
    }
}
