#![doc = include_str!("scaling_up.md")]

use super::{Facts, OfMachineDeployment};
use crate::table::{Table, facts, otherwise, row};

/// Whether machines have to be added.
#[rustfmt::skip]
pub static SCALING_UP: Table<OfMachineDeployment> = Table {
    id: "MD-SUP",
    kind: "MachineDeployment",
    condition: "ScalingUp",
    about: "Compares the wanted replicas, none during deletion, with what the MachineSets count. Machines can't be made from templates that do not exist. True is the transitional state.",
    source: "Cluster API v1.13.6, MachineDeployment controller",
    facts: facts![current_replicas, desired_replicas, missing_templates, in_deletion],
    rows: &[
        //   row         when                           status   reason                   message
        row!("MD-SUP-1", machine_sets_not_listed     => Unknown, "InternalError",         CHECK_CONTROLLER_LOGS),
        row!("MD-SUP-2", replicas_not_set            => Unknown, "WaitingForReplicasSet", "Waiting for spec.replicas set"),
        row!("MD-SUP-3", scaling_up_without_template => True,    "ScalingUp",             scaling_up_blocked),
        row!("MD-SUP-4", scaling_up                  => True,    "ScalingUp",             scaling_up_from_to),
        row!("MD-SUP-5", template_missing_for_later  => False,   "NotScalingUp",          scaling_up_would_be_blocked),
        row!("MD-SUP-6", otherwise                   => False,   "NotScalingUp",          none),
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

fn in_deletion(s: &Facts<'_>) -> bool {
    s.input.machine_deployment.metadata.in_deletion()
}

fn machine_sets_not_listed(s: &Facts<'_>) -> bool {
    !s.input.observed.machine_sets_listed
}

fn replicas_not_set(s: &Facts<'_>) -> bool {
    s.scaling.replicas_not_set()
}

fn scaling_up(s: &Facts<'_>) -> bool {
    s.scaling.up()
}

fn scaling_up_without_template(s: &Facts<'_>) -> bool {
    scaling_up(s) && missing_templates(s) > 0
}

/// What is being deleted never scales up again.
fn template_missing_for_later(s: &Facts<'_>) -> bool {
    missing_templates(s) > 0 && !in_deletion(s)
}

fn scaling_up_from_to(s: &Facts<'_>) -> String {
    s.scaling.scaling_up()
}

fn scaling_up_blocked(s: &Facts<'_>) -> String {
    format!("{} is blocked because {}", s.scaling.scaling_up(), s.missing.sentence().unwrap_or_default())
}

fn scaling_up_would_be_blocked(s: &Facts<'_>) -> String {
    format!("Scaling up would be blocked because {}", s.missing.sentence().unwrap_or_default())
}
