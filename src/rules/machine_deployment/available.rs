#![doc = include_str!("available.md")]

use super::max_unavailable::{max_unavailable, rolling_update};
use super::{Facts, OfMachineDeployment};
use crate::table::{Table, facts, otherwise, row};

/// Whether enough machines are available.
#[rustfmt::skip]
pub static AVAILABLE: Table<OfMachineDeployment> = Table {
    id: "MD-AVL",
    kind: "MachineDeployment",
    condition: "Available",
    about: "Enough machines are available when no more are missing than the rollout strategy allows; any other strategy than `RollingUpdate` allows none.",
    source: "Cluster API v1.13.6, MachineDeployment controller",
    facts: facts![available_replicas, required_replicas, strategy_is_rolling_update, in_deletion],
    rows: &[
        //   row         when                          status   reason                            message
        row!("MD-AVL-1", machine_sets_not_listed    => Unknown, "InternalError",                  CHECK_CONTROLLER_LOGS),
        row!("MD-AVL-2", replicas_not_set           => Unknown, "WaitingForReplicasSet",          "Waiting for spec.replicas set"),
        row!("MD-AVL-3", available_replicas_not_set => Unknown, "WaitingForAvailableReplicasSet", "Waiting for status.availableReplicas set"),
        row!("MD-AVL-4", enough_available           => True,    "Available",                      none),
        row!("MD-AVL-5", in_deletion                => False,   "NotAvailable",                   "Deletion in progress"),
        row!("MD-AVL-6", strategy_is_rolling_update => False,   "NotAvailable",                   too_few_available_by_strategy),
        row!("MD-AVL-7", otherwise                  => False,   "NotAvailable",                   too_few_available),
    ],
};

fn available_replicas(s: &Facts<'_>) -> i64 {
    s.counters.available_replicas.unwrap_or(0)
}

fn replicas(s: &Facts<'_>) -> i64 {
    s.input.machine_deployment.spec.replicas.unwrap_or(0)
}

fn required_replicas(s: &Facts<'_>) -> i64 {
    replicas(s).saturating_sub(max_unavailable(s.input.machine_deployment, replicas(s)))
}

fn strategy_is_rolling_update(s: &Facts<'_>) -> bool {
    rolling_update(s.input.machine_deployment)
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

fn available_replicas_not_set(s: &Facts<'_>) -> bool {
    s.counters.available_replicas.is_none()
}

fn enough_available(s: &Facts<'_>) -> bool {
    available_replicas(s) >= required_replicas(s)
}

fn too_few_available(s: &Facts<'_>) -> String {
    format!("{} available replicas, at least {} required", available_replicas(s), required_replicas(s))
}

fn too_few_available_by_strategy(s: &Facts<'_>) -> String {
    let limit = &s.input.machine_deployment.spec.rollout.strategy.rolling_update.max_unavailable;
    let limit = limit.as_ref().map_or("<nil>".to_owned(), ToString::to_string);
    let (few, replicas) = (too_few_available(s), replicas(s));
    format!("{few} (spec.strategy.rollout.maxUnavailable is {limit}, spec.replicas is {replicas})")
}
