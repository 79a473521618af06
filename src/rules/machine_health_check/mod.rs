//! MachineHealthCheck, in five stages: admit, select, check, threshold, remediate.

mod checks;
mod externally_remediated;
mod health_check_succeeded;
mod node_healthy;
mod owner_remediated;
mod reconcile;
mod remediate;
mod remediation;
mod remediation_allowed;
mod request;
mod select;
mod target;
mod targets;
mod threshold;
mod trigger_if;

pub use externally_remediated::EXTERNALLY_REMEDIATED;
pub use health_check_succeeded::HEALTH_CHECK_SUCCEEDED;
pub use node_healthy::NODE_HEALTHY;
pub use owner_remediated::OWNER_REMEDIATED;
pub use reconcile::RECONCILE;
pub use remediation::REMEDIATION;
pub use remediation_allowed::REMEDIATION_ALLOWED;
pub use target::Target;
pub use targets::TARGETS;
pub use trigger_if::TRIGGER_IF;

use self::remediate::Remediations;
use self::select::Selection;
use self::threshold::{Tally, Trigger};
use super::paused::paused;
use crate::error::Error;
use crate::observed::Observed;
use crate::outcome::{
    Action, CheckedMachine, Evaluation, Explanation, MachineEvaluation, Name, OwnerReference, Status, Threshold,
    Verdict,
};
use crate::progress::{Mode, Progress, decide};
use crate::snapshot::Kind;
use crate::table::TableDescription;
use crate::table::in_progress;
use crate::time::Time;
use crate::view::{Cluster, Machine, MachineHealthCheck, Node, RemediationRequest, RemediationTemplate, label};
use std::cell::OnceCell;

/// The tables of health checks as data.
pub fn tables() -> Vec<TableDescription> {
    vec![
        TRIGGER_IF.describe(),
        RECONCILE.describe(),
        TARGETS.describe(),
        HEALTH_CHECK_SUCCEEDED.describe(),
        NODE_HEALTHY.describe(),
        REMEDIATION_ALLOWED.describe(),
        REMEDIATION.describe(),
        OWNER_REMEDIATED.describe(),
        EXTERNALLY_REMEDIATED.describe(),
    ]
}

/// A MachineHealthCheck and what its decisions read.
pub struct Input<'a> {
    /// The object.
    pub health_check: &'a MachineHealthCheck<'a>,
    /// Its Cluster.
    pub cluster: Option<&'a Cluster<'a>>,
    /// The Machines of the namespace; where some were checked before, by name.
    pub machines: Vec<Candidate<'a>>,
    /// The Nodes of the workload cluster by their names.
    pub node: &'a dyn Fn(&str) -> Option<&'a Node<'a>>,
    /// The template of external remediation.
    pub template: Option<&'a RemediationTemplate<'a>>,
    /// The remediation requests that exist.
    pub requests: Vec<&'a RemediationRequest<'a>>,
    /// What could be read.
    pub observed: &'a Observed<'a>,
}

/// A Machine that a health check may look at.
#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    /// The Machine.
    pub machine: &'a Machine<'a>,
    /// What the health check would say about it again.
    pub checked: Option<&'a CheckedMachine>,
}

impl<'a> From<&'a Machine<'a>> for Candidate<'a> {
    fn from(machine: &'a Machine<'a>) -> Self {
        Self { machine, checked: None }
    }
}

/// The facts of the tables that are about the health check itself.
pub struct Facts<'a> {
    input: &'a Input<'a>,
    trigger: Result<Trigger, Error>,
    paused: bool,
    paused_outdated: bool,
    /// Selected when a table asks or machines are checked, whichever comes first.
    selection: OnceCell<Selection<'a>>,
    threshold: Option<Threshold>,
    progress: Progress<'a>,
}

in_progress!(Facts);

impl<'a> Facts<'a> {
    fn selection(&self) -> &Selection<'a> {
        self.selection.get_or_init(|| Selection::of(self.input, self.progress.mode))
    }
}

/// Decides about a health check and its machines.
pub fn evaluate<'a>(input: &'a Input<'a>, mode: Mode) -> Result<Evaluation, Error> {
    let object = input.health_check;
    object.spec.selector.validate("machineHealthCheck.spec.selector")?;
    let mut status = stored_status(object);

    // 1. Admit: nothing is paused, and what is needed could be read.
    let mut facts = admit(input, mode);
    let trigger = decide(&TRIGGER_IF, &mut facts);
    if trigger.act == Some(trigger_if::Act::RefuseInput) {
        return Err(Trigger::refused(object, facts.trigger));
    }
    let admitted = decide(&RECONCILE, &mut facts);
    if admitted.act != Some(reconcile::Act::CheckMachines) {
        let error = (admitted.act == Some(reconcile::Act::ReportError)).then(|| reconcile::error(&facts));
        facts.progress.keep("RemediationAllowed", admitted.row);
        let mut evaluation = facts.progress.evaluation(Kind::MachineHealthCheck, &object.metadata, status);
        evaluation.error = error;
        return Ok(evaluation);
    }

    // 2. Select.
    facts.selection();
    let Some(Selection { mut targets, checked, explanations }) = facts.selection.take() else {
        return Err(Error::expected("machineHealthCheck", "a selection", "none"));
    };
    let node_unreadable = targets.iter().any(target::node_unreadable);

    // 3. Check.
    targets.iter_mut().for_each(Target::check);
    let verdicts = targets.iter().map(|target| target.verdict).chain(checked.iter().map(|machine| machine.verdict));
    let tally = Tally::of(verdicts);
    status.expected_machines = Some(tally.targets);
    status.current_healthy = Some(tally.healthy);

    // 4. Threshold.
    let applied = facts.trigger.as_ref().map(|trigger| trigger.apply(&tally)).map_err(ToString::to_string);
    let mut remediations = Remediations::default();
    let mut come_back = true;
    match applied {
        Err(invalid) => {
            facts.progress.keep("RemediationAllowed", trigger.row);
            remediations.error = Some(invalid);
        }
        Ok(threshold) => {
            status.remediations_allowed = Some(threshold.remediations_allowed());
            let allowed = threshold.allowed;
            facts.threshold = Some(threshold);
            let decision = decide(&REMEDIATION_ALLOWED, &mut facts);
            come_back = decision.act != Some(remediation_allowed::Act::RefuseUntilChange);

            // 5. Remediate.
            remediations = Remediations::of(&mut targets, allowed);
            if !allowed && tally.unhealthy > 0 {
                remediations.events.insert(0, remediation_allowed::restricted(&facts));
            }
        }
    }

    let Remediations { actions, events, error } = remediations;
    if error.is_none() {
        status.observed_generation = Some(object.metadata.generation);
    }
    let (machines, explanations_of_machines) = finish(targets, checked);
    let counted = machines.iter().filter(|machine| machine.verdict != Verdict::Skipped);
    status.targets = counted.map(|machine| machine.name.clone()).collect();
    let threshold = facts.threshold.take();
    let mut evaluation = facts.progress.evaluation(Kind::MachineHealthCheck, &object.metadata, status);
    evaluation.explanations.extend(explanations);
    evaluation.explanations.extend(explanations_of_machines);
    evaluation.threshold = threshold;
    evaluation.actions = adopt(input).into_iter().chain(actions).collect();
    evaluation.events = events;
    if come_back && error.is_none() {
        evaluation.requeue_after_seconds = requeue(&machines, node_unreadable, mode.now);
    }
    evaluation.next_change = machines.iter().filter_map(|machine| machine.next_change()).min();
    evaluation.error = error;
    evaluation.machines = machines;
    Ok(evaluation)
}

/// Stage 1: what can be known before any machine is looked at. Without its Cluster nobody knows whether a health check is paused.
fn admit<'a>(input: &'a Input<'a>, mode: Mode) -> Facts<'a> {
    let object = input.health_check;
    let stored = (&object.metadata, &*object.status.conditions);
    let (progress, is_paused) = match input.cluster {
        Some(_) => paused(mode, Kind::MachineHealthCheck, stored, input.cluster),
        None => (Progress::new(mode, stored.0, stored.1), false),
    };
    Facts {
        input,
        trigger: Trigger::read(object),
        paused: is_paused,
        paused_outdated: progress.changes("Paused"),
        selection: OnceCell::new(),
        threshold: None,
        progress,
    }
}

/// Whether a verdict holds until its machine changes or a timeout of it runs out.
pub fn lasts(machine: &MachineEvaluation) -> bool {
    machine.lasts
}

/// When the next timeout runs out, or a Node is worth reading again.
fn requeue(machines: &[CheckedMachine], node_unreadable: bool, now: Time) -> Option<i64> {
    let waiting = machines.iter().filter(|machine| machine.verdict == Verdict::Waiting);
    let moments = waiting.filter_map(|machine| machine.next_change());
    moments.map(|moment| moment.since(now)).chain(node_unreadable.then_some(checks::RETRY_NODE_AFTER)).min()
}

/// What is reported about all machines, by name.
fn finish(targets: Vec<Target<'_>>, checked: Vec<&CheckedMachine>) -> (Vec<CheckedMachine>, Vec<Explanation>) {
    let (mut machines, mut explanations) = (Vec::new(), Vec::new());
    let mut checked = checked.into_iter().peekable();
    for target in targets {
        let (machine, explained) = target.finish();
        while let Some(before) = checked.next_if(|before| before.name < machine.name) {
            machines.push(before.clone());
        }
        machines.push(machine.into());
        explanations.extend(explained);
    }
    machines.extend(checked.cloned());
    (machines, explanations)
}

fn stored_status(object: &MachineHealthCheck<'_>) -> Status {
    let stored = &object.status;
    Status {
        expected_machines: stored.expected_machines,
        current_healthy: stored.current_healthy,
        remediations_allowed: stored.remediations_allowed,
        targets: stored.targets.iter().map(|name| Name::from(&**name)).collect(),
        observed_generation: stored.observed_generation,
        ..Status::default()
    }
}

/// A health check belongs to its Cluster: by label and by owner reference.
fn adopt(input: &Input<'_>) -> Vec<Action> {
    let object = input.health_check;
    let mut actions = Vec::new();
    if object.metadata.label(label::CLUSTER_NAME) != Some(&object.spec.cluster_name) {
        actions.push(Action::AddLabel {
            key: label::CLUSTER_NAME.to_owned(),
            value: object.spec.cluster_name.to_string(),
        });
    }
    if let Some(cluster) = input.cluster {
        let owned = object.metadata.owner_references.iter().any(|owner| {
            owner.kind == "Cluster" && owner.name == cluster.metadata.name && owner.uid == cluster.metadata.uid
        });
        if !owned {
            actions.push(Action::SetOwnerReference {
                owner: OwnerReference {
                    api_version: "cluster.x-k8s.io/v1beta2".to_owned(),
                    kind: "Cluster".to_owned(),
                    name: cluster.metadata.name.to_string(),
                    uid: cluster.metadata.uid.to_string(),
                },
            });
        }
    }
    actions
}
