//! Days, from beginning to end: many of them at once, the same whatever the number of threads.

mod figures;
mod parallel;
mod record;
mod seeds;
mod shrink;
mod spans;
mod summary;

pub use figures::{Blocked, Day, Event, LOOP, Loop, PARTS, Part, STARVED_SECONDS, Storm};
pub use parallel::in_parallel;
pub use seeds::Seeds;
pub use shrink::{Shrunk, shrink};
pub use summary::{Column, Summary, summary};

use self::record::Recorder;
use crate::hardware::Hardware;
use crate::object::{self, member};
use crate::scenario::{Scenario, objects};
use crate::simulation::{Error, Simulation};
use crate::state::State;
use capi_policy::Kind;
use capi_policy::fleet::{Assumption, Fleet, WorkloadCluster};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'t> {
    /// The day.
    pub scenario: &'t Scenario,
    /// Objects to start from, in place of the scenario's own fleet.
    pub given: Option<&'t [Value]>,
    /// Whether to keep everything that happens.
    pub events: bool,
}

impl Terms<'_> {
    /// How many clusters there are to run one after the other.
    pub fn clusters(&self) -> u32 {
        if self.given.is_some() { 1 } else { self.scenario.clusters }
    }

    /// Runs the day of a seed, all clusters one after the other.
    pub fn day(&self, seed: u64) -> Result<Day, Error> {
        let clusters: Result<Vec<_>, Error> = (0..self.clusters()).map(|cluster| self.cluster(seed, cluster)).collect();
        Ok(Day::together(seed, clusters?))
    }

    /// Runs the day of a seed in one cluster.
    pub fn cluster(&self, seed: u64, cluster: u32) -> Result<Day, Error> {
        let (mut simulation, mut recorder) = self.prepare(seed, cluster)?;
        let until = self.scenario.end();
        loop {
            simulation.settle(&mut |_, subject, evaluation| recorder.decided(subject, evaluation))?;
            let (now, steps) = (simulation.now(), simulation.take_steps());
            recorder.moment(now, steps, &mut simulation.model, &simulation.state);
            if !simulation.advance(until) {
                return Ok(recorder.finish(&simulation.model));
            }
        }
    }

    /// The objects as they are so many seconds after the start of the day, in the first cluster.
    pub fn objects_at(&self, seed: u64, seconds: i64) -> Result<Vec<Value>, Error> {
        let (mut simulation, _) = self.prepare(seed, 0)?;
        simulation.run(self.scenario.start.plus(seconds), &mut |_, _, _| {})?;
        Ok(simulation.state.objects().map(|(_, object)| object.clone()).collect())
    }

    fn prepare(&self, seed: u64, cluster: u32) -> Result<(Simulation<Hardware<'_>>, Recorder), Error> {
        let scenario = self.scenario;
        let mut fleet = Fleet::default();
        fleet.assume(Assumption::PresentKindsAreComplete);
        let mut state = State::new(fleet);
        match self.given {
            Some(given) => {
                let clusters = clusters_of_nodes(given);
                for object in given {
                    let is_node = object::text(object, "/kind") == "Node";
                    let cluster = clusters.get(object::text(object, "/metadata/name")).filter(|_| is_node);
                    state.put(object.clone(), cluster.cloned())?;
                }
                override_checks(&mut state, scenario)?;
            }
            None => {
                for object in objects::objects(scenario, cluster) {
                    state.put(object, None)?;
                }
            }
        }
        crate::fill(&mut state)?;
        let model = Hardware::new(scenario, seed, cluster);
        let simulation = Simulation::new(state, model, scenario.start, scenario.profile)?.patient();
        let name = if self.given.is_some() { "fleet".to_owned() } else { format!("c{}", cluster + 1) };
        let mut recorder = Recorder::new(seed, name, scenario.start, scenario.horizon.0, self.events);
        recorder.marked_before(&simulation.state);
        Ok((simulation, recorder))
    }
}

/// Where the Nodes are that Machines name.
fn clusters_of_nodes(given: &[Value]) -> BTreeMap<&str, WorkloadCluster> {
    let machines = given.iter().filter(|object| object::text(object, "/kind") == Kind::Machine.name());
    let named = machines.map(|machine| (object::text(machine, "/status/nodeRef/name"), machine));
    named.map(|(node, machine)| (node, crate::machine::workload_cluster(machine))).collect()
}

/// What the scenario says about health checks replaces what those that were given say.
fn override_checks(state: &mut State, scenario: &Scenario) -> Result<(), capi_policy::Error> {
    let checks: Vec<_> = state.of_kind(Kind::MachineHealthCheck).map(|(name, _)| name.clone()).collect();
    for name in checks {
        let Some(check) = scenario.health_checks.get(&name.name) else { continue };
        let spec = check.spec();
        state.edit(&name, |object| {
            for (field, value) in spec.as_object().into_iter().flatten() {
                let given = value.as_object().cloned().unwrap_or_else(Map::new);
                member(object, &["spec", field]).extend(given);
            }
        })?;
    }
    Ok(())
}
