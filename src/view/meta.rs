//! `metadata`, reduced to what decisions read.

use super::{Str, Whole};
use crate::time::Time;
use capi_policy_json::{Fault, Read, Reader, Skipped, fields, same};
use std::collections::BTreeMap;

/// Labels that decisions read.
pub mod label {
    /// The name of the Cluster an object belongs to.
    pub const CLUSTER_NAME: &str = "cluster.x-k8s.io/cluster-name";
    /// Marks control-plane machines.
    pub const CONTROL_PLANE: &str = "cluster.x-k8s.io/control-plane";
    /// The name of the MachineDeployment an object belongs to.
    pub const DEPLOYMENT_NAME: &str = "cluster.x-k8s.io/deployment-name";
    /// What tells the MachineSets of a MachineDeployment and their machines apart.
    pub const UNIQUE: &str = "machine-template-hash";
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
    /// The template that an infrastructure object was made from: its name.
    pub const CLONED_FROM_NAME: &str = "cluster.x-k8s.io/cloned-from-name";
    /// The same: its kind and group.
    pub const CLONED_FROM_GROUP_KIND: &str = "cluster.x-k8s.io/cloned-from-groupkind";
    /// The version that a Cluster's upgrade is at, where it goes through several.
    pub const UPGRADE_STEP: &str = "topology.internal.cluster.x-k8s.io/upgrade-step";

    /// The machine goes first when its MachineSet or control plane is scaled down.
    pub const DELETE_MACHINE: &str = "cluster.x-k8s.io/delete-machine";
    /// `"true"`: the MachineSet makes no machines.
    pub const DISABLE_MACHINE_CREATE: &str = "cluster.x-k8s.io/disable-machine-create";
    /// Comma-separated machines that came from other MachineSets and that the MachineDeployment has counted.
    pub const ACKNOWLEDGED_MOVE: &str = "in-place-updates.internal.cluster.x-k8s.io/acknowledged-move";
    /// The MachineSet that machines move to instead of being deleted.
    pub const MOVE_MACHINES_TO: &str = "in-place-updates.internal.cluster.x-k8s.io/move-machines-to-machineset";
    /// Comma-separated MachineSets that machines may come from.
    pub const RECEIVE_MACHINES_FROM: &str =
        "in-place-updates.internal.cluster.x-k8s.io/receive-machines-from-machinesets";
    /// The number of a template of a MachineDeployment.
    pub const REVISION: &str = "machinedeployment.clusters.x-k8s.io/revision";
    /// Comma-separated earlier numbers of a template.
    pub const REVISION_HISTORY: &str = "machinedeployment.clusters.x-k8s.io/revision-history";
    /// Comma-separated preflight checks that don't apply.
    pub const SKIP_PREFLIGHT_CHECKS: &str = "machineset.cluster.x-k8s.io/skip-preflight-checks";

    /// Keeps a control-plane machine until its member of etcd is removed.
    pub const KCP_CLEANUP_HOOK: &str = "pre-terminate.delete.hook.machine.cluster.x-k8s.io/kcp-cleanup";
    /// What hooks start with that keep a machine before its infrastructure is deleted.
    pub const PRE_TERMINATE_HOOK: &str = "pre-terminate.delete.hook.machine.cluster.x-k8s.io/";

    /// Those that are read by their whole name.
    pub const READ: &[&str] = &[
        PAUSED,
        SKIP_REMEDIATION,
        REMEDIATE_MACHINE,
        UPDATE_IN_PROGRESS,
        PENDING_HOOKS,
        PENDING_ACKNOWLEDGE_MOVE,
        REMEDIATION_IN_PROGRESS,
        REMEDIATION_FOR,
        UPGRADE_STEP,
        CLONED_FROM_NAME,
        CLONED_FROM_GROUP_KIND,
        DELETE_MACHINE,
        DISABLE_MACHINE_CREATE,
        ACKNOWLEDGED_MOVE,
        MOVE_MACHINES_TO,
        RECEIVE_MACHINES_FROM,
        REVISION,
        REVISION_HISTORY,
        SKIP_PREFLIGHT_CHECKS,
    ];
}

fields! {
    /// `metadata` of any object.
    pub struct Metadata<'a> in order {
        /// Those of [`annotation`] only.
        "annotations" => annotations: Whole<'a, Annotations<'a>>,
        "creationTimestamp" => creation_timestamp: Option<Time>,
        "deletionTimestamp" => deletion_timestamp: Option<Time>,
        "generation" => generation: i64,
        /// In the order of the text.
        "labels" => labels: Entries<'a>,
        "name" => name: Str<'a>,
        "namespace" => namespace: Str<'a>,
        "ownerReferences" => owner_references: Vec<OwnerReference<'a>>,
        "resourceVersion" => resource_version: Skipped,
        "uid" => uid: Str<'a>,
    }

    /// One entry of `metadata.ownerReferences`.
    pub struct OwnerReference<'a> in order {
        "apiVersion" => api_version: Str<'a>,
        "blockOwnerDeletion" => block_owner_deletion: Skipped,
        "controller" => controller: bool,
        "kind" => kind: Str<'a>,
        "name" => name: Str<'a>,
        "uid" => uid: Str<'a>,
    }
}

impl<'a> Metadata<'a> {
    /// The value of a label.
    pub fn label(&self, key: &str) -> Option<&Str<'a>> {
        self.labels.get(key)
    }

    /// The value of an annotation of [`annotation`].
    pub fn annotation(&self, key: &str) -> Option<&Str<'a>> {
        self.annotations.0.get(key)
    }

    /// Those of [`annotation`].
    pub fn annotations(&self) -> &[(Str<'a>, Str<'a>)] {
        self.annotations.0.all()
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

/// A map of strings as a list: `labels`, `matchLabels`.
#[derive(Clone, Debug, Default)]
pub struct Entries<'a>(Vec<(Str<'a>, Str<'a>)>);

/// A map of strings, of which those of [`annotation`] are kept and the others not even built.
#[derive(Clone, Debug, Default)]
pub struct Annotations<'a>(Entries<'a>);

impl<'a> Whole<'a, Annotations<'a>> {
    /// All of them, by key.
    pub fn all(&self) -> BTreeMap<String, String> {
        let members = self.text.members().unwrap_or_default().into_iter();
        let mut all = BTreeMap::new();
        all.extend(members.filter_map(|(key, value)| Some((key.to_string(), value.as_str()?.to_string()))));
        all
    }
}

impl<'a> Entries<'a> {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Str<'a>> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    /// All of them, in the order of the text.
    pub fn all(&self) -> &[(Str<'a>, Str<'a>)] {
        &self.0
    }

    fn read(&mut self, reader: &mut Reader<'a>, keep: fn(&str) -> bool) -> Result<(), Fault> {
        self.0.clear();
        reader.members("a map of strings", &mut |key, reader| {
            if !keep(key) {
                return reader.skip().map(drop);
            }
            let mut value = Str::default();
            reader.value(&mut value)?;
            self.0.push((key.clone(), value));
            Ok(())
        })
    }
}

impl<'a> Read<'a> for Entries<'a> {
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        self.read(reader, |_| true)
    }
}

impl<'a> Read<'a> for Annotations<'a> {
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        self.0.read(reader, |key| {
            annotation::READ.iter().any(|read| same(read, key)) || key.starts_with(annotation::PRE_TERMINATE_HOOK)
        })
    }
}
