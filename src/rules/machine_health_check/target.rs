//! One machine on its way through selection, judgement and remediation.

use super::checks::Checks;
use super::health_check_succeeded::{Act as Health, checks_apply};
use super::remediation::Act as Remedy;
use super::request;
use super::targets::Act as Selection;
use super::{
    Candidate, EXTERNALLY_REMEDIATED, HEALTH_CHECK_SUCCEEDED, Input, Milestones, NODE_HEALTHY, OWNER_REMEDIATED,
    REMEDIATION, TARGETS,
};
use crate::lookup::Lookup;
use crate::outcome::{Action, Cause, Event, Explanation, Judgement, MachineEvaluation, Name, Verdict};
use crate::progress::{InProgress, Progress, decide};
use crate::sort::sort_by;
use crate::table::Subject;
use crate::view::{Cluster, Machine, MachineHealthCheck, Node, RemediationRequest, RemediationTemplate};

/// The conditions of a machine that a health check may write.
const OWNED: &[&str] = &["HealthCheckSucceeded", "OwnerRemediated", "ExternallyRemediated"];

/// A machine that a health check looks at, in tables that only set a condition.
pub struct OfTarget;

impl Subject for OfTarget {
    type Facts<'a> = Target<'a>;
    type Act = ();
}

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
    cause: Option<Cause>,
    row: &'static str,
    remediation_row: Option<&'static str>,
    progress: Progress<'a>,
}

impl<'a> InProgress<'a> for Target<'a> {
    fn progress(&mut self) -> &mut Progress<'a> {
        &mut self.progress
    }
}

/// The selected machines, by name: Cluster API goes through them in that order. Those that are judged already stay so.
pub fn select<'a>(input: &'a Input<'a>, object: &mut Progress<'a>) -> (Vec<Target<'a>>, Vec<&'a Judgement>) {
    let requests = Lookup::of(input.requests.iter().map(|request| &*request.metadata.name));
    let milestones = input.milestones();
    let (mut selected, mut judged) = (Vec::new(), Vec::new());
    for Candidate { machine, judged: before } in &input.machines {
        if let Some(before) = before {
            judged.push(*before);
            continue;
        }
        let mut progress = Progress::new(object.mode, &machine.metadata, &machine.status.conditions);
        progress.machine = &machine.metadata.name;
        let mut target = Target {
            health_check: input.health_check,
            cluster: input.cluster,
            milestones,
            machine,
            node: input.node_of(machine, milestones),
            checks: Checks::default(),
            template: input.template,
            request: requests.get(&machine.metadata.name).and_then(|at| input.requests.get(at).copied()),
            request_refused: input.observed.remediation_request_create_fails,
            allowed: false,
            verdict: Verdict::NotEvaluated,
            cause: None,
            row: TARGETS.id,
            remediation_row: None,
            progress,
        };
        let selection = decide(&TARGETS, &mut target);
        object.explanations_of(&mut target.progress);
        target.row = selection.row;
        match selection.act {
            Some(Selection::Check) => selected.push(target),
            Some(Selection::Skip) => {
                target.verdict = Verdict::Skipped;
                selected.push(target);
            }
            Some(Selection::PassOver) | None => {}
        }
    }
    sort_by(&mut selected, |a, b| a.machine.metadata.name.cmp(&b.machine.metadata.name));
    (selected, judged)
}

impl Target<'_> {
    /// Whether the machine's Node can't be read.
    pub fn node_unreadable(&self) -> bool {
        self.verdict != Verdict::Skipped && matches!(self.node, NodeState::Unreadable)
    }

    /// Judges the machine's health.
    pub fn judge(&mut self) {
        if self.verdict == Verdict::Skipped {
            return;
        }
        if checks_apply(self) {
            self.checks = Checks::of(self, self.progress.mode.now);
        }
        let health = decide(&HEALTH_CHECK_SUCCEEDED, self);
        decide(&NODE_HEALTHY, self);
        self.row = health.row;
        (self.verdict, self.cause) = health.act.map_or((Verdict::NotEvaluated, None), Health::verdict);
    }

    /// What the evaluation says about the machine.
    pub fn finish(mut self) -> (MachineEvaluation, Vec<Explanation>) {
        let decisive = match self.verdict {
            Verdict::Unhealthy => self.checks.expired().min_by_key(|check| check.deadline),
            Verdict::Waiting => self.checks.pending().min_by_key(|check| check.deadline),
            _ => None,
        };
        let (since, clock, deadline) =
            (decisive.map(|c| c.since), decisive.map(|c| c.clock), decisive.map(|c| c.deadline));
        for kind in OWNED {
            self.progress.keep_undecided(kind, self.row);
        }
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
            conditions,
        };
        (machine, explanations)
    }
}

/// Decides for each machine what is done about it. The unhealthy ones go first; returns what went wrong.
pub fn remediate(
    selected: &mut [Target<'_>],
    allowed: bool,
    actions: &mut Vec<Action>,
    events: &mut Vec<Event>,
) -> Option<String> {
    let mut error = None;
    let mut stopped = false;
    for verdict in [Verdict::Unhealthy, Verdict::Healthy] {
        for target in selected.iter_mut().filter(|target| target.verdict == verdict) {
            target.allowed = allowed;
            if stopped && verdict == Verdict::Unhealthy {
                continue;
            }
            let remedy = decide(&REMEDIATION, target);
            target.remediation_row = Some(remedy.row);
            match remedy.act {
                None => {
                    if allowed && verdict == Verdict::Unhealthy {
                        events.push(marked_unhealthy(target));
                    }
                }
                Some(Remedy::Stop) => stopped = true,
                Some(Remedy::CreateRequest) => {
                    actions.extend(request::create(target));
                    decide(&EXTERNALLY_REMEDIATED, target);
                    events.push(marked_unhealthy(target));
                }
                Some(Remedy::DeleteRequest) => actions.extend(request::delete(target)),
                Some(failure @ (Remedy::ReportFailure | Remedy::ReportFailureAndStop)) => {
                    stopped |= failure == Remedy::ReportFailureAndStop;
                    decide(&EXTERNALLY_REMEDIATED, target);
                    error.get_or_insert_with(|| request::failure(target));
                }
                Some(Remedy::MarkForOwner) => {
                    decide(&OWNER_REMEDIATED, target);
                    events.push(marked_unhealthy(target));
                }
                Some(Remedy::DeleteMachine) => {
                    let metadata = &target.machine.metadata;
                    let (namespace, name) = (metadata.namespace.to_string(), metadata.name.to_string());
                    actions.push(Action::DeleteMachine { namespace, name });
                    events.push(marked_unhealthy(target));
                }
            }
        }
    }
    error
}

fn marked_unhealthy(target: &Target<'_>) -> Event {
    let (machine, health_check) = (target.machine.metadata.key(), target.health_check.metadata.key());
    Event {
        kind: "Normal",
        reason: "MachineMarkedUnhealthy",
        message: format!("Machine {machine} has been marked as unhealthy by {health_check}"),
        object_kind: "Machine",
        object_name: target.machine.metadata.name.to_string(),
    }
}
