#![doc = include_str!("scaling_down.md")]

use super::{Facts, OfKubeadmControlPlane, failed_preflight_checks};
use crate::table::{Table, facts, otherwise, row};
use crate::text::bullets;

/// Whether machines have to be removed.
#[rustfmt::skip]
pub static SCALING_DOWN: Table<OfKubeadmControlPlane> = Table {
    id: "KCP-SDN",
    kind: "KubeadmControlPlane",
    condition: "ScalingDown",
    about: "Compares the wanted replicas, none during deletion, with the Machines. Failed preflight checks and Machines that have been in deletion for more than 15 minutes are in the way. True is the transitional state.",
    source: "Cluster API v1.13.6, KubeadmControlPlane controller",
    facts: facts![scaling.current_replicas, scaling.desired_replicas, failed_preflight_checks, stale.stale_machines; obstacles],
    rows: &[
        //   row          when                         status   reason                   message
        row!("KCP-SDN-1", scaling.replicas_not_set  => Unknown, "WaitingForReplicasSet", "Waiting for spec.replicas set"),
        row!("KCP-SDN-2", scaling_down_obstructed   => True,    "ScalingDown",           "Scaling down from {scaling.current_replicas} to {scaling.desired_replicas} replicas is blocked because:\n{obstacles}"),
        row!("KCP-SDN-3", scaling.too_many_replicas => True,    "ScalingDown",           "Scaling down from {scaling.current_replicas} to {scaling.desired_replicas} replicas"),
        row!("KCP-SDN-4", otherwise                 => False,   "NotScalingDown",        ""),
    ],
};

/// There are too many Machines, and a preflight check has failed or the deletion of some takes too long.
fn scaling_down_obstructed(s: &Facts<'_>) -> bool {
    s.scaling.too_many_replicas() && (failed_preflight_checks(s) > 0 || s.stale.some_stale())
}

/// What keeps Machines from being removed, a line each.
fn obstacles(s: &Facts<'_>) -> String {
    bullets(s.preflight.iter().map(String::as_str).chain(s.stale.line()))
}
