//! The machines behind the Machines: which of them work, which are silent or dead, and what happens to them next.

mod incidents;
mod life;
mod reach;
mod report;

pub use life::{Deleted, Life, Owner, Phase};

use self::life::{Causes, chance};
use self::reach::Reach;
use crate::change::Change;
use crate::machine::{CONTROL_PLANE_NAME, workload_cluster};
use crate::model::{Happening, Model, World};
use crate::object::{self, label, text};
use crate::queue::Due;
use crate::scenario::Scenario;
use capi_policy::fleet::{ObjectRef, WorkloadCluster};
use capi_policy::time::Time;
use capi_policy::view::label as labels;
use capi_policy::{Error, Kind};
use serde_json::Value;
use std::collections::BTreeMap;

/// A stream that belongs to a slot, whoever has it.
const OF_SLOT: u32 = u32::MAX;

/// The machines of a scenario.
pub struct Hardware<'s> {
    scenario: &'s Scenario,
    seed: u64,
    cluster: u32,
    lives: BTreeMap<ObjectRef, Life>,
    owners: Vec<Owner>,
    reach: BTreeMap<WorkloadCluster, Reach>,
    /// When each zone that is cut off is back.
    dark: BTreeMap<usize, Time>,
    /// Owners and the versions of which no machine comes up.
    bad_images: Vec<(String, String)>,
    deleted: Vec<Deleted>,
}

impl<'s> Hardware<'s> {
    /// The machines of one of the scenario's clusters on the day of that seed.
    pub fn new(scenario: &'s Scenario, seed: u64, cluster: u32) -> Self {
        Self {
            scenario,
            seed,
            cluster,
            lives: BTreeMap::new(),
            owners: Vec::new(),
            reach: BTreeMap::new(),
            dark: BTreeMap::new(),
            bad_images: Vec::new(),
            deleted: Vec::new(),
        }
    }

    /// Owners, in the order in which they were met.
    pub fn owners(&self) -> &[Owner] {
        &self.owners
    }

    /// The machines that were deleted since the last call.
    pub fn take_deleted(&mut self) -> Vec<Deleted> {
        std::mem::take(&mut self.deleted)
    }

    /// The machines that are there.
    pub fn lives(&self) -> impl Iterator<Item = (&ObjectRef, &Life)> {
        self.lives.iter()
    }

    fn owner_number(&mut self, machine: &Value) -> usize {
        let owner = owner_of(machine);
        self.owners.iter().position(|known| known.object == owner).unwrap_or_else(|| {
            self.owners.push(Owner::new(owner));
            self.owners.len() - 1
        })
    }

    /// Begins a machine's life, or finds it.
    fn life(&mut self, object: &Value, now: Time) -> &mut Life {
        let name = object::reference(object, None);
        if !self.lives.contains_key(&name) {
            let owner = self.owner_number(object);
            let (slot, incarnation) = self.owners[owner].take_slot();
            let zone = self.zone(text(object, "/spec/failureDomain"), slot);
            let mut life = Life {
                owner,
                slot,
                incarnation,
                zone,
                node: Some(text(object, "/status/nodeRef/name"))
                    .filter(|node| !node.is_empty())
                    .unwrap_or(&name.name)
                    .to_owned(),
                cluster: workload_cluster(object),
                phase: Phase::Booting,
                causes: Causes::default(),
                silent_since: None,
                reported: false,
                broken_since: None,
                hit_by: None,
                deleted: false,
                chance: chance(self.seed, self.cluster, owner, slot, incarnation),
            };
            let failed = life.chance.happens(self.scenario.infrastructure.failed_boots.0);
            if failed || self.has_bad_image(owner, text(object, "/spec/version")) {
                (life.phase, life.broken_since) = (Phase::Stillborn, Some(now));
            }
            self.lives.insert(name.clone(), life);
        }
        self.lives.get_mut(&name).unwrap_or_else(|| unreachable!("inserted above"))
    }

    /// The zone of a machine: of one that names none, by its place in its owner. One that names another zone is in none of these.
    fn zone(&self, named: &str, slot: u32) -> Option<usize> {
        let zones = &self.scenario.zones;
        if named.is_empty() {
            return usize::try_from(slot).ok()?.checked_rem(zones.len());
        }
        zones.iter().position(|zone| zone == named)
    }

    fn has_bad_image(&self, owner: usize, version: &str) -> bool {
        let bad = |(of, bad): &(String, String)| bad == version && incidents::is(&self.owners[owner], of);
        self.bad_images.iter().any(bad)
    }

    /// Changes a machine and what follows from it: capacity, its Node later, and etcd's quorum.
    fn change(&mut self, name: &ObjectRef, world: &mut World<'_>, change: impl FnOnce(&mut Life)) -> Result<(), Error> {
        let Some(life) = self.lives.get_mut(name) else { return Ok(()) };
        let (counted, worked) = (life.counts(), life.works());
        change(life);
        let owner = life.owner;
        self.owners[owner].working += i64::from(life.counts()) - i64::from(counted);
        if life.works() == worked {
            return Ok(());
        }
        if life.works() {
            if life.silent_since.take().is_some() {
                world.changes.push(Change::MachineBack { machine: name.name.clone() });
            }
            self.report(name, world)?;
        } else {
            life.silent_since = Some(world.now);
            let why = life.causes.words();
            world.changes.push(Change::MachineSilent { machine: name.name.clone(), why });
            let at = world.now.plus(self.scenario.infrastructure.node_grace.0);
            world.queue.plan(at, Due::Model(Happening::Reported(name.clone(), world.now)));
        }
        self.check_quorum(owner, world)
    }

    /// Plans what happens to a machine that has just come up.
    fn plan_life(&mut self, name: &ObjectRef, world: &mut World<'_>) {
        let infrastructure = &self.scenario.infrastructure;
        let Some(life) = self.lives.get_mut(name) else { return };
        if let Some(seconds) = life.chance.waits(infrastructure.deaths_per_day.0) {
            plan(world, seconds, Happening::Dies(name.clone()));
        }
        let Some(flapping) = &infrastructure.flapping else { return };
        let flaps = if flapping.stays {
            chance(self.seed, self.cluster, life.owner, life.slot, OF_SLOT).happens(flapping.machines.0)
        } else {
            life.chance.happens(flapping.machines.0)
        };
        if flaps {
            let seconds = life.chance.about(flapping.up.0);
            plan(world, seconds, Happening::FallsSilent(name.clone()));
        }
    }

    /// A machine that flaps is down or up again, and plans its next turn.
    fn flap(&mut self, name: &ObjectRef, silent: bool, world: &mut World<'_>) -> Result<(), Error> {
        let Some(flapping) = &self.scenario.infrastructure.flapping else { return Ok(()) };
        self.change(name, world, |life| life.causes.set(Causes::FLAP, silent))?;
        let Some(life) = self.lives.get_mut(name) else { return Ok(()) };
        let seconds = life.chance.about(if silent { flapping.down.0 } else { flapping.up.0 });
        let next = if silent { Happening::IsBack } else { Happening::FallsSilent };
        plan(world, seconds, next(name.clone()));
        Ok(())
    }
}

/// Who wants a Machine to be there: what a capacity is counted for.
pub fn owner_of(machine: &Value) -> ObjectRef {
    let namespace = text(machine, "/metadata/namespace");
    let of = |kind: Kind, name: &str| ObjectRef::new((kind.group(), kind.name()), namespace, name);
    let plane = label(machine, CONTROL_PLANE_NAME).map(|name| of(Kind::KubeadmControlPlane, name));
    let deployment = || label(machine, labels::DEPLOYMENT_NAME).map(|name| of(Kind::MachineDeployment, name));
    let owner = plane.or_else(deployment).or_else(|| crate::state::owner_of(machine));
    owner.unwrap_or_else(|| of(Kind::MachineSet, ""))
}

/// Plans something for a moment that can be; in a fleet that lives long enough, everything dies.
fn plan(world: &mut World<'_>, seconds: i64, happening: Happening) {
    world.queue.plan(world.now.plus(seconds.max(1)), Due::Model(happening));
}

impl Model for Hardware<'_> {
    fn start(&mut self, world: &mut World<'_>) -> Result<(), Error> {
        let mut machines: Vec<_> = world.state.of_kind(Kind::Machine).map(|(name, _)| name.clone()).collect();
        // In the order in which people count: 2 before 10.
        machines.sort_by(|a, b| (a.name.len(), a).cmp(&(b.name.len(), b)));
        for name in machines {
            let Some(object) = world.state.get(&name) else { continue };
            let node = text(object, "/status/nodeRef/name");
            let cluster = workload_cluster(object);
            let ready = world.state.get(&ObjectRef::node(Some(cluster.clone()), node));
            let ready = ready.is_some_and(|node| object::has(node, "Ready", "True"));
            let up = !node.is_empty();
            let life = self.life(object, world.now);
            if up {
                (life.phase, life.broken_since) = (Phase::Up, None);
            }
            if up && !ready {
                life.causes.set(Causes::DEAD, true);
                (life.silent_since, life.broken_since, life.reported) = (Some(world.now), Some(world.now), true);
            }
            let (owner, counts) = (life.owner, life.counts());
            self.owners[owner].working += i64::from(counts);
            self.reach.entry(cluster).or_default();
            if up {
                self.plan_life(&name, world);
            }
        }
        for (i, incident) in self.scenario.incidents.iter().enumerate() {
            let start = self.scenario.start;
            world.queue.plan(start.plus(incident.at().0), Due::Model(Happening::Begins(i)));
            if let Some(end) = incident.end() {
                world.queue.plan(start.plus(end.0), Due::Model(Happening::Ends(i)));
            }
        }
        Ok(())
    }

    fn boot(&mut self, machine: &Value, now: Time) -> Option<i64> {
        let duration = self.scenario.infrastructure.boot;
        let life = self.life(machine, now);
        let seconds = duration.draw(&mut life.chance);
        (life.phase == Phase::Booting).then_some(seconds)
    }

    fn drain(&mut self, machine: &Value, now: Time) -> Option<i64> {
        let duration = self.scenario.infrastructure.drain;
        let name = object::reference(machine, None);
        let life = self.life(machine, now);
        let seconds = duration.draw(&mut life.chance);
        if !life.deleted {
            let counted = life.counts();
            life.deleted = true;
            let (owner, slot, recovers) = (life.owner, life.slot, life.recovers());
            let broken_for = life.broken_since.map(|since| now.since(since));
            self.owners[owner].working -= i64::from(counted);
            self.owners[owner].free_slot(slot);
            self.deleted.push(Deleted { machine: name, owner, slot, recovers, broken_for });
        }
        Some(seconds)
    }

    fn update(&mut self, _: &Value) -> Option<i64> {
        Some(self.scenario.infrastructure.boot.median.0)
    }

    fn delay(&mut self, machine: &ObjectRef, now: Time) -> Option<i64> {
        let life = self.lives.get(machine)?;
        let dark = life.zone.and_then(|zone| self.dark.get(&zone)).map(|back| back.since(now));
        dark.or_else(|| self.reach.get(&life.cluster).and_then(|reach| reach.wait(now)))
    }

    fn up(&mut self, machine: &ObjectRef, world: &mut World<'_>) -> Result<(), Error> {
        self.change(machine, world, |life| life.phase = Phase::Up)?;
        self.plan_life(machine, world);
        Ok(())
    }

    fn gone(&mut self, machine: &ObjectRef, world: &mut World<'_>) -> Result<(), Error> {
        match self.lives.remove(machine) {
            Some(life) => self.check_quorum(life.owner, world),
            None => Ok(()),
        }
    }

    fn happen(&mut self, happening: Happening, world: &mut World<'_>) -> Result<(), Error> {
        match happening {
            Happening::Begins(incident) => self.begin(incident, world),
            Happening::Ends(incident) => self.end(incident, world),
            Happening::Dies(name) => {
                let now = world.now;
                self.change(&name, world, |life| life.die(now))
            }
            Happening::FallsSilent(name) => self.flap(&name, true, world),
            Happening::IsBack(name) => self.flap(&name, false, world),
            Happening::Reported(name, since) => {
                if self.lives.get(&name).is_some_and(|life| life.silent_since == Some(since)) {
                    self.report(&name, world)?;
                }
                Ok(())
            }
        }
    }
}
