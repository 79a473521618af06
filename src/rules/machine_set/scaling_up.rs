#![doc = include_str!("scaling_up.md")]

use super::{Facts, OfMachineSet, in_deletion, machines_not_listed};
use crate::table::{Table, facts, otherwise, row};
use crate::text::bullets;

/// Whether machines have to be added.
#[rustfmt::skip]
pub static SCALING_UP: Table<OfMachineSet> = Table {
    id: "MS-SUP",
    kind: "MachineSet",
    condition: "ScalingUp",
    about: "Compares the wanted replicas, none during deletion, with the Machines. Failed preflight checks and templates that do not exist are in the way. True is the transitional state.",
    source: "Cluster API v1.13.6, MachineSet controller",
    facts: facts![growth.current_replicas, growth.desired_replicas, missing.missing_templates, failed_preflight_checks, in_deletion; obstacles, missing.what_is_missing],
    rows: &[
        //   row         when                                            status   reason                   message
        row!("MS-SUP-1", machines_not_listed                          => Unknown, "InternalError",         CHECK_CONTROLLER_LOGS),
        row!("MS-SUP-2", growth.replicas_not_set                      => Unknown, "WaitingForReplicasSet", "Waiting for spec.replicas set"),
        row!("MS-SUP-3", scaling_up_obstructed                        => True,    "ScalingUp",             "Scaling up from {growth.current_replicas} to {growth.desired_replicas} replicas is blocked because:\n{obstacles}"),
        row!("MS-SUP-4", growth.too_few_replicas                      => True,    "ScalingUp",             "Scaling up from {growth.current_replicas} to {growth.desired_replicas} replicas"),
        row!("MS-SUP-5", missing.template_missing and not in_deletion => False,   "NotScalingUp",          "Scaling up would be blocked because {missing.what_is_missing}"),
        row!("MS-SUP-6", otherwise                                    => False,   "NotScalingUp",          ""),
    ],
};

fn failed_preflight_checks(s: &Facts<'_>) -> usize {
    s.input.observed.scale_up_preflight_check_err_messages.len()
}

/// There are too few Machines, and a template is missing or a preflight check has failed.
fn scaling_up_obstructed(s: &Facts<'_>) -> bool {
    s.growth.too_few_replicas() && (s.missing.template_missing() || failed_preflight_checks(s) > 0)
}

/// What keeps Machines from being created, a line each.
fn obstacles(s: &Facts<'_>) -> String {
    let failed = s.input.observed.scale_up_preflight_check_err_messages.iter().map(ToString::to_string);
    bullets(failed.chain(s.missing.template_missing().then(|| s.missing.what_is_missing())))
}
