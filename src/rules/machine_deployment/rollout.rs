//! What the tables of a MachineDeployment's rollout have in common.

use super::Input;
use super::max_unavailable::rolling_update;
use super::planner::{Plan, Set};
use crate::progress::Progress;
use crate::rules::share::Share;
use crate::table::{in_progress, subject};

/// A MachineDeployment while its next step is planned.
pub struct Rollout;

/// What the guards read.
pub struct Rolling<'a> {
    /// What has been planned so far.
    pub plan: Plan<'a>,
    /// The MachineSet that is looked at, for tables that look at each of them.
    pub set: Option<Set<'a>>,
    /// What is decided about the MachineDeployment.
    pub progress: Progress<'a>,
}

/// What follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// The step can't be planned.
    Fail,
    /// Only the number of machines changes.
    ScaleOnly,
    /// Users delete machines themselves.
    OnDelete,
    /// Machines are replaced step by step.
    RollOut,
    /// The MachineSet is an old one.
    Replace,
    /// The MachineSet is an old one, and its machines can't be updated in place.
    ReplaceWithNew,
    /// The MachineSet is the current one.
    Keep,
    /// It gets as many machines as the MachineDeployment wants.
    Align,
    /// It gets more machines.
    Grow,
    /// Machines go, as many as availability allows.
    Shrink,
    /// Machines go, from the oldest MachineSet on.
    ShrinkOnDelete,
    /// Its machines move to the current MachineSet.
    Move,
    /// No machine is made beyond those that are wanted.
    DropSurge,
    /// One machine is made beyond those that are wanted.
    SurgeByOne,
    /// One machine goes, though fewer than allowed are available.
    BreakDeadlock,
    /// The MachineSet is deleted.
    Delete,
}

subject!(Rollout, Rolling, Act);

in_progress!(Rolling);

impl<'a> Rolling<'a> {
    /// The MachineDeployment and what belongs to it.
    pub fn input(&self) -> &'a Input<'a> {
        self.plan.input
    }

    /// A number of the MachineSet that is looked at.
    pub fn of_set(&self, number: impl Fn(&Set<'a>) -> i64) -> i64 {
        self.set.as_ref().map_or(0, number)
    }
}

/// `maxSurge` in machines, for the current MachineSet; `None` when it can't be read.
pub fn surge(r: &Rolling<'_>) -> Option<i64> {
    let deployment = r.input().object;
    if !rolling_update(deployment) {
        return Some(0);
    }
    let limit = deployment.spec.rollout.strategy.rolling_update.max_surge.as_ref()?;
    Share::of(limit, r.plan.wanted()).map(Share::up)
}

/// `spec.replicas` of the MachineDeployment.
pub fn wanted(r: &Rolling<'_>) -> i64 {
    r.plan.wanted()
}

pub fn machines(r: &Rolling<'_>) -> i64 {
    r.plan.machines()
}

pub fn available(r: &Rolling<'_>) -> i64 {
    r.plan.available()
}

/// `spec.rollout.strategy.type` is `OnDelete`.
pub fn on_delete(r: &Rolling<'_>) -> bool {
    r.input().object.spec.rollout.strategy.kind == *"OnDelete"
}
