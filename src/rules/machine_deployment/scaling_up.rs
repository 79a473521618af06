#![doc = include_str!("scaling_up.md")]

use super::{OfMachineDeployment, in_deletion, machine_sets_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether machines have to be added.
#[rustfmt::skip]
pub static SCALING_UP: Table<OfMachineDeployment> = Table {
    id: "MD-SUP",
    kind: "MachineDeployment",
    condition: "ScalingUp",
    about: "Compares the wanted replicas, none during deletion, with what the MachineSets count. Machines can't be made from templates that do not exist. True is the transitional state.",
    source: "Cluster API v1.13.6, MachineDeployment controller",
    facts: facts![scaling.current_replicas, scaling.desired_replicas, missing.missing_templates, in_deletion; missing.what_is_missing],
    rows: &[
        //   row         when                                                     status   reason                   message
        row!("MD-SUP-1", machine_sets_not_listed                               => Unknown, "InternalError",         CHECK_CONTROLLER_LOGS),
        row!("MD-SUP-2", scaling.replicas_not_set                              => Unknown, "WaitingForReplicasSet", "Waiting for spec.replicas set"),
        row!("MD-SUP-3", scaling.too_few_replicas and missing.template_missing => True,    "ScalingUp",             "Scaling up from {scaling.current_replicas} to {scaling.desired_replicas} replicas is blocked because {missing.what_is_missing}"),
        row!("MD-SUP-4", scaling.too_few_replicas                              => True,    "ScalingUp",             "Scaling up from {scaling.current_replicas} to {scaling.desired_replicas} replicas"),
        row!("MD-SUP-5", missing.template_missing and not in_deletion          => False,   "NotScalingUp",          "Scaling up would be blocked because {missing.what_is_missing}"),
        row!("MD-SUP-6", otherwise                                             => False,   "NotScalingUp",          ""),
    ],
};
