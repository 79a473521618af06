//! What a MachineSet does next: remediation, in-place updates, scaling, in the order of its reconcile.

use super::Input;
use super::delete_order::DeleteOrder;
use super::in_place_update::{self, IN_PLACE_UPDATE, Update, moved_in};
use super::owner_remediated::{self, Budget, OWNER_REMEDIATED, Remediation};
use super::preflight::{CHECKED_AGAIN_AFTER, Preflight, not_found};
use super::preflight_checks::{self, Checks, PREFLIGHT_CHECKS};
use super::scale::{self, SCALE, Scale};
use crate::outcome::{Explanation, OwnedMachine, OwnerAction, OwnerStep};
use crate::progress::{Mode, Progress, decide};
use crate::rules::owners::action;
use crate::rules::replica_counters::number;
use crate::rules::share::Share;
use crate::sorted::Sorted;
use crate::view::{ConditionsExt, Machine, MachineDeployment, ObjectRef, annotation, label};

/// What the preflight checks call the actions that they are run for.
const REMEDIATION: &str = "Machine remediation";
const SCALE_UP: &str = "Scale up";

/// Every decision of the MachineSet.
pub fn actions<'a>(input: &'a Input<'a>, mode: Mode) -> (Vec<OwnerAction>, Vec<Explanation>) {
    let mut explanations = Vec::new();
    let mut actions = checks(input, mode, &mut explanations);
    actions.extend(remediation(input, mode, &mut explanations));
    let pending = in_place_updates(input, mode, &mut actions, &mut explanations);
    actions.push(scaling(input, mode, pending, &mut explanations));
    (actions, explanations)
}

/// The preflight checks, where machines are to be made or remediated.
fn checks(input: &Input<'_>, mode: Mode, explanations: &mut Vec<Explanation>) -> Vec<OwnerAction> {
    let remediates = input.machines.iter().any(|machine| machine.to_be_remediated() && !machine.metadata.in_deletion());
    let grows = input.object.spec.replicas.unwrap_or(0) > number(input.machines.len());
    let preflight = Preflight::of(input, if remediates && !grows { REMEDIATION } else { SCALE_UP });
    let progress = Progress::new(mode, &input.object.metadata, &[]);
    let mut facts = Checks { preflight: &preflight, progress };
    let decision = decide(&PREFLIGHT_CHECKS, &mut facts);
    explanations.extend(facts.progress.finish().1);
    let mut action = action(&PREFLIGHT_CHECKS, decision.row);
    if decision.act != Some(preflight_checks::Act::Pass) {
        action.blocked_by(&preflight);
    }
    vec![action]
}

fn remediation(input: &Input<'_>, mode: Mode, explanations: &mut Vec<Explanation>) -> Vec<OwnerAction> {
    let marked = input.machines.iter().copied().filter(|m| m.status.conditions.has("OwnerRemediated", "False"));
    let mut marked: Vec<&Machine<'_>> = marked.collect();
    let waits = |machine: &Machine<'_>| machine.to_be_remediated() && !machine.metadata.in_deletion();
    marked.order_by(|a, b| {
        let later = |m: &Machine<'_>| (!waits(m), m.metadata.annotation(annotation::REMEDIATE_MACHINE).is_none());
        let newest = b.metadata.creation_timestamp.cmp(&a.metadata.creation_timestamp);
        later(a).cmp(&later(b)).then(newest).then_with(|| a.metadata.name.cmp(&b.metadata.name))
    });
    let unhealthy = marked.iter().filter(|machine| waits(machine)).count();
    let budget = budget(input, unhealthy > 0);
    let mut actions: Vec<OwnerAction> = Vec::new();
    for (before, machine) in marked.into_iter().enumerate() {
        let mut own = Progress::new(mode, &machine.metadata, &machine.status.conditions);
        own.machine = &machine.metadata.name;
        let mut facts = Remediation { machine, budget: &budget, before, progress: own };
        let decision = decide(&OWNER_REMEDIATED, &mut facts);
        facts.progress.keep("HealthCheckSucceeded", decision.row);
        let (conditions, explained) = facts.progress.finish();
        explanations.extend(explained);
        let Some(act) = decision.act else { continue };
        let name = machine.metadata.name.to_string();
        // Machines about which the same row decides share an entry.
        if actions.last().is_none_or(|last| last.row != decision.row) {
            let mut action = action(&OWNER_REMEDIATED, decision.row)
                .with("unhealthy", number(unhealthy))
                .with("inFlight", number(budget.in_flight));
            if let Ok(Some(limit)) = budget.max_in_flight {
                action = action.with("maxInFlight", limit);
            }
            actions.push(action);
        }
        let Some(action) = actions.last_mut() else { continue };
        match act {
            owner_remediated::Act::Delete if input.observed.machine_delete_fails.contains(&machine.metadata.name) => {
                action.fail(&format!("machine {name} could not be deleted"));
            }
            owner_remediated::Act::Delete => action.steps.push(OwnerStep::DeleteMachine { machine: name.clone() }),
            owner_remediated::Act::CheckAgain => action.blocked_by(&budget.preflight),
            owner_remediated::Act::Fail => action.error = budget.max_in_flight.as_ref().err().cloned(),
            owner_remediated::Act::Unmark | owner_remediated::Act::Wait => {}
        }
        action.machines.push(OwnedMachine { name, conditions });
    }
    actions
}

fn budget(input: &Input<'_>, needed: bool) -> Budget {
    let owner = input.machine_deployment.filter(|_| input.object.metadata.label(label::DEPLOYMENT_NAME).is_some());
    let revision =
        |metadata: &crate::view::Metadata<'_>| metadata.annotation(annotation::REVISION).map(ToString::to_string);
    let in_flight = input.machines.iter().filter(|machine| {
        let remediated = machine.status.conditions.of_type("OwnerRemediated");
        machine.metadata.in_deletion()
            && remediated.is_some_and(|c| c.status == *"False" && c.reason == *"MachineDeleting")
    });
    Budget {
        replaced: owner.is_some_and(|owner| {
            revision(&owner.metadata).unwrap_or_default() != revision(&input.object.metadata).unwrap_or_default()
        }),
        configured: owner.and_then(|owner| owner.spec.remediation.max_in_flight.as_ref()).map(ToString::to_string),
        max_in_flight: owner.map_or(Ok(None), max_in_flight),
        in_flight: in_flight.count(),
        preflight: if needed { Preflight::of(input, REMEDIATION) } else { Preflight::default() },
    }
}

fn max_in_flight(owner: &MachineDeployment<'_>) -> Result<Option<i64>, String> {
    let Some(configured) = &owner.spec.remediation.max_in_flight else { return Ok(None) };
    let share = Share::of(configured, owner.spec.replicas.unwrap_or(1));
    let unreadable = || format!("spec.remediation.maxInFlight is neither a number nor a percentage: {configured}");
    share.map(|share| Some(share.up())).ok_or_else(unreadable)
}

/// Hands machines to the extension that updates them; the answer is how many still wait to be counted here.
fn in_place_updates(
    input: &Input<'_>,
    mode: Mode,
    actions: &mut Vec<OwnerAction>,
    explanations: &mut Vec<Explanation>,
) -> usize {
    let mut machines = input.machines.clone();
    machines.order_by_key(|machine| machine.metadata.name.to_string());
    let mut pending: usize = 0;
    for machine in machines.into_iter().filter(|m| m.metadata.annotation(annotation::UPDATE_IN_PROGRESS).is_some()) {
        let mut own = Progress::new(mode, &machine.metadata, &[]);
        own.machine = &machine.metadata.name;
        let bootstrapped = machine.spec.bootstrap.config_ref.is_defined();
        let missing_template = missing_template(input, bootstrapped);
        let mut facts = Update { machine, machine_set: input.object, missing_template, progress: own };
        let decision = decide(&IN_PLACE_UPDATE, &mut facts);
        let name = || machine.metadata.name.to_string();
        let counted = matches!(decision.act, Some(in_place_update::Act::Start | in_place_update::Act::Fail));
        if moved_in(&facts) && !counted && in_place_update::receives(input.object) {
            pending = pending.saturating_add(1);
        }
        let moved = moved_in(&facts);
        explanations.extend(facts.progress.finish().1);
        let Some(act) = decision.act else { continue };
        let mut action = action(&IN_PLACE_UPDATE, decision.row);
        action.candidates = vec![name()];
        match act {
            in_place_update::Act::Wait => {
                action.obstacles.push(format!("machine {} is not yet counted by its MachineDeployment", name()));
            }
            in_place_update::Act::Fail => action.error = facts.missing_template,
            in_place_update::Act::Start => {
                let acknowledged = moved.then(|| OwnerStep::AcknowledgeMove { machine: name() });
                action.steps.extend(acknowledged);
                action.steps.push(OwnerStep::StartInPlaceUpdate { machine: name() });
            }
        }
        actions.push(action);
    }
    let unmarked = |m: &Machine<'_>| m.metadata.annotation(annotation::UPDATE_IN_PROGRESS).is_none();
    pending.saturating_add(scale::pending(input, |machine| unmarked(machine) && super::moved_in(machine)))
}

fn scaling(input: &Input<'_>, mode: Mode, pending_moves: usize, explanations: &mut Vec<Explanation>) -> OwnerAction {
    let wanted = input.object.spec.replicas.unwrap_or(0);
    let grows = wanted > number(input.machines.len());
    let preflight = if grows { Preflight::of(input, SCALE_UP) } else { Preflight::default() };
    let order = DeleteOrder::of(input.object).map(|order| {
        let mut machines = input.machines.clone();
        order.sort(&mut machines, mode.now);
        machines
    });
    let bootstrapped = input.object.spec.template.spec.bootstrap.config_ref.is_defined();
    let mut facts = Scale {
        input,
        pending_moves,
        preflight: &preflight,
        missing_template: missing_template(input, bootstrapped),
        order,
        progress: Progress::new(mode, &input.object.metadata, &[]),
    };
    let decision = decide(&SCALE, &mut facts);
    let mut action = action(&SCALE, decision.row)
        .with("wanted", wanted)
        .with("machines", number(input.machines.len()))
        .with("pendingMoves", number(pending_moves));
    action.candidates = facts.order.iter().flatten().map(|machine| machine.metadata.name.to_string()).collect();
    let (steps, error) = match decision.act {
        Some(scale::Act::Delete) => scale::deletions(&facts),
        Some(scale::Act::Move) => match scale::accepting_target(input) {
            Ok(target) => scale::moves(&facts, target),
            Err(error) => (Vec::new(), Some(error)),
        },
        _ => (Vec::new(), None),
    };
    (action.steps, action.error) = (steps, error);
    let missing = scale::missing(&facts);
    explanations.extend(facts.progress.finish().1);
    let Some(act) = decision.act else { return action };
    match act {
        scale::Act::Fail => action.fail("spec.replicas or spec.deletion.order can't be read"),
        scale::Act::FailToCreate => action.error = facts.missing_template,
        scale::Act::FailToMove => action.error = scale::accepting_target(input).err(),
        scale::Act::Wait => {
            action.obstacles.push(format!("annotation {} is set", annotation::DISABLE_MACHINE_CREATE));
        }
        scale::Act::CheckAgain => action.blocked_by(&preflight),
        scale::Act::Create => {
            action.steps.push(OwnerStep::CreateMachines { count: missing, failure_domain: None });
        }
        scale::Act::Delete | scale::Act::Move => {}
    }
    action
}

/// A template that machines are made of and that does not exist.
fn missing_template(input: &Input<'_>, bootstrapped: bool) -> Option<String> {
    let spec = &input.object.spec.template.spec;
    let missing = |reference: &ObjectRef<'_>| Some(not_found(reference, &input.object.metadata));
    if bootstrapped && input.observed.bootstrap_template_not_found {
        missing(&spec.bootstrap.config_ref)
    } else if input.observed.infrastructure_template_not_found {
        missing(&spec.infrastructure_ref)
    } else {
        None
    }
}

impl OwnerAction {
    /// Notes the preflight checks that stand in the way.
    fn blocked_by(&mut self, preflight: &Preflight) {
        self.obstacles = preflight.obstacles();
        self.error.clone_from(&preflight.error);
        self.requeue_after_milliseconds = preflight.error.is_none().then_some(CHECKED_AGAIN_AFTER.saturating_mul(1000));
    }
}
