//! MachineHealthCheck: selection, judgement, threshold and remediation, each a table, in this order.

mod checks;
mod externally_remediated;
mod health_check_succeeded;
mod node_healthy;
mod owner_remediated;
mod reconcile;
mod remediation;
mod remediation_allowed;
mod request;
mod target;
mod targets;
mod threshold;

pub use externally_remediated::EXTERNALLY_REMEDIATED;
pub use health_check_succeeded::HEALTH_CHECK_SUCCEEDED;
pub use node_healthy::NODE_HEALTHY;
pub use owner_remediated::OWNER_REMEDIATED;
pub use reconcile::RECONCILE;
pub use remediation::REMEDIATION;
pub use remediation_allowed::REMEDIATION_ALLOWED;
pub use target::Target;
pub use targets::TARGETS;

use self::target::remediate;
use self::threshold::{Tally, Trigger};
use super::paused::{PAUSED, Pausing};
use crate::error::Error;
use crate::observed::Observed;
use crate::outcome::{Action, Evaluation, OwnerReference, Status, Threshold, Verdict};
use crate::progress::{InProgress, Mode, Progress, settle};
use crate::snapshot::{Kind, Profile};
use crate::table::{Decided, Subject, TableDescription};
use crate::view::{
    Cluster, ConditionsExt, Machine, MachineHealthCheck, Node, RemediationRequest, RemediationTemplate, label,
};

/// A MachineHealthCheck.
pub struct OfMachineHealthCheck;

impl Subject for OfMachineHealthCheck {
    type Facts<'a> = Facts<'a>;
    type Step = reconcile::Step;
}

/// The tables of health checks as data.
pub fn tables() -> Vec<TableDescription> {
    vec![
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
    /// The Machines of the namespace.
    pub machines: Vec<&'a Machine<'a>>,
    /// The Nodes of the workload cluster by their names.
    pub node: &'a dyn Fn(&str) -> Option<&'a Node<'a>>,
    /// The template of external remediation.
    pub template: Option<&'a RemediationTemplate<'a>>,
    /// The remediation requests that exist.
    pub requests: Vec<&'a RemediationRequest<'a>>,
    /// What could be read.
    pub observed: &'a Observed<'a>,
}

/// What the guards read.
pub struct Facts<'a> {
    input: &'a Input<'a>,
    paused: bool,
    paused_outdated: bool,
    node_unreadable: bool,
    threshold: Option<Threshold>,
    progress: Progress<'a>,
}

impl<'a> InProgress<'a> for Facts<'a> {
    fn progress(&mut self) -> &mut Progress<'a> {
        &mut self.progress
    }
}

impl<'a> Input<'a> {
    /// Nodes are looked at only once the control plane is up.
    fn nodes_readable(&self) -> bool {
        self.cluster.is_some_and(|cluster| cluster.status.conditions.has("ControlPlaneInitialized", "True"))
    }

    fn node_of(&self, machine: &Machine<'_>, readable: bool) -> target::NodeState<'a> {
        let name = &*machine.status.node_ref.name;
        if name.is_empty() || !readable {
            target::NodeState::None
        } else if !self.observed.workload_cluster_connected || self.observed.node_read_errors.iter().any(|n| n == name)
        {
            target::NodeState::Unreadable
        } else {
            (self.node)(name).map_or(target::NodeState::NotFound, target::NodeState::Found)
        }
    }
}

/// Decides every table.
pub fn evaluate<'a>(input: &'a Input<'a>, mode: Mode) -> Result<Evaluation, Error> {
    let object = input.health_check;
    object.spec.selector.validate("machineHealthCheck.spec.selector")?;
    let trigger = Trigger::read(object, mode.profile);
    if mode.profile == Profile::Documented {
        trigger.clone()?;
    }

    let mut progress = Progress::new(mode, &object.metadata, &object.status.conditions);
    let pausing = Pausing { kind: "MachineHealthCheck", metadata: &object.metadata, cluster: input.cluster };
    let paused = progress.decide(&PAUSED, &pausing);
    let (is_paused, outdated) = match &paused.then {
        Decided::Set(now) => {
            let same = |c: &crate::view::Condition<'_>| {
                c.status == now.status.as_str() && c.reason == *now.reason && c.message == *now.message
            };
            (paused.row == "PAUSED-1", !progress.stored("Paused").is_some_and(same))
        }
        _ => (false, false),
    };

    let mut selected = target::select(input, &mut progress);
    let mut facts = Facts {
        input,
        paused: is_paused,
        paused_outdated: outdated,
        node_unreadable: selected.iter().any(Target::node_unreadable),
        threshold: None,
        progress,
    };

    let reconcile = facts.progress.mode.explain.then(|| RECONCILE.explain(&facts, ""));
    let step = RECONCILE.decide(&facts, mode.profile);
    let mut status = stored_status(object);
    let step_error = match step.then {
        Decided::Act(reconcile::Step::ReportError) => Some(reconcile::error(&facts)),
        _ => None,
    };
    if !matches!(step.then, Decided::Act(reconcile::Step::JudgeMachines)) {
        if step_error.is_none() || facts.input.cluster.is_some() {
            facts.progress.record("Paused", paused);
        }
        facts.progress.keep("RemediationAllowed", step.row);
        let mut evaluation = Evaluation::of(Kind::MachineHealthCheck, &object.metadata, facts.progress, status);
        evaluation.explanations.extend(reconcile);
        evaluation.error = step_error;
        return Ok(evaluation);
    }
    facts.progress.record("Paused", paused);

    for target in &mut selected {
        target.judge();
    }
    let tally = Tally::of(selected.iter().map(|target| target.verdict));
    status.expected_machines = Some(tally.targets);
    status.current_healthy = Some(tally.healthy);
    status.targets = names(&selected, |verdict| verdict != Verdict::Skipped);

    let mut actions = adopt(input);
    let mut events = Vec::new();
    let error = match trigger {
        Err(invalid) => {
            facts.progress.keep("RemediationAllowed", "MHC-RA");
            Some(invalid.to_string())
        }
        Ok(trigger) => {
            let threshold = trigger.apply(&tally);
            status.remediations_allowed =
                Some(if threshold.allowed { threshold.limit.saturating_sub(threshold.counted) } else { 0 });
            let allowed = threshold.allowed;
            facts.threshold = Some(threshold);
            settle(&REMEDIATION_ALLOWED, &mut facts);
            if !allowed && tally.unhealthy > 0 {
                events.push(remediation_allowed::restricted(&facts));
            }
            remediate(&mut selected, allowed, &mut actions, &mut events)
        }
    };
    if error.is_none() {
        status.observed_generation = Some(object.metadata.generation);
    }

    let allowed = facts.threshold.as_ref().is_some_and(|threshold| threshold.allowed);
    let waits = mode.profile == Profile::Documented || allowed;
    let requeue = if waits && error.is_none() { target::requeue_after(&selected, mode.now) } else { None };
    let next_change = selected.iter().filter_map(Target::next_change).min();
    let threshold = facts.threshold.take();
    let mut evaluation = Evaluation::of(Kind::MachineHealthCheck, &object.metadata, facts.progress, status);
    evaluation.explanations.extend(reconcile);
    evaluation.threshold = threshold;
    evaluation.actions = actions;
    evaluation.events = events;
    evaluation.requeue_after_seconds = requeue;
    evaluation.next_change = next_change;
    evaluation.error = error;
    for target in selected {
        let (machine, explanations) = target.finish();
        evaluation.machines.push(machine);
        evaluation.explanations.extend(explanations);
    }
    Ok(evaluation)
}

fn stored_status(object: &MachineHealthCheck<'_>) -> Status {
    let stored = &object.status;
    Status {
        expected_machines: stored.expected_machines,
        current_healthy: stored.current_healthy,
        remediations_allowed: stored.remediations_allowed,
        targets: stored.targets.iter().map(ToString::to_string).collect(),
        observed_generation: stored.observed_generation,
        ..Status::default()
    }
}

fn names(selected: &[Target<'_>], wanted: impl Fn(Verdict) -> bool) -> Vec<String> {
    selected.iter().filter(|t| wanted(t.verdict)).map(|t| String::from(&*t.machine.metadata.name)).collect()
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
