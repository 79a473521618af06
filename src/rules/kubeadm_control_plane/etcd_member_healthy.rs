#![doc = include_str!("etcd_member_healthy.md")]

use super::control_plane_machine::{Inspected, OfControlPlaneMachine};
use super::machine_facts::{
    deleting, infrastructure_kind, manages_etcd, node_name, provider_id, without_node, without_provider_id,
};
use crate::table::{Table, facts, otherwise, row};

/// Whether the member of etcd on a control-plane Machine is healthy.
#[rustfmt::skip]
pub static ETCD_MEMBER_HEALTHY: Table<OfControlPlaneMachine> = Table {
    id: "KCP-EMH",
    kind: "KubeadmControlPlane",
    condition: "EtcdMemberHealthy",
    about: "Whether the member of etcd on a control-plane Machine is healthy. Where etcd is external or was not read, the condition stays as it is.",
    source: "Cluster API v1.14.2, `controlplane/kubeadm`",
    facts: facts![node_name, deleting, members.known, learner, alarms; infrastructure_kind, provider_id, machine, members.error, inspection.last_probe],
    rows: &[
        // row, when, status, reason, message
        row!("KCP-EMH-1",  inspection.too_early_for_machines   => keep),
        row!("KCP-EMH-2",  not manages_etcd                    => keep),
        row!("KCP-EMH-3",  inspection.waits_for_initialization => Unknown, "InspectionFailed", "Waiting for Cluster control plane to be initialized"),
        row!("KCP-EMH-4",  inspection.etcd_remembered          => keep),
        row!("KCP-EMH-5",  inspection.not_connected_yet        => Unknown, "ConnectionDown",   "Remote connection not established yet"),
        row!("KCP-EMH-6",  inspection.connection_down          => Unknown, "ConnectionDown",   "{inspection.last_probe}"),
        row!("KCP-EMH-7",  inspection.no_client                => Unknown, "InspectionFailed", CHECK_CONTROLLER_LOGS),
        row!("KCP-EMH-8",  inspection.etcd_not_read            => keep),
        row!("KCP-EMH-9",  inspection.nodes_not_listed         => Unknown, "InspectionFailed", "Failed to get the Node hosting the etcd member"),
        row!("KCP-EMH-10", no_member                           => False, "NotHealthy", "Etcd doesn't have an etcd member for Node {node_name}"),
        row!("KCP-EMH-11", deleting                            => False, "Deleting", "Machine is deleting"),
        row!("KCP-EMH-12", without_provider_id                 => Unknown, "InspectionFailed", "Waiting for {infrastructure_kind} to report spec.providerID"),
        row!("KCP-EMH-13", without_node                        => Unknown, "InspectionFailed", "Waiting for a Node with spec.providerID {provider_id} to exist"),
        row!("KCP-EMH-14", members.no_node_to_reach_etcd                     => False, "NotHealthy", "Etcd reports the cluster is composed by [], but the etcd member hosted on Machine {machine} ({node_name}) is not included"),
        row!("KCP-EMH-15", members.etcd_unreachable               => Unknown, "InspectionFailed", "Failed to connect to etcd: {members.error}"),
        row!("KCP-EMH-16", members.members_not_listed                  => Unknown, "InspectionFailed", "Failed to get etcd members: {members.error}"),
        row!("KCP-EMH-17", members.etcd_without_leader                   => keep),
        row!("KCP-EMH-18", members.alarms_not_listed                   => Unknown, "InspectionFailed", "Failed to get etcd alarms: {members.error}"),
        row!("KCP-EMH-19", learner                             => False, "NotHealthy", "Waiting for learner etcd member to be promoted"),
        row!("KCP-EMH-20", alarmed                             => False, "NotHealthy", "Etcd reports alarms: {alarms}"),
        row!("KCP-EMH-21", otherwise                           => True, "Healthy", ""),
    ],
};

/// The name of the Machine.
fn machine(m: &Inspected<'_>) -> String {
    m.machine.metadata.name.to_string()
}

/// Etcd has no member on the Machine.
fn no_member(m: &Inspected<'_>) -> bool {
    m.members.known() && !without_node(m) && m.members.on(m.machine).is_none()
}

/// The member does not vote yet.
fn learner(m: &Inspected<'_>) -> bool {
    m.members.on(m.machine).is_some_and(|member| member.is_learner)
}

/// The member has raised an alarm.
fn alarmed(m: &Inspected<'_>) -> bool {
    !alarms(m).is_empty()
}

/// The member's alarms.
fn alarms(m: &Inspected<'_>) -> String {
    let Some(member) = m.members.on(m.machine) else { return String::new() };
    let all = m.inspection.etcd.into_iter().flat_map(|etcd| &etcd.alarms);
    let of_member = all.filter(|alarm| alarm.member_id == member.id && alarm.kind != "NONE");
    of_member.map(|alarm| &*alarm.kind).collect::<Vec<_>>().join(", ")
}
