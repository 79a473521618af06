//! The smallest scenario that still shows what must not be.

use super::{Day, Terms};
use crate::property::Demand;
use crate::scenario::{Duration, Infrastructure, Scenario, Share, Span};
use crate::simulation::Error;

/// So many days are tried at most.
const MOST_RUNS: usize = 400;

/// What is left of a scenario.
pub struct Shrunk {
    /// The scenario.
    pub scenario: Scenario,
    /// Its day.
    pub day: Day,
    /// How many days were tried.
    pub runs: usize,
}

/// Takes away from the scenario what the failure does not need, as long as the day of that seed does not meet the demand.
pub fn shrink(terms: Terms<'_>, seed: u64, demand: &Demand) -> Result<Shrunk, Error> {
    let mut scenario = terms.scenario.clone();
    (scenario.compare, scenario.never, scenario.always) = (Vec::new(), Vec::new(), Vec::new());
    let own = if demand.always { &mut scenario.always } else { &mut scenario.never };
    own.push(demand.property.to_string());
    let mut best = Shrunk { day: Terms { scenario: &scenario, ..terms }.day(seed)?, scenario, runs: 1 };
    let mut smaller = true;
    while smaller {
        smaller = false;
        for candidate in candidates(&best.scenario) {
            let valid = candidate != best.scenario && Scenario::read(&candidate.value()).is_ok();
            if !valid || (terms.given.is_none() && !candidate.has_fleet()) {
                continue;
            }
            if best.runs >= MOST_RUNS {
                return Ok(best);
            }
            best.runs += 1;
            let day = Terms { scenario: &candidate, ..terms }.day(seed)?;
            if !demand.is_met(&day) {
                (best.scenario, best.day, smaller) = (candidate, day, true);
                break;
            }
        }
    }
    Ok(best)
}

/// Smaller scenarios, those first that take away most.
fn candidates(from: &Scenario) -> Vec<Scenario> {
    let mut found = Vec::new();
    let mut with = |change: &dyn Fn(&mut Scenario)| {
        let mut scenario = from.clone();
        change(&mut scenario);
        found.push(scenario);
    };
    with(&|s| s.clusters = 1);
    with(&|s| s.clusters /= 2);
    with(&|s| s.infrastructure = Infrastructure::default());
    with(&|s| s.control_plane = None);
    for name in from.machine_deployments.keys() {
        with(&|s| drop(s.machine_deployments.remove(name)));
    }
    for name in from.health_checks.keys() {
        with(&|s| drop(s.health_checks.remove(name)));
    }
    for i in 0..from.incidents.len() {
        with(&|s| drop(s.incidents.remove(i)));
    }
    with(&|s| s.infrastructure.flapping = None);
    with(&|s| s.infrastructure.deaths_per_day = Share(0));
    with(&|s| s.infrastructure.failed_boots = Share(0));
    with(&|s| s.infrastructure.boot = Duration::fixed(s.infrastructure.boot.median.0));
    with(&|s| s.infrastructure.drain = Duration::fixed(s.infrastructure.drain.median.0));
    for name in from.machine_deployments.keys() {
        for smaller in [|n: u32| n / 2, |n: u32| n - n / 4, |n: u32| n.saturating_sub(1)] {
            with(&|s| {
                if let Some(deployment) = s.machine_deployments.get_mut(name) {
                    deployment.replicas = smaller(deployment.replicas);
                }
            });
        }
    }
    for i in 0..from.zones.len() {
        with(&|s| drop(s.zones.remove(i)));
    }
    for shorter in [|n: i64| n / 2, |n: i64| n - n / 4] {
        // On whole minutes, as people write them.
        with(&|s| s.horizon = Span((shorter(s.horizon.0) / 60).max(1) * 60));
    }
    found
}
