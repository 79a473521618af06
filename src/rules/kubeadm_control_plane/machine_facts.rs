//! Facts of control-plane Machines that several tables read.

use super::control_plane_machine::Inspected;
use crate::view::{ConditionsExt, Taint};

/// The taint of a Node that does not answer.
const UNREACHABLE: &str = "node.kubernetes.io/unreachable";

/// Etcd runs on the Machines of the control plane.
pub fn manages_etcd(m: &Inspected<'_>) -> bool {
    m.inspection.manages_etcd
}

/// The Machine is being deleted.
pub fn deleting(m: &Inspected<'_>) -> bool {
    m.machine.metadata.in_deletion()
}

/// The Machine has no Node yet, nor the id that its Node will be known by.
pub fn without_provider_id(m: &Inspected<'_>) -> bool {
    without_node(m) && m.machine.spec.provider_id.is_empty()
}

/// The Machine has no Node yet.
pub fn without_node(m: &Inspected<'_>) -> bool {
    m.machine.status.node_ref.name.is_empty()
}

/// The Machine's Node is gone.
pub fn node_gone(m: &Inspected<'_>) -> bool {
    !without_node(m) && m.node.is_none()
}

/// The Machine's Node does not answer.
pub fn node_unreachable(m: &Inspected<'_>) -> bool {
    m.node.is_some_and(|node| has_taint(&node.spec.taints, UNREACHABLE, "NoExecute"))
}

/// What is known about Pods on the Machine's Node may be outdated.
pub fn node_ready_unknown(m: &Inspected<'_>) -> bool {
    m.node.is_some_and(|node| node.status.conditions.has("Ready", "Unknown"))
}

/// The name of the Machine's Node.
pub fn node_name(m: &Inspected<'_>) -> String {
    m.machine.status.node_ref.name.to_string()
}

/// What the Machine's Node will be known by.
pub fn provider_id(m: &Inspected<'_>) -> String {
    m.machine.spec.provider_id.to_string()
}

/// The kind of the Machine's infrastructure.
pub fn infrastructure_kind(m: &Inspected<'_>) -> String {
    m.machine.spec.infrastructure_ref.kind.to_string()
}

/// Whether a taint is among these.
pub fn has_taint(taints: &[Taint<'_>], key: &str, effect: &str) -> bool {
    taints.iter().any(|taint| taint.key == key && taint.effect == effect)
}
