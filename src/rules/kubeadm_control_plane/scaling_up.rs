#![doc = include_str!("scaling_up.md")]

use super::{Facts, OfKubeadmControlPlane, failed_preflight_checks};
use crate::table::{Table, facts, otherwise, row};
use crate::text::bullets;

/// Whether machines have to be added.
#[rustfmt::skip]
pub static SCALING_UP: Table<OfKubeadmControlPlane> = Table {
    id: "KCP-SUP",
    kind: "KubeadmControlPlane",
    condition: "ScalingUp",
    about: "Compares the wanted replicas, none during deletion, with the Machines. Failed preflight checks and a template that does not exist are in the way. True is the transitional state.",
    source: "Cluster API v1.13.6, KubeadmControlPlane controller",
    facts: facts![scaling.current_replicas, scaling.desired_replicas, missing.missing_templates, failed_preflight_checks; obstacles, missing.what_is_missing],
    rows: &[
        //   row          when                        status   reason                   message
        row!("KCP-SUP-1", scaling.replicas_not_set => Unknown, "WaitingForReplicasSet", "Waiting for spec.replicas set"),
        row!("KCP-SUP-2", scaling_up_obstructed    => True,    "ScalingUp",             "Scaling up from {scaling.current_replicas} to {scaling.desired_replicas} replicas is blocked because:\n{obstacles}"),
        row!("KCP-SUP-3", scaling.too_few_replicas => True,    "ScalingUp",             "Scaling up from {scaling.current_replicas} to {scaling.desired_replicas} replicas"),
        row!("KCP-SUP-4", missing.template_missing => False,   "NotScalingUp",          "Scaling up would be blocked because {missing.what_is_missing}"),
        row!("KCP-SUP-5", otherwise                => False,   "NotScalingUp",          ""),
    ],
};

/// There are too few Machines, and the template is missing or a preflight check has failed.
fn scaling_up_obstructed(s: &Facts<'_>) -> bool {
    s.scaling.too_few_replicas() && (s.missing.template_missing() || failed_preflight_checks(s) > 0)
}

/// What keeps Machines from being created, a line each.
fn obstacles(s: &Facts<'_>) -> String {
    bullets(s.preflight.iter().cloned().chain(s.missing.template_missing().then(|| s.missing.what_is_missing())))
}
