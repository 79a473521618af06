//! The fields the rules read and nothing more, borrowed from the snapshot's text where possible.

/// The view of a kind's objects, which have metadata, a `spec` and a `status`.
macro_rules! kind {
    ($kind:ident $(in $order:ident)?: $spec:ty, $status:ty) => {
        capi_policy_json::fields! {
            #[doc = concat!("A ", stringify!($kind), ".")]
            #[derive(yoke::Yokeable)]
            pub struct $kind<'a> $(in $order)? {
                "apiVersion" => api_version: capi_policy_json::Skipped,
                "kind" => kind: capi_policy_json::Skipped,
                "metadata" => metadata: $crate::view::Metadata<'a>,
                "spec" => spec: $spec,
                "status" => status: $status,
            }
        }
    };
}

mod cluster;
mod cluster_class;
mod condition;
mod external;
mod health_check;
mod kubeadm_config;
mod kubeadm_control_plane;
mod machine;
mod machine_deployment;
mod machine_pool;
mod machine_set;
mod machine_template;
mod meta;
mod node;
mod pod;
mod reference;
mod remediation;
mod replicas;
mod selector;
mod version_count;
mod whole;

pub use capi_policy_json::Str;
pub use cluster::{Cluster, Counters};
pub use cluster_class::ClusterClass;
pub use condition::{Condition, Conditions, ConditionsExt};
pub use external::{ExternalObject, NO_REASON_REPORTED, WrongType};
pub use health_check::{IntOrPercent, MachineHealthCheck, TemplateRef, UnhealthyCondition};
pub use kubeadm_config::{KubeadmConfig, joins};
pub use kubeadm_control_plane::KubeadmControlPlane;
pub use machine::Machine;
pub use machine_deployment::MachineDeployment;
pub use machine_pool::MachinePool;
pub use machine_set::MachineSet;
pub use machine_template::MachineTemplate;
pub use meta::{Annotations, Entries, Metadata, OwnerReference, annotation, label};
pub use node::{Node, Taint};
pub use pod::Pod;
pub use reference::{Gate, ObjectRef};
pub use remediation::{RemediationRequest, RemediationTemplate};
pub use selector::{LabelSelector, Requirement};
pub use version_count::VersionCount;
pub use whole::Whole;
