#![doc = include_str!("next_step.md")]

use super::max_unavailable::rolling_update;
use super::rollout::{Act, Rolling, Rollout, available, machines, on_delete, wanted};
use crate::table::{Table, facts, otherwise, row};
use crate::view::{annotation, label};

/// How the MachineDeployment goes on.
#[rustfmt::skip]
pub static NEXT_STEP: Table<Rollout> = Table {
    id: "MD-NXT",
    kind: "MachineDeployment",
    condition: "NextStep",
    about: "How the MachineSets are brought to what the MachineDeployment wants. While `spec.paused` is set nothing is rolled out, only scaled.",
    source: "Cluster API v1.14.2, MachineDeployment controller",
    facts: facts![wanted, machines, available],
    rows: &[
        //   row         when                                                then
        row!("MD-NXT-1", replicas_not_set                                 => act Fail),
        row!("MD-NXT-2", unique_label_missing                             => act Fail),
        row!("MD-NXT-3", revision_unreadable                              => act Fail),
        row!("MD-NXT-4", paused                                           => act ScaleOnly),
        row!("MD-NXT-5", no_current_machine_set and templates_missing     => act Fail),
        row!("MD-NXT-6", on_delete                                        => act OnDelete),
        row!("MD-NXT-7", rolls_step_by_step                               => act RollOut),
        row!("MD-NXT-8", otherwise                                        => act Fail),
    ],
};

/// `spec.replicas` of the MachineDeployment or of one of its MachineSets is not set.
fn replicas_not_set(r: &Rolling<'_>) -> bool {
    let sets = &r.input().machine_sets;
    r.input().object.spec.replicas.is_none() || sets.iter().any(|set| set.spec.replicas.is_none())
}

/// A MachineSet lacks the label `machine-template-hash`.
fn unique_label_missing(r: &Rolling<'_>) -> bool {
    r.input().machine_sets.iter().any(|set| set.metadata.label(label::UNIQUE).is_none())
}

/// The revision in the current MachineSet's annotation is no number.
fn revision_unreadable(r: &Rolling<'_>) -> bool {
    let current = r.plan.current.as_ref().and_then(|set| set.stored);
    let revision = current.and_then(|stored| stored.metadata.annotation(annotation::REVISION));
    revision.is_some_and(|revision| revision.parse::<i64>().is_err())
}

/// `spec.paused` of the MachineDeployment is true.
fn paused(r: &Rolling<'_>) -> bool {
    r.input().object.spec.paused
}

/// There is no current MachineSet.
fn no_current_machine_set(r: &Rolling<'_>) -> bool {
    r.plan.current.is_none()
}

/// The bootstrap or the infrastructure template does not exist.
fn templates_missing(r: &Rolling<'_>) -> bool {
    let observed = r.input().observed;
    observed.bootstrap_template_not_found || observed.infrastructure_template_not_found
}

/// `spec.rollout.strategy.type` is `RollingUpdate`.
fn rolls_step_by_step(r: &Rolling<'_>) -> bool {
    rolling_update(r.input().object)
}
