#![doc = include_str!("available.md")]

use super::max_unavailable::{may_be_unavailable, rolling_update};
use super::{Facts, OfMachineDeployment, in_deletion, machine_sets_not_listed};
use crate::table::{Table, facts, otherwise, row};

/// Whether enough machines are available.
#[rustfmt::skip]
pub static AVAILABLE: Table<OfMachineDeployment> = Table {
    id: "MD-AVL",
    kind: "MachineDeployment",
    condition: "Available",
    about: "Enough machines are available when no more are missing than the rollout strategy allows; any other strategy than `RollingUpdate` allows none.",
    source: "Cluster API v1.13.6, MachineDeployment controller",
    facts: facts![available_replicas, required_replicas, strategy_is_rolling_update, in_deletion; max_unavailable, replicas],
    rows: &[
        //   row         when                          status   reason                            message
        row!("MD-AVL-1", machine_sets_not_listed    => Unknown, "InternalError",                  CHECK_CONTROLLER_LOGS),
        row!("MD-AVL-2", scaling.replicas_not_set   => Unknown, "WaitingForReplicasSet",          "Waiting for spec.replicas set"),
        row!("MD-AVL-3", available_replicas_not_set => Unknown, "WaitingForAvailableReplicasSet", "Waiting for status.availableReplicas set"),
        row!("MD-AVL-4", enough_available           => True,    "Available",                      ""),
        row!("MD-AVL-5", in_deletion                => False,   "NotAvailable",                   "Deletion in progress"),
        row!("MD-AVL-6", strategy_is_rolling_update => False,   "NotAvailable",                   "{available_replicas} available replicas, at least {required_replicas} required (spec.strategy.rollout.maxUnavailable is {max_unavailable}, spec.replicas is {replicas})"),
        row!("MD-AVL-7", otherwise                  => False,   "NotAvailable",                   "{available_replicas} available replicas, at least {required_replicas} required"),
    ],
};

/// What the MachineSets count as available.
fn available_replicas(s: &Facts<'_>) -> i64 {
    s.counters.available_replicas.unwrap_or(0)
}

/// `spec.replicas`.
fn replicas(s: &Facts<'_>) -> i64 {
    s.input.object.spec.replicas.unwrap_or(0)
}

/// `spec.replicas` less what the strategy lets be unavailable.
fn required_replicas(s: &Facts<'_>) -> i64 {
    replicas(s).saturating_sub(may_be_unavailable(s.input.object, replicas(s)))
}

/// `spec.rollout.strategy.type` is `RollingUpdate`.
fn strategy_is_rolling_update(s: &Facts<'_>) -> bool {
    rolling_update(s.input.object)
}

/// No MachineSet counts available replicas.
fn available_replicas_not_set(s: &Facts<'_>) -> bool {
    s.counters.available_replicas.is_none()
}

/// `available_replicas >= required_replicas`.
fn enough_available(s: &Facts<'_>) -> bool {
    available_replicas(s) >= required_replicas(s)
}

/// `maxUnavailable` as it is written.
fn max_unavailable(s: &Facts<'_>) -> String {
    let limit = &s.input.object.spec.rollout.strategy.rolling_update.max_unavailable;
    limit.as_ref().map_or("<nil>".to_owned(), ToString::to_string)
}
