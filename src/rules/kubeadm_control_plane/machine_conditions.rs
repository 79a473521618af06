//! The conditions that a control plane decides about its Machines.

use super::Input;
use super::api_server_pod_healthy::API_SERVER_POD_HEALTHY;
use super::control_plane_machine::{CONTROL_PLANE_ROLE, Inspected, OfControlPlaneMachine};
use super::controller_manager_pod_healthy::CONTROLLER_MANAGER_POD_HEALTHY;
use super::etcd_member_healthy::ETCD_MEMBER_HEALTHY;
use super::etcd_pod_healthy::ETCD_POD_HEALTHY;
use super::inspection::Inspection;
use super::members::Members;
use super::node_kubeadm_labels_and_taints_set::NODE_KUBEADM_LABELS_AND_TAINTS_SET;
use super::reported_health::ReportedHealth;
use super::scheduler_pod_healthy::SCHEDULER_POD_HEALTHY;
use super::up_to_date::{self, UP_TO_DATE};
use crate::progress::{Mode, Progress, decide};
use crate::rules::machines_decided::MachinesDecided;
use crate::table::Table;
use crate::view::Machine;

/// The tables in the order in which they are decided.
pub static MACHINE_TABLES: &[&Table<OfControlPlaneMachine>] = &[
    &UP_TO_DATE,
    &API_SERVER_POD_HEALTHY,
    &CONTROLLER_MANAGER_POD_HEALTHY,
    &SCHEDULER_POD_HEALTHY,
    &ETCD_POD_HEALTHY,
    &NODE_KUBEADM_LABELS_AND_TAINTS_SET,
    &ETCD_MEMBER_HEALTHY,
];

/// Decides about every Machine; about none while nobody has inspected the workload cluster.
pub fn decide_all(
    input: &Input<'_>,
    inspection: &Inspection<'_>,
    members: &Members<'_>,
    mode: Mode,
) -> MachinesDecided {
    let mut decided = MachinesDecided::default();
    if inspection.not_read() {
        return decided;
    }
    for machine in &input.machines {
        let mut progress = Progress::new(mode, &machine.metadata, &machine.status.conditions);
        progress.machine = &machine.metadata.name;
        let mut facts = Inspected {
            control_plane: input.object,
            machine,
            node: inspection.node(machine),
            config: inspection
                .kubeadm_configs
                .iter()
                .find(|config| config.metadata.name == machine.spec.bootstrap.config_ref.name),
            infrastructure: input
                .infra_machines
                .iter()
                .find(|object| object.metadata.name == machine.spec.infrastructure_ref.name),
            inspection,
            members,
            progress,
        };
        for table in MACHINE_TABLES {
            decide(table, &mut facts);
        }
        decided.next_change = decided.next_change.into_iter().chain(up_to_date::next_change(&facts)).min();
        decided.add(machine, facts.progress);
    }
    decided
}

/// What the Machines report about their static Pods, and the Nodes of the control plane that no Machine accounts for.
pub fn of_components(machines: &[&Machine<'_>], inspection: &Inspection<'_>) -> ReportedHealth {
    let named = |machine: &&Machine<'_>| !machine.status.node_ref.name.is_empty();
    let newcomers = machines.iter().any(|machine| !named(machine) && !machine.metadata.in_deletion());
    let of_control_plane = inspection.nodes.iter().filter(|node| node.metadata.label(CONTROL_PLANE_ROLE).is_some());
    let strays = of_control_plane
        .filter(|node| !newcomers && !machines.iter().any(|m| named(m) && m.status.node_ref.name == node.metadata.name))
        .map(|node| format!("Control plane Node {} does not have a corresponding Machine", node.metadata.name));
    let mut conditions = vec!["APIServerPodHealthy", "ControllerManagerPodHealthy", "SchedulerPodHealthy"];
    conditions.extend(inspection.manages_etcd.then_some("EtcdPodHealthy"));
    ReportedHealth::of(machines, &conditions, &strays.collect::<Vec<_>>())
}
