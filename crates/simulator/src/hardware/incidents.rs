//! What happens at a certain time.

use super::life::{Causes, Owner, Phase};
use super::{Hardware, reach};
use crate::change::Change;
use crate::model::World;
use crate::object::member;
use crate::scenario::{Incident, Span};
use capi_policy::fleet::ObjectRef;
use capi_policy::{Error, Kind};
use serde_json::json;

/// Whether a scenario means this owner.
pub fn is(owner: &Owner, of: &str) -> bool {
    let control_plane = owner.object.place.decidable() == Some(Kind::KubeadmControlPlane);
    (control_plane && of == "controlPlane") || owner.object.name == of
}

impl Hardware<'_> {
    /// An incident begins.
    pub(super) fn begin(&mut self, number: usize, world: &mut World<'_>) -> Result<(), Error> {
        let scenario = self.scenario;
        let Some(incident) = scenario.incidents.get(number) else { return Ok(()) };
        world.changes.push(Change::Incident { what: incident.line() });
        let end = incident.end().map(|Span(end)| scenario.start.plus(end));
        match incident {
            Incident::ZoneCutOff { zone, .. } => {
                let Some(zone) = scenario.zones.iter().position(|known| known == zone) else { return Ok(()) };
                if let Some(end) = end {
                    let known = self.dark.entry(zone).or_insert(end);
                    *known = (*known).max(end);
                }
                self.change_zone(zone, true, world)
            }
            Incident::MachinesFail { of, count, .. } => {
                let now = world.now;
                for name in self.first_of(of, *count) {
                    self.change(&name, world, |life| {
                        if end.is_none() {
                            life.die(now);
                        } else {
                            life.causes.set(Causes::INCIDENT, true);
                            life.hit_by = Some(number);
                        }
                    })?;
                }
                Ok(())
            }
            Incident::ApiServerUnreachable { .. } => {
                let Some(end) = end else { return Ok(()) };
                self.change_reach(world, |reach| reach.cut_until(end))
            }
            Incident::Rollout { of, version, bad_image, .. } => self.roll_out(of, version, *bad_image, world),
        }
    }

    /// An incident is over.
    pub(super) fn end(&mut self, number: usize, world: &mut World<'_>) -> Result<(), Error> {
        let scenario = self.scenario;
        let Some(incident) = scenario.incidents.get(number) else { return Ok(()) };
        match incident {
            Incident::ZoneCutOff { zone, .. } => {
                let Some(zone) = scenario.zones.iter().position(|known| known == zone) else { return Ok(()) };
                // Another incident may keep it dark for longer.
                if self.dark.get(&zone).is_some_and(|back| *back > world.now) {
                    return Ok(());
                }
                self.dark.remove(&zone);
                world.changes.push(Change::Incident { what: incident.end_line() });
                self.change_zone(zone, false, world)
            }
            Incident::MachinesFail { .. } => {
                world.changes.push(Change::Incident { what: incident.end_line() });
                for name in self.named(|life| life.hit_by == Some(number)) {
                    self.change(&name, world, |life| life.causes.set(Causes::INCIDENT, false))?;
                }
                Ok(())
            }
            Incident::ApiServerUnreachable { .. } => {
                let now = world.now;
                world.changes.push(Change::Incident { what: incident.end_line() });
                self.change_reach(world, |reach| reach.end_cut(now))
            }
            Incident::Rollout { .. } => Ok(()),
        }
    }

    fn change_zone(&mut self, zone: usize, dark: bool, world: &mut World<'_>) -> Result<(), Error> {
        let there = self.named(|life| life.zone == Some(zone) && life.phase == Phase::Up);
        there.iter().try_for_each(|name| self.change(name, world, |life| life.causes.set(Causes::ZONE, dark)))
    }

    fn change_reach(&mut self, world: &mut World<'_>, change: impl Fn(&mut reach::Reach)) -> Result<(), Error> {
        let clusters: Vec<_> = self.reach.keys().cloned().collect();
        for cluster in clusters {
            self.with_reach(&cluster, world, &change)?;
        }
        Ok(())
    }

    fn roll_out(&mut self, of: &str, version: &str, bad_image: bool, world: &mut World<'_>) -> Result<(), Error> {
        if bad_image {
            self.bad_images.push((of.to_owned(), version.to_owned()));
        }
        for owner in self.owners.iter().filter(|owner| is(owner, of)) {
            let path: &[&str] = match owner.object.place.decidable() {
                Some(Kind::KubeadmControlPlane) => &["spec"],
                _ => &["spec", "template", "spec"],
            };
            world.state.edit(&owner.object, |object| {
                member(object, path).insert("version".to_owned(), json!(version));
            })?;
        }
        Ok(())
    }

    fn named(&self, fits: impl Fn(&super::Life) -> bool) -> Vec<ObjectRef> {
        self.lives.iter().filter(|(_, life)| fits(life)).map(|(name, _)| name.clone()).collect()
    }

    /// The first machines that work, of each such owner.
    fn first_of(&self, of: &str, count: u32) -> Vec<ObjectRef> {
        let mut found = Vec::new();
        for (i, _) in self.owners.iter().enumerate().filter(|(_, owner)| is(owner, of)) {
            let lives = self.lives.iter().filter(|(_, life)| life.owner == i && life.counts());
            let mut lives: Vec<_> = lives.map(|(name, life)| (life.slot, name.clone())).collect();
            lives.sort();
            found.extend(lives.into_iter().take(usize::try_from(count).unwrap_or(usize::MAX)).map(|(_, name)| name));
        }
        found
    }
}
