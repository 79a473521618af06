//! The fields the rules read and nothing more, borrowed from the snapshot's text where possible.

mod cluster;
mod cluster_class;
mod condition;
mod external;
mod health_check;
mod kubeadm_control_plane;
mod machine;
mod machine_deployment;
mod machine_set;
mod machine_template;
mod meta;
mod node;
mod reference;
mod remediation;
mod selector;

pub use capi_policy_json::Str;
pub use cluster::{Cluster, Counters};
pub use cluster_class::ClusterClass;
pub use condition::{Condition, Conditions, ConditionsExt};
pub use external::{ExternalObject, NO_REASON_REPORTED, WrongType};
pub use health_check::{IntOrPercent, MachineHealthCheck, TemplateRef, UnhealthyCondition};
pub use kubeadm_control_plane::KubeadmControlPlane;
pub use machine::Machine;
pub use machine_deployment::MachineDeployment;
pub use machine_set::MachineSet;
pub use machine_template::MachineTemplate;
pub use meta::{Annotations, Entries, Metadata, OwnerReference, annotation, label};
pub use node::Node;
pub use reference::{Gate, ObjectRef};
pub use remediation::{RemediationRequest, RemediationTemplate};
pub use selector::{LabelSelector, Requirement};
