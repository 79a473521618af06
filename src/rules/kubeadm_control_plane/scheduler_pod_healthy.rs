#![doc = include_str!("scheduler_pod_healthy.md")]

use super::control_plane_machine::OfControlPlaneMachine;
use super::static_pod::{static_pod, static_pod_facts};
use crate::table::{Table, otherwise};

static_pod_facts!("kube-scheduler");

/// Whether the scheduler runs on a control-plane Machine.
pub static SCHEDULER_POD_HEALTHY: Table<OfControlPlaneMachine> = static_pod! {
    id: "KCP-SCH", condition: "SchedulerPodHealthy", component: "the scheduler",
    first: "KCP-SCH-1" [], then: "KCP-SCH-2" "KCP-SCH-3" "KCP-SCH-4" "KCP-SCH-5" "KCP-SCH-6" "KCP-SCH-7" "KCP-SCH-8" "KCP-SCH-9" "KCP-SCH-10" "KCP-SCH-11" "KCP-SCH-12" "KCP-SCH-13" "KCP-SCH-14", "KCP-SCH-15" "KCP-SCH-16" "KCP-SCH-17" "KCP-SCH-18" "KCP-SCH-19" "KCP-SCH-20" "KCP-SCH-21" "KCP-SCH-22" "KCP-SCH-23" "KCP-SCH-24" "KCP-SCH-25" "KCP-SCH-26",
};
