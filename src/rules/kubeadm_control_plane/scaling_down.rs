#![doc = include_str!("scaling_down.md")]

use super::{Facts, OfKubeadmControlPlane};
use crate::table::{Table, facts, otherwise, row};

/// Whether machines have to be removed.
#[rustfmt::skip]
pub static SCALING_DOWN: Table<OfKubeadmControlPlane> = Table {
    id: "KCP-SDN",
    kind: "KubeadmControlPlane",
    condition: "ScalingDown",
    about: "Compares the wanted replicas, none during deletion, with the Machines. Failed preflight checks and Machines that have been in deletion for more than 15 minutes are in the way. True is the transitional state.",
    source: "Cluster API v1.13.6, KubeadmControlPlane controller",
    facts: facts![current_replicas, desired_replicas, failed_preflight_checks, stale_machines],
    rows: &[
        //   row          when                       status   reason                   message
        row!("KCP-SDN-1", replicas_not_set        => Unknown, "WaitingForReplicasSet", "Waiting for spec.replicas set"),
        row!("KCP-SDN-2", scaling_down_obstructed => True,    "ScalingDown",           scaling_down_blocked),
        row!("KCP-SDN-3", scaling_down            => True,    "ScalingDown",           scaling_down_from_to),
        row!("KCP-SDN-4", otherwise               => False,   "NotScalingDown",        none),
    ],
};

fn current_replicas(s: &Facts<'_>) -> i64 {
    s.scaling.current()
}

fn desired_replicas(s: &Facts<'_>) -> i64 {
    s.scaling.desired()
}

fn failed_preflight_checks(s: &Facts<'_>) -> usize {
    s.preflight.len()
}

fn stale_machines(s: &Facts<'_>) -> String {
    s.stale.clone().unwrap_or_else(|| "none".to_owned())
}

fn replicas_not_set(s: &Facts<'_>) -> bool {
    s.scaling.replicas_not_set()
}

fn scaling_down(s: &Facts<'_>) -> bool {
    s.scaling.down()
}

fn scaling_down_obstructed(s: &Facts<'_>) -> bool {
    scaling_down(s) && (failed_preflight_checks(s) > 0 || s.stale.is_some())
}

fn scaling_down_from_to(s: &Facts<'_>) -> String {
    s.scaling.scaling_down()
}

fn scaling_down_blocked(s: &Facts<'_>) -> String {
    let mut text = format!("{} is blocked because:", s.scaling.scaling_down());
    for obstacle in s.preflight.iter().chain(&s.stale) {
        text.push_str("\n* ");
        text.push_str(obstacle);
    }
    text
}
