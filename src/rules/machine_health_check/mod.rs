//! MachineHealthCheck: selection, judgement, threshold and remediation, each a table, in this order.

mod checks;
mod externally_remediated;
mod health_check_succeeded;
mod lasting;
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
pub use lasting::lasts;
pub use node_healthy::NODE_HEALTHY;
pub use owner_remediated::OWNER_REMEDIATED;
pub use reconcile::RECONCILE;
pub use remediation::REMEDIATION;
pub use remediation_allowed::REMEDIATION_ALLOWED;
pub use target::Target;
pub use targets::TARGETS;

use self::target::remediate;
use self::threshold::{Tally, Trigger};
use super::paused::paused;
use crate::error::Error;
use crate::observed::Observed;
use crate::outcome::{Action, Evaluation, Explanation, Judgement, Name, OwnerReference, Status, Threshold, Verdict};
use crate::profile::Profile;
use crate::progress::{InProgress, Mode, Progress, decide};
use crate::snapshot::Kind;
use crate::table::{Subject, TableDescription};
use crate::view::{
    Cluster, ConditionsExt, Machine, MachineHealthCheck, Node, RemediationRequest, RemediationTemplate, label,
};

/// A MachineHealthCheck.
pub struct OfMachineHealthCheck;

impl Subject for OfMachineHealthCheck {
    type Facts<'a> = Facts<'a>;
    type Act = reconcile::Act;
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
    /// The Machines of the namespace; where some are judged already, by name.
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
    pub judged: Option<&'a Judgement>,
}

impl<'a> From<&'a Machine<'a>> for Candidate<'a> {
    fn from(machine: &'a Machine<'a>) -> Self {
        Self { machine, judged: None }
    }
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

/// How far the Cluster has come: looked up once, not for each machine.
#[derive(Clone, Copy)]
struct Milestones {
    control_plane_initialized: bool,
    infrastructure_ready: bool,
}

impl<'a> Input<'a> {
    fn milestones(&self) -> Milestones {
        let reached = |kind| self.cluster.is_some_and(|cluster| cluster.status.conditions.has(kind, "True"));
        Milestones {
            control_plane_initialized: reached("ControlPlaneInitialized"),
            infrastructure_ready: reached("InfrastructureReady"),
        }
    }

    /// Nodes are looked at only once the control plane is up.
    fn node_of(&self, machine: &Machine<'_>, milestones: Milestones) -> target::NodeState<'a> {
        let name = &*machine.status.node_ref.name;
        if name.is_empty() || !milestones.control_plane_initialized {
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
    let mut is_paused = false;
    if input.cluster.is_some() {
        (progress, is_paused) = paused(progress, "MachineHealthCheck", &object.metadata, input.cluster);
    }
    let outdated = progress.changes("Paused");

    let (mut selected, judged) = target::select(input, &mut progress);
    let mut facts = Facts {
        input,
        paused: is_paused,
        paused_outdated: outdated,
        node_unreadable: selected.iter().any(Target::node_unreadable),
        threshold: None,
        progress,
    };

    let step = decide(&RECONCILE, &mut facts);
    let mut status = stored_status(object);
    if step.act != Some(reconcile::Act::JudgeMachines) {
        let error = (step.act == Some(reconcile::Act::ReportError)).then(|| reconcile::error(&facts));
        facts.progress.keep("RemediationAllowed", step.row);
        let mut evaluation = Evaluation::of(Kind::MachineHealthCheck, &object.metadata, facts.progress, status);
        evaluation.error = error;
        return Ok(evaluation);
    }

    for target in &mut selected {
        target.judge();
    }
    let verdicts = selected.iter().map(|target| target.verdict);
    let tally = Tally::of(verdicts.chain(judged.iter().map(|machine| machine.verdict)));
    status.expected_machines = Some(tally.targets);
    status.current_healthy = Some(tally.healthy);

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
            decide(&REMEDIATION_ALLOWED, &mut facts);
            if !allowed && tally.unhealthy > 0 {
                events.push(remediation_allowed::restricted(&facts));
            }
            remediate(&mut selected, allowed, &mut actions, &mut events)
        }
    };
    if error.is_none() {
        status.observed_generation = Some(object.metadata.generation);
    }

    let (machines, explanations) = finish(selected, judged);
    let targets = machines.iter().filter(|machine| machine.verdict != Verdict::Skipped);
    status.targets = targets.map(|machine| machine.name.clone()).collect();

    let allowed = facts.threshold.as_ref().is_some_and(|threshold| threshold.allowed);
    let waits = mode.profile == Profile::Documented || allowed;
    let unreadable = facts.node_unreadable.then_some(checks::RETRY_NODE_AFTER);
    let threshold = facts.threshold.take();
    let mut evaluation = Evaluation::of(Kind::MachineHealthCheck, &object.metadata, facts.progress, status);
    evaluation.explanations.extend(explanations);
    evaluation.threshold = threshold;
    evaluation.actions = actions;
    evaluation.events = events;
    if waits && error.is_none() {
        let waiting = machines.iter().filter(|machine| machine.verdict == Verdict::Waiting);
        let moments = waiting.filter_map(|machine| machine.next_change());
        evaluation.requeue_after_seconds = moments.map(|moment| moment.since(mode.now)).chain(unreadable).min();
    }
    evaluation.next_change = machines.iter().filter_map(|machine| machine.next_change()).min();
    evaluation.error = error;
    evaluation.machines = machines;
    Ok(evaluation)
}

/// What is said about all machines, by name.
fn finish(selected: Vec<Target<'_>>, judged: Vec<&Judgement>) -> (Vec<Judgement>, Vec<Explanation>) {
    let (mut machines, mut explanations) = (Vec::new(), Vec::new());
    let mut judged = judged.into_iter().peekable();
    for target in selected {
        let (machine, explained) = target.finish();
        while let Some(before) = judged.next_if(|before| before.name < machine.name) {
            machines.push(before.clone());
        }
        machines.push(machine.into());
        explanations.extend(explained);
    }
    machines.extend(judged.cloned());
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
