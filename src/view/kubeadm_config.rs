//! KubeadmConfig: how kubeadm sets up the Node of a control-plane Machine.

use super::Metadata;
use super::node::Taint;
use capi_policy_json::{Raw, fields};

fields! {
    /// A KubeadmConfig.
    pub struct KubeadmConfig<'a> {
        "metadata" => metadata: Metadata<'a>,
        /// Compared as a whole with what the control plane wants.
        "spec" => spec: Raw<'a>,
    }
}

impl<'a> KubeadmConfig<'a> {
    /// Whether the Machine joins a control plane that is there already.
    pub fn joins(&self) -> bool {
        joins(self.spec)
    }

    /// The taints that the Node is registered with; `None` when kubeadm may decide.
    pub fn taints(&self) -> Option<Vec<Taint<'a>>> {
        let part = if self.joins() { "joinConfiguration" } else { "initConfiguration" };
        let taints = at(self.spec, &[part, "nodeRegistration", "taints"])?;
        capi_policy_json::read(taints.text()).ok()
    }
}

/// Whether a `spec` is that of a Machine that joins.
pub fn joins(spec: Raw<'_>) -> bool {
    let arguments = at(spec, &["joinConfiguration", "nodeRegistration", "kubeletExtraArgs"]).and_then(Raw::items);
    at(spec, &["joinConfiguration", "controlPlane"]).is_some() || arguments.is_some_and(|list| !list.is_empty())
}

/// The value below these members, unless there is none.
fn at<'a>(value: Raw<'a>, path: &[&str]) -> Option<Raw<'a>> {
    let found = path.iter().try_fold(value, |value, member| value.member(member))?;
    (!found.is_null()).then_some(found)
}
