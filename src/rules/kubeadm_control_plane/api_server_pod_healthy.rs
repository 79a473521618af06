#![doc = include_str!("api_server_pod_healthy.md")]

use super::control_plane_machine::OfControlPlaneMachine;
use super::static_pod::{static_pod, static_pod_facts};
use crate::table::{Table, otherwise};

static_pod_facts!("kube-apiserver");

/// Whether the API server runs on a control-plane Machine.
pub static API_SERVER_POD_HEALTHY: Table<OfControlPlaneMachine> = static_pod! {
    id: "KCP-API", condition: "APIServerPodHealthy", component: "the API server",
    first: "KCP-API-1" [], then: "KCP-API-2" "KCP-API-3" "KCP-API-4" "KCP-API-5" "KCP-API-6" "KCP-API-7" "KCP-API-8" "KCP-API-9" "KCP-API-10" "KCP-API-11" "KCP-API-12" "KCP-API-13" "KCP-API-14", "KCP-API-15" "KCP-API-16" "KCP-API-17" "KCP-API-18" "KCP-API-19" "KCP-API-20" "KCP-API-21" "KCP-API-22" "KCP-API-23" "KCP-API-24" "KCP-API-25" "KCP-API-26",
};
