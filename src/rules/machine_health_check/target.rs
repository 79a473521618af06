//! One machine on its way through the stages: its facts, stage 3 (check), and what the evaluation reports about it.

use super::checks::Checks;
use super::health_check_succeeded::{Act, HEALTH_CHECK_SUCCEEDED, checks_apply};
use super::node_healthy::NODE_HEALTHY;
use super::select::Milestones;
use crate::outcome::{Cause, Explanation, MachineEvaluation, Name, Verdict};
use crate::progress::{Progress, decide};
use crate::table::{in_progress, subject};
use crate::view::{Cluster, Machine, MachineHealthCheck, Node, RemediationRequest, RemediationTemplate};

/// The conditions of a machine that a health check may write.
const OWNED: &[&str] = &["HealthCheckSucceeded", "OwnerRemediated", "ExternallyRemediated"];

/// A machine that a health check looks at, in tables that only set a condition.
pub struct OfTarget;

subject!(OfTarget, Target, ());

/// What is known of a machine's Node.
#[derive(Clone, Copy, Debug)]
pub enum NodeState<'a> {
    /// The machine has none, or nobody looked.
    None,
    /// It can't be read.
    Unreadable,
    /// It is gone.
    NotFound,
    /// Here it is.
    Found(&'a Node<'a>),
}

/// The facts about one machine.
pub struct Target<'a> {
    pub(super) health_check: &'a MachineHealthCheck<'a>,
    pub(super) cluster: Option<&'a Cluster<'a>>,
    pub(super) milestones: Milestones,
    pub(super) machine: &'a Machine<'a>,
    pub(super) node: NodeState<'a>,
    pub(super) checks: Checks,
    pub(super) template: Option<&'a RemediationTemplate<'a>>,
    pub(super) request: Option<&'a RemediationRequest<'a>>,
    pub(super) request_refused: bool,
    pub(super) allowed: bool,
    pub(super) verdict: Verdict,
    pub(super) cause: Option<Cause>,
    pub(super) row: &'static str,
    pub(super) remediation_row: Option<&'static str>,
    pub(super) progress: Progress<'a>,
}

in_progress!(Target);

/// The machine's Node can't be read.
pub fn node_unreadable(t: &Target<'_>) -> bool {
    t.verdict != Verdict::Skipped && matches!(t.node, NodeState::Unreadable)
}

impl Target<'_> {
    /// Stage 3, check: is the machine healthy?
    pub fn check(&mut self) {
        if self.verdict == Verdict::Skipped {
            return;
        }
        if checks_apply(self) {
            self.checks = Checks::of(self, self.progress.mode.now);
        }
        let health = decide(&HEALTH_CHECK_SUCCEEDED, self);
        decide(&NODE_HEALTHY, self);
        self.row = health.row;
        (self.verdict, self.cause) = health.act.map_or((Verdict::NotEvaluated, None), Act::verdict);
    }

    /// What the evaluation reports about the machine.
    pub fn finish(mut self) -> (MachineEvaluation, Vec<Explanation>) {
        let decisive = match self.verdict {
            Verdict::Unhealthy => self.checks.expired().min_by_key(|check| check.deadline),
            Verdict::Waiting => self.checks.pending().min_by_key(|check| check.deadline),
            _ => None,
        };
        let (since, clock, deadline) =
            (decisive.map(|c| c.since), decisive.map(|c| c.clock), decisive.map(|c| c.deadline));
        for condition_type in OWNED {
            self.progress.keep_undecided(condition_type, self.row);
        }
        let now = self.progress.mode.now;
        let depends_on_others = self.depends_on_others();
        let (conditions, explanations) = self.progress.finish();
        let machine = MachineEvaluation {
            name: Name::from(&*self.machine.metadata.name),
            verdict: self.verdict,
            row: self.row,
            cause: self.cause,
            checks: self.checks.into_matched(),
            since,
            clock,
            deadline,
            remediation_row: self.remediation_row,
            // A condition that changed just now would change later if it were evaluated later.
            lasts: !depends_on_others && conditions.iter().all(|condition| condition.last_transition_time != now),
            conditions,
        };
        (machine, explanations)
    }

    /// What is done about an unhealthy machine depends on the machines before it, an unreadable Node concerns the whole
    /// health check, and a request is deleted once.
    fn depends_on_others(&self) -> bool {
        matches!(self.verdict, Verdict::Unhealthy | Verdict::NotEvaluated)
            || (self.verdict == Verdict::Healthy && self.request.is_some_and(|request| !request.metadata.in_deletion()))
    }
}
