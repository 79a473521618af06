#![doc = include_str!("etcd_pod_healthy.md")]

use super::control_plane_machine::OfControlPlaneMachine;
use super::machine_facts::manages_etcd;
use super::static_pod::{static_pod, static_pod_facts};
use crate::table::{Table, otherwise, row};

static_pod_facts!("etcd");

/// Whether etcd runs on a control-plane Machine.
pub static ETCD_POD_HEALTHY: Table<OfControlPlaneMachine> = static_pod! {
    id: "KCP-EPH", condition: "EtcdPodHealthy", component: "etcd",
    first: "KCP-EPH-1" [row!("KCP-EPH-2", not manages_etcd => keep)], then: "KCP-EPH-3" "KCP-EPH-4" "KCP-EPH-5" "KCP-EPH-6" "KCP-EPH-7" "KCP-EPH-8" "KCP-EPH-9" "KCP-EPH-10" "KCP-EPH-11" "KCP-EPH-12" "KCP-EPH-13" "KCP-EPH-14" "KCP-EPH-15", "KCP-EPH-16" "KCP-EPH-17" "KCP-EPH-18" "KCP-EPH-19" "KCP-EPH-20" "KCP-EPH-21" "KCP-EPH-22" "KCP-EPH-23" "KCP-EPH-24" "KCP-EPH-25" "KCP-EPH-26" "KCP-EPH-27",
};
