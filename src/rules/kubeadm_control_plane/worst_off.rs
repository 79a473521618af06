//! Which unhealthy machine of a control plane is remediated first.

use super::projection::COMPONENTS;
use crate::sorted::Sorted;
use crate::view::{ConditionsExt, Machine, annotation};

/// The machines that are left to the control plane, the worst off first. Those in deletion count too.
pub fn unhealthy<'a>(machines: &[&'a Machine<'a>], manages_etcd: bool) -> Vec<&'a Machine<'a>> {
    let mut unhealthy: Vec<_> = machines.iter().copied().filter(|machine| machine.to_be_remediated()).collect();
    let etcd: &[&str] = if manages_etcd { &["EtcdMemberHealthy", "EtcdPodHealthy"] } else { &[] };
    let better = |machine: &Machine<'_>| {
        let fine = |condition: &&str| machine.status.conditions.has(condition, "True");
        let conditions = etcd.iter().chain(COMPONENTS).chain(&["NodeKubeadmLabelsAndTaintsSet"]).map(fine);
        let asked_for = machine.metadata.annotation(annotation::REMEDIATE_MACHINE).is_some();
        [!asked_for, !machine.status.node_ref.name.is_empty()].into_iter().chain(conditions).collect::<Vec<_>>()
    };
    unhealthy.order_by(|a, b| {
        let oldest = a.metadata.creation_timestamp.cmp(&b.metadata.creation_timestamp);
        better(a).cmp(&better(b)).then(oldest).then_with(|| a.metadata.name.cmp(&b.metadata.name))
    });
    unhealthy
}
