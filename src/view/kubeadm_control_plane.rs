//! KubeadmControlPlane.

use super::{Conditions, IntOrPercent, ObjectRef, Str};
use crate::time::Time;
use capi_policy_json::{Raw, fields};

kind!(KubeadmControlPlane: Spec<'a>, Status<'a>);

fields! {
    /// `spec` of a KubeadmControlPlane.
    #[allow(clippy::struct_field_names, reason = "the object's own names")]
    pub struct Spec<'a> {
        "replicas" => replicas: Option<i64>,
        "machineTemplate" => machine_template: MachineTemplate<'a>,
        /// Compared as a whole with what Machines were made from.
        "kubeadmConfigSpec" => kubeadm_config_spec: Raw<'a>,
        "remediation" => remediation: Remediation,
        "rollout" => rollout: Rollout<'a>,
        "version" => version: Str<'a>,
    }

    /// `spec.remediation` of a KubeadmControlPlane.
    pub struct Remediation {
        "maxRetry" => max_retry: Option<i64>,
        "minHealthyPeriodSeconds" => min_healthy_period_seconds: Option<i64>,
        "retryPeriodSeconds" => retry_period_seconds: Option<i64>,
    }

    /// `spec.rollout` of a KubeadmControlPlane.
    pub struct Rollout<'a> {
        "after" => after: Option<Time>,
        "before" => before: RolloutBefore,
        "strategy" => strategy: Strategy<'a>,
    }

    /// `spec.rollout.strategy` of a KubeadmControlPlane.
    pub struct Strategy<'a> { "rollingUpdate" => rolling_update: RollingUpdate<'a> }

    /// `spec.rollout.strategy.rollingUpdate` of a KubeadmControlPlane.
    pub struct RollingUpdate<'a> { "maxSurge" => max_surge: Option<IntOrPercent<'a>> }

    /// `spec.rollout.before` of a KubeadmControlPlane.
    pub struct RolloutBefore { "certificatesExpiryDays" => certificates_expiry_days: i64 }

    /// `spec.machineTemplate` of a KubeadmControlPlane.
    pub struct MachineTemplate<'a> { "spec" => spec: MachineTemplateSpec<'a> }

    /// `spec.machineTemplate.spec` of a KubeadmControlPlane.
    pub struct MachineTemplateSpec<'a> { "infrastructureRef" => infrastructure_ref: ObjectRef<'a> }

    /// `spec.kubeadmConfigSpec` of a KubeadmControlPlane.
    pub struct KubeadmConfigSpec<'a> { "clusterConfiguration" => cluster_configuration: ClusterConfiguration<'a> }

    /// `spec.kubeadmConfigSpec.clusterConfiguration` of a KubeadmControlPlane.
    pub struct ClusterConfiguration<'a> { "etcd" => etcd: Etcd<'a> }

    /// `spec.kubeadmConfigSpec.clusterConfiguration.etcd` of a KubeadmControlPlane.
    pub struct Etcd<'a> { "external" => external: ExternalEtcd<'a> }

    /// An etcd that is not part of the control plane. Without a field it counts as not set.
    pub struct ExternalEtcd<'a> {
        /// Only whether they are given matters.
        "endpoints" => endpoints: Option<Raw<'a>>,
        "caFile" => ca_file: Str<'a>,
        "certFile" => cert_file: Str<'a>,
        "keyFile" => key_file: Str<'a>,
    }

    /// `status` of a KubeadmControlPlane.
    pub struct Status<'a> {
        "conditions" => conditions: Conditions<'a>,
        "initialization" => initialization: Initialization,
        "version" => version: Str<'a>,
        "lastRemediation" => last_remediation: Option<LastRemediation<'a>>,
    }

    /// `status.initialization` of a KubeadmControlPlane.
    pub struct Initialization { "controlPlaneInitialized" => control_plane_initialized: bool }

    /// `status.lastRemediation` of a KubeadmControlPlane.
    pub struct LastRemediation<'a> {
        "machine" => machine: Str<'a>,
        "time" => time: Option<Time>,
        "retryCount" => retry_count: i64,
    }
}

impl KubeadmControlPlane<'_> {
    /// Whether etcd runs on the machines of the control plane.
    pub fn manages_etcd(&self) -> bool {
        let spec: KubeadmConfigSpec<'_> =
            capi_policy_json::read(self.spec.kubeadm_config_spec.text()).unwrap_or_default();
        let external = &spec.cluster_configuration.etcd.external;
        external.endpoints.is_none()
            && external.ca_file.is_empty()
            && external.cert_file.is_empty()
            && external.key_file.is_empty()
    }
}
