#![doc = include_str!("controller_manager_pod_healthy.md")]

use super::control_plane_machine::OfControlPlaneMachine;
use super::static_pod::{static_pod, static_pod_facts};
use crate::table::{Table, otherwise};

static_pod_facts!("kube-controller-manager");

/// Whether the controller manager runs on a control-plane Machine.
pub static CONTROLLER_MANAGER_POD_HEALTHY: Table<OfControlPlaneMachine> = static_pod! {
    id: "KCP-CM", condition: "ControllerManagerPodHealthy", component: "the controller manager",
    first: "KCP-CM-1" [], then: "KCP-CM-2" "KCP-CM-3" "KCP-CM-4" "KCP-CM-5" "KCP-CM-6" "KCP-CM-7" "KCP-CM-8" "KCP-CM-9" "KCP-CM-10" "KCP-CM-11" "KCP-CM-12" "KCP-CM-13" "KCP-CM-14", "KCP-CM-15" "KCP-CM-16" "KCP-CM-17" "KCP-CM-18" "KCP-CM-19" "KCP-CM-20" "KCP-CM-21" "KCP-CM-22" "KCP-CM-23" "KCP-CM-24" "KCP-CM-25" "KCP-CM-26",
};
