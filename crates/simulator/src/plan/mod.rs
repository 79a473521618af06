//! The way from the state now to the end of a rollout or remediation: what is decided is carried out until nothing happens.

mod owner;
mod patch;
mod phase;
mod stop;

pub use owner::{Available, EtcdMembers, Machines, OwnerPlan, Replaced};
pub use patch::apply;
pub use phase::{MachinePlan, Phase, Turn};
pub use stop::Stop;

use self::owner::{Span, Watched};
use crate::change::Step;
use crate::model::Steady;
use crate::simulation::{Error, Simulation};
use crate::state::State;
use capi_policy::fleet::Subject;
use capi_policy::time::Time;
use capi_policy::{Evaluation, Profile};
use serde::Serialize;
use std::collections::BTreeMap;

/// What to plan, and on which terms.
#[derive(Clone, Debug)]
pub struct Request {
    /// The owners to plan for; all of them when there are none.
    pub owners: Vec<Subject>,
    /// The time to start at.
    pub now: Time,
    /// How far to look.
    pub until: Time,
    /// Which rules apply.
    pub profile: Profile,
    /// How long machines take.
    pub model: Steady,
    /// Whether an extension updates machines in place, whatever changes.
    pub in_place: bool,
}

/// The steps to the end, and what can be said about them.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// When it starts.
    pub start: Time,
    /// When the last step is done.
    pub end: Time,
    /// The rules that applied.
    pub profile: Profile,
    /// How long machines take.
    pub model: Steady,
    /// What it means for each owner of machines.
    pub owners: Vec<OwnerPlan>,
    /// What happens, in order.
    pub steps: Vec<Step>,
    /// The lives of the machines meanwhile.
    pub machines: Vec<MachinePlan>,
    /// What was not known.
    pub assumptions: Vec<String>,
}

/// Plans from a state, to which changes were made already.
pub fn plan(mut state: State, request: &Request, mut assumptions: Vec<String>) -> Result<Plan, Error> {
    if request.in_place {
        patch::allow_in_place(&mut state)?;
        assumptions.push("an extension takes every change and updates machines in place".to_owned());
    }
    let mut simulation = Simulation::new(state, request.model, request.now, request.profile)?;
    let mut decisions: BTreeMap<Subject, Evaluation> = BTreeMap::new();
    let mut watched = Watched::new(&simulation.state, &request.owners);
    // What is there before anybody decides is what the plan is measured by.
    watched.before(&simulation.state);
    simulation.settle_machines(&mut |_, _, _| {})?;
    watched.sample(&simulation.state, simulation.now());
    loop {
        simulation.settle(&mut |_, subject, evaluation| drop(decisions.insert(subject.clone(), evaluation.clone())))?;
        watched.sample(&simulation.state, simulation.now());
        if !simulation.advance(request.until) {
            break;
        }
        if request.in_place {
            patch::allow_in_place(&mut simulation.state)?;
        }
    }
    let steps = watched.relevant(simulation.take_steps());
    let end = steps.last().map_or(request.now, |step| step.time);
    let over = !simulation.moves_machines();
    assumptions.push(request.model.to_string());
    Ok(Plan {
        start: request.now,
        end,
        profile: request.profile,
        model: request.model,
        owners: watched.owners(&simulation.state, &decisions, &steps, Span { start: request.now, over }),
        steps,
        machines: watched.machines(),
        assumptions,
    })
}
