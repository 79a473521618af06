//! KubeadmControlPlane.

use super::{Conditions, Metadata, ObjectRef, Str, null_is_default};
use crate::time::Time;
use serde::Deserialize;
use serde::de::IgnoredAny;
use yoke::Yokeable;

/// A KubeadmControlPlane.
#[derive(Clone, Debug, Default, Deserialize, Yokeable)]
#[serde(default)]
pub struct KubeadmControlPlane<'a> {
    /// `metadata`.
    #[serde(borrow)]
    pub metadata: Metadata<'a>,
    /// `spec`.
    #[serde(borrow)]
    pub spec: Spec<'a>,
    /// `status`.
    #[serde(borrow)]
    pub status: Status<'a>,
}

/// `spec` of a KubeadmControlPlane.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[allow(clippy::struct_field_names, reason = "the object's own names")]
pub struct Spec<'a> {
    /// `replicas`.
    pub replicas: Option<i64>,
    /// `machineTemplate`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub machine_template: MachineTemplate<'a>,
    /// `kubeadmConfigSpec`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub kubeadm_config_spec: KubeadmConfigSpec<'a>,
}

/// `spec.machineTemplate` of a KubeadmControlPlane.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct MachineTemplate<'a> {
    /// `spec`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub spec: MachineTemplateSpec<'a>,
}

/// `spec.machineTemplate.spec` of a KubeadmControlPlane.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MachineTemplateSpec<'a> {
    /// `infrastructureRef`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub infrastructure_ref: ObjectRef<'a>,
}

/// `spec.kubeadmConfigSpec` of a KubeadmControlPlane.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct KubeadmConfigSpec<'a> {
    /// `clusterConfiguration`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub cluster_configuration: ClusterConfiguration<'a>,
}

/// `spec.kubeadmConfigSpec.clusterConfiguration` of a KubeadmControlPlane.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct ClusterConfiguration<'a> {
    /// `etcd`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub etcd: Etcd<'a>,
}

/// `spec.kubeadmConfigSpec.clusterConfiguration.etcd` of a KubeadmControlPlane.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Etcd<'a> {
    /// `external`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub external: ExternalEtcd<'a>,
}

/// An etcd that is not part of the control plane. Without a field it counts as not set.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ExternalEtcd<'a> {
    /// `endpoints`; only whether they are given matters.
    pub endpoints: Option<IgnoredAny>,
    /// `caFile`.
    #[serde(borrow)]
    pub ca_file: Str<'a>,
    /// `certFile`.
    #[serde(borrow)]
    pub cert_file: Str<'a>,
    /// `keyFile`.
    #[serde(borrow)]
    pub key_file: Str<'a>,
}

/// `status` of a KubeadmControlPlane.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Status<'a> {
    /// `conditions`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub conditions: Conditions<'a>,
    /// `initialization`.
    #[serde(deserialize_with = "null_is_default")]
    pub initialization: Initialization,
    /// `version`.
    #[serde(borrow)]
    pub version: Str<'a>,
    /// `lastRemediation`.
    #[serde(borrow)]
    pub last_remediation: Option<LastRemediation<'a>>,
}

/// `status.initialization` of a KubeadmControlPlane.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Initialization {
    /// `controlPlaneInitialized`.
    #[serde(deserialize_with = "null_is_default")]
    pub control_plane_initialized: bool,
}

/// `status.lastRemediation` of a KubeadmControlPlane.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LastRemediation<'a> {
    /// `machine`.
    #[serde(borrow)]
    pub machine: Str<'a>,
    /// `time`.
    pub time: Option<Time>,
    /// `retryCount`.
    #[serde(deserialize_with = "null_is_default")]
    pub retry_count: i64,
}

impl KubeadmControlPlane<'_> {
    /// Whether etcd runs on the machines of the control plane.
    pub fn manages_etcd(&self) -> bool {
        let external = &self.spec.kubeadm_config_spec.cluster_configuration.etcd.external;
        external.endpoints.is_none()
            && external.ca_file.is_empty()
            && external.cert_file.is_empty()
            && external.key_file.is_empty()
    }
}
