#![doc = include_str!("scaling_up.md")]

use super::{Facts, OfKubeadmControlPlane};
use crate::table::{Table, facts, otherwise, row};

/// Whether machines have to be added.
#[rustfmt::skip]
pub static SCALING_UP: Table<OfKubeadmControlPlane> = Table {
    id: "KCP-SUP",
    kind: "KubeadmControlPlane",
    condition: "ScalingUp",
    about: "Compares the wanted replicas, none during deletion, with the Machines. Failed preflight checks and a template that does not exist are in the way. True is the transitional state.",
    source: "Cluster API v1.13.6, KubeadmControlPlane controller",
    facts: facts![current_replicas, desired_replicas, missing_templates, failed_preflight_checks],
    rows: &[
        //   row          when                     status   reason                   message
        row!("KCP-SUP-1", replicas_not_set      => Unknown, "WaitingForReplicasSet", "Waiting for spec.replicas set"),
        row!("KCP-SUP-2", scaling_up_obstructed => True,    "ScalingUp",             scaling_up_blocked),
        row!("KCP-SUP-3", scaling_up            => True,    "ScalingUp",             scaling_up_from_to),
        row!("KCP-SUP-4", template_missing      => False,   "NotScalingUp",          scaling_up_would_be_blocked),
        row!("KCP-SUP-5", otherwise             => False,   "NotScalingUp",          none),
    ],
};

fn current_replicas(s: &Facts<'_>) -> i64 {
    s.scaling.current()
}

fn desired_replicas(s: &Facts<'_>) -> i64 {
    s.scaling.desired()
}

fn missing_templates(s: &Facts<'_>) -> usize {
    s.missing.count()
}

fn failed_preflight_checks(s: &Facts<'_>) -> usize {
    s.preflight.len()
}

fn replicas_not_set(s: &Facts<'_>) -> bool {
    s.scaling.replicas_not_set()
}

fn scaling_up(s: &Facts<'_>) -> bool {
    s.scaling.up()
}

fn scaling_up_obstructed(s: &Facts<'_>) -> bool {
    scaling_up(s) && (template_missing(s) || failed_preflight_checks(s) > 0)
}

fn template_missing(s: &Facts<'_>) -> bool {
    missing_templates(s) > 0
}

fn scaling_up_from_to(s: &Facts<'_>) -> String {
    s.scaling.scaling_up()
}

fn scaling_up_blocked(s: &Facts<'_>) -> String {
    let mut text = format!("{} is blocked because:", s.scaling.scaling_up());
    for obstacle in s.preflight.iter().cloned().chain(s.missing.sentence()) {
        text.push_str("\n* ");
        text.push_str(&obstacle);
    }
    text
}

fn scaling_up_would_be_blocked(s: &Facts<'_>) -> String {
    format!("Scaling up would be blocked because {}", s.missing.sentence().unwrap_or_default())
}
