#![doc = include_str!("scaling_up.md")]

use super::{Facts, OfMachineSet};
use crate::table::{Table, facts, otherwise, row};

/// Whether machines have to be added.
#[rustfmt::skip]
pub static SCALING_UP: Table<OfMachineSet> = Table {
    id: "MS-SUP",
    kind: "MachineSet",
    condition: "ScalingUp",
    about: "Compares the wanted replicas, none during deletion, with the Machines. Failed preflight checks and templates that do not exist are in the way. True is the transitional state.",
    source: "Cluster API v1.13.6, MachineSet controller",
    facts: facts![current_replicas, desired_replicas, missing_templates, failed_preflight_checks, in_deletion],
    rows: &[
        //   row         when                          status   reason                   message
        row!("MS-SUP-1", machines_not_listed        => Unknown, "InternalError",         CHECK_CONTROLLER_LOGS),
        row!("MS-SUP-2", replicas_not_set           => Unknown, "WaitingForReplicasSet", "Waiting for spec.replicas set"),
        row!("MS-SUP-3", scaling_up_obstructed      => True,    "ScalingUp",             scaling_up_blocked),
        row!("MS-SUP-4", scaling_up                 => True,    "ScalingUp",             scaling_up_from_to),
        row!("MS-SUP-5", template_missing_for_later => False,   "NotScalingUp",          scaling_up_would_be_blocked),
        row!("MS-SUP-6", otherwise                  => False,   "NotScalingUp",          none),
    ],
};

fn current_replicas(s: &Facts<'_>) -> i64 {
    s.growth.current()
}

fn desired_replicas(s: &Facts<'_>) -> i64 {
    s.growth.desired()
}

fn missing_templates(s: &Facts<'_>) -> usize {
    s.missing.count()
}

fn failed_preflight_checks(s: &Facts<'_>) -> usize {
    s.input.observed.scale_up_preflight_check_err_messages.len()
}

fn in_deletion(s: &Facts<'_>) -> bool {
    s.input.machine_set.metadata.in_deletion()
}

fn machines_not_listed(s: &Facts<'_>) -> bool {
    !s.input.observed.machines_listed
}

fn replicas_not_set(s: &Facts<'_>) -> bool {
    s.growth.replicas_not_set()
}

fn scaling_up(s: &Facts<'_>) -> bool {
    s.growth.up()
}

fn scaling_up_obstructed(s: &Facts<'_>) -> bool {
    scaling_up(s) && (missing_templates(s) > 0 || failed_preflight_checks(s) > 0)
}

/// What is being deleted never scales up again.
fn template_missing_for_later(s: &Facts<'_>) -> bool {
    missing_templates(s) > 0 && !in_deletion(s)
}

fn scaling_up_from_to(s: &Facts<'_>) -> String {
    s.growth.scaling_up()
}

fn scaling_up_blocked(s: &Facts<'_>) -> String {
    let mut text = format!("{} is blocked because:", s.growth.scaling_up());
    let failed = s.input.observed.scale_up_preflight_check_err_messages.iter().map(ToString::to_string);
    for obstacle in failed.chain(s.missing.sentence()) {
        text.push_str("\n* ");
        text.push_str(&obstacle);
    }
    text
}

fn scaling_up_would_be_blocked(s: &Facts<'_>) -> String {
    format!("Scaling up would be blocked because {}", s.missing.sentence().unwrap_or_default())
}
