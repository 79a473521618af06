//! The MachineSets of a MachineDeployment while a step of its rollout is planned.

use super::Input;
use super::max_unavailable::{max_surge, may_be_unavailable};
use crate::rules::template_difference::{self, Difference};
use crate::sorted::Sorted;
use crate::time::Time;
use crate::view::{Machine, MachineSet, annotation};
use std::collections::BTreeMap;

/// The name of a MachineSet that does not exist yet.
pub const NEW: &str = "<new>";

/// A MachineSet and what becomes of it.
#[derive(Clone, Debug)]
pub struct Set<'a> {
    /// The MachineSet; `None` for one that does not exist yet.
    pub stored: Option<&'a MachineSet<'a>>,
    /// How many machines it wants now.
    pub spec: i64,
    /// How many it is to want; `None` for as many.
    pub intent: Option<i64>,
    /// Annotations that the planner sets.
    pub annotations: BTreeMap<&'static str, String>,
    /// Why, for people.
    pub notes: Vec<String>,
    /// How its template differs from the wanted one.
    pub differences: Vec<Difference>,
    /// Whether its machines could be updated in place.
    pub eligible: bool,
}

impl<'a> Set<'a> {
    /// A MachineSet that does not exist yet.
    pub fn new() -> Self {
        Self {
            stored: None,
            spec: 0,
            intent: None,
            annotations: BTreeMap::new(),
            notes: Vec::new(),
            differences: Vec::new(),
            eligible: false,
        }
    }

    fn of(stored: &'a MachineSet<'a>, differences: Vec<Difference>) -> Self {
        let spec = stored.spec.replicas.unwrap_or(0);
        let eligible = !differences.is_empty();
        Self { stored: Some(stored), spec, differences, eligible, ..Self::new() }
    }

    /// Its name.
    pub fn name(&self) -> &'a str {
        self.stored.map_or(NEW, |stored| &stored.metadata.name)
    }

    /// How many machines it has.
    pub fn replicas(&self) -> i64 {
        self.stored.and_then(|stored| stored.status.replicas).unwrap_or(0)
    }

    /// How many of them are available.
    pub fn available(&self) -> i64 {
        self.stored.and_then(|stored| stored.status.available_replicas).unwrap_or(0)
    }

    /// How many of them are up to date.
    pub fn up_to_date(&self) -> i64 {
        self.stored.and_then(|stored| stored.status.up_to_date_replicas).unwrap_or(0)
    }

    /// How many machines it is to want.
    pub fn wanted(&self) -> i64 {
        self.intent.unwrap_or(self.spec)
    }

    /// When it was created; a new one is younger than all others.
    pub fn created(&self) -> (bool, Option<Time>) {
        (self.stored.is_none(), self.stored.and_then(|stored| stored.metadata.creation_timestamp))
    }

    /// Notes why something becomes of it, once.
    pub fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// The MachineSets, and which of them is the current one.
pub struct Plan<'a> {
    /// The MachineDeployment and what belongs to it.
    pub input: &'a Input<'a>,
    /// The current MachineSet.
    pub current: Option<Set<'a>>,
    /// The others, in the order in which they are looked at.
    pub old: Vec<Set<'a>>,
    /// The revision of the current one.
    pub revision: String,
    /// Machines that came from other MachineSets and are counted from now on.
    pub acknowledged: Vec<String>,
    /// Machines that are updated in place.
    pub updating: Vec<String>,
    /// Whether machines come, go or are updated already; known once it matters.
    pub busy_before: bool,
    /// The time of the evaluation.
    pub now: Time,
}

/// MachineSets as Cluster API looks for the current one: the largest first, then the oldest, then by name.
pub fn by_size<'a>(input: &Input<'a>) -> Vec<&'a MachineSet<'a>> {
    let mut sets = input.machine_sets.clone();
    sets.order_by(|a, b| {
        let oldest = a.metadata.creation_timestamp.cmp(&b.metadata.creation_timestamp);
        b.spec.replicas.cmp(&a.spec.replicas).then(oldest).then_with(|| a.metadata.name.cmp(&b.metadata.name))
    });
    sets
}

impl<'a> Plan<'a> {
    /// Nothing planned yet.
    pub fn new(input: &'a Input<'a>, now: Time) -> Self {
        Self {
            input,
            current: None,
            old: Vec::new(),
            revision: String::new(),
            acknowledged: Vec::new(),
            updating: Vec::new(),
            busy_before: false,
            now,
        }
    }

    /// A MachineSet with its differences from what the MachineDeployment wants.
    pub fn compared(&self, stored: &'a MachineSet<'a>) -> Set<'a> {
        let wanted = &self.input.object.spec.template;
        Set::of(stored, template_difference::differences(&stored.spec.template, wanted))
    }

    /// Whether machines of MachineSets that were created earlier have to be replaced, whatever their template.
    pub fn rollout_after(&self) -> Option<Time> {
        self.input.object.spec.rollout.after.filter(|after| *after <= self.now)
    }

    /// `spec.replicas` of the MachineDeployment.
    pub fn wanted(&self) -> i64 {
        self.input.object.spec.replicas.unwrap_or(0)
    }

    /// `maxSurge` in machines.
    pub fn max_surge(&self) -> i64 {
        max_surge(self.input.object, self.wanted())
    }

    /// The machines that have to stay available.
    pub fn min_available(&self) -> i64 {
        let unavailable = may_be_unavailable(self.input.object, self.wanted());
        self.wanted().saturating_sub(unavailable).max(0)
    }

    /// The MachineSets, the current one last.
    pub fn all(&self) -> impl Iterator<Item = &Set<'a>> + Clone {
        self.old.iter().chain(&self.current)
    }

    /// A number of all MachineSets.
    pub fn sum(&self, number: impl Fn(&Set<'a>) -> i64) -> i64 {
        self.all().map(number).fold(0, i64::saturating_add)
    }

    /// A number of the old MachineSets.
    pub fn sum_of_old(&self, number: impl Fn(&Set<'a>) -> i64) -> i64 {
        self.old.iter().map(number).fold(0, i64::saturating_add)
    }

    /// A number of the current MachineSet.
    pub fn of_current(&self, number: impl Fn(&Set<'a>) -> i64) -> i64 {
        self.current.as_ref().map_or(0, number)
    }

    /// Machines there are or will be.
    pub fn machines(&self) -> i64 {
        self.sum(|set| set.spec.max(set.replicas()))
    }

    /// Available machines.
    pub fn available(&self) -> i64 {
        self.sum(Set::available)
    }

    /// Machines that go anyway, from this step or an earlier one.
    pub fn going(&self) -> i64 {
        self.sum(|set| set.replicas().saturating_sub(set.spec.min(set.wanted())).max(0))
    }

    /// How many machines of old MachineSets may go now, availability of each aside.
    pub fn room(&self) -> i64 {
        let unavailable = self.of_current(|set| set.spec.saturating_sub(set.available()).max(0));
        let room = self.sum(|set| set.spec).saturating_sub(self.going());
        room.saturating_sub(self.min_available()).saturating_sub(unavailable).max(0)
    }

    /// Old MachineSets from the oldest on.
    pub fn sort_by_age(&mut self) {
        self.old.order_by(|a, b| a.created().cmp(&b.created()).then_with(|| a.name().cmp(b.name())));
    }

    /// Counts machines that came to the current MachineSet.
    pub fn acknowledge_moves(&mut self) {
        if !self.input.observed.feature_gates.in_place_updates {
            return;
        }
        let Some(current) = &mut self.current else { return };
        let before = current.stored.and_then(|stored| stored.metadata.annotation(annotation::ACKNOWLEDGED_MOVE));
        let counted = |name: &str| before.is_some_and(|list| list.split(',').any(|other| other == name));
        let mut marked: Vec<_> =
            self.input.machines.iter().copied().filter(|m| moved_to(m, current)).map(name).collect();
        marked.order_by(Ord::cmp);
        self.acknowledged = marked.iter().filter(|name| !counted(name)).map(|name| (*name).to_owned()).collect();
        let count = i64::try_from(self.acknowledged.len()).unwrap_or(i64::MAX);
        if count > 0 {
            current.spec = current.spec.saturating_add(count);
            current.note(format!("acknowledge Machines {} moved from an old MachineSet", marked.join(",")));
        }
        if !marked.is_empty() {
            current.annotations.insert(annotation::ACKNOWLEDGED_MOVE, marked.join(","));
        }
    }

    /// Scales old MachineSets down: first as many machines as are not available, then all, as long as enough stay available.
    pub fn scale_down_old(&mut self) {
        let (mut room, mut available) = (self.room(), self.available());
        self.sort_by_age();
        for only_unavailable in [true, false] {
            for set in 0..self.old.len() {
                self.scale_down(set, only_unavailable, &mut room, &mut available);
            }
        }
    }

    fn scale_down(&mut self, set: usize, only_unavailable: bool, room: &mut i64, available: &mut i64) {
        let min_available = self.min_available();
        let Some(set) = self.old.get_mut(set) else { return };
        let wanted = set.wanted();
        let most = if only_unavailable { wanted.saturating_sub(set.available()).max(0) } else { wanted };
        let mut count = most.min(*room);
        if *room <= 0 || wanted <= 0 || count == 0 {
            return;
        }
        let before = *available;
        let deleted = |wanted: i64| set.replicas().saturating_sub(wanted).max(0);
        if set.available() > 0 && deleted(wanted.saturating_sub(count).max(0)) > 0 {
            let mut going = deleted(wanted.saturating_sub(count).max(0));
            let may_go = available.saturating_sub(min_available);
            if may_go < going {
                let kept = set.replicas().saturating_sub(may_go.max(0)).min(wanted);
                count = wanted.saturating_sub(kept).max(0);
                going = deleted(kept);
            }
            // Nobody knows which machines the MachineSet will delete: each of them may be available.
            *available = available.saturating_sub(set.available().min(going));
        }
        if count > 0 {
            set.note(if before == *available {
                "scale down to align to existing Machines or scale down by removing unavailable replicas \
                 (and no available replicas exist on the MachineSet)"
                    .to_owned()
            } else {
                format!("{before} available replicas > {min_available} minimum available replicas")
            });
            set.intent = Some(wanted.saturating_sub(count).max(0));
            *room = room.saturating_sub(count).max(0);
        }
    }

    /// Scales old MachineSets down to what users left of them, and further from the oldest on where there are too many.
    pub fn scale_down_on_delete(&mut self) {
        let total = self.sum_of_old(|set| set.spec).saturating_add(self.of_current(Set::wanted));
        let mut excess = total.saturating_sub(self.wanted()).max(0);
        self.sort_by_age();
        for set in self.old.iter_mut().filter(|set| set.spec > 0) {
            let gone = set.spec.saturating_sub(set.replicas()).max(0);
            if gone > 0 {
                set.note("scale down to align to existing Machines".to_owned());
                set.intent = Some(set.spec.saturating_sub(gone).max(0));
                excess = excess.saturating_sub(gone);
            }
        }
        for set in &mut self.old {
            let count = set.wanted().min(excess);
            if count > 0 {
                set.note("scale down to align MachineSet spec.replicas to MachineDeployment spec.replicas".to_owned());
                // From the spec, not from what was just cut off: Cluster API gives a part of it back.
                set.intent = Some(set.spec.saturating_sub(count).max(0));
                excess = excess.saturating_sub(count);
            }
        }
    }

    /// Whether machines come, go or are updated; notes those that are updated.
    pub fn busy(&mut self) -> bool {
        if self.of_current(|set| set.spec) != self.of_current(Set::replicas) {
            return true;
        }
        if self.old.iter().any(|set| set.spec < set.replicas() || set.wanted() < set.spec) {
            return true;
        }
        if self.of_current(|set| set.spec) != self.of_current(Set::up_to_date) {
            return true;
        }
        let updating = self.input.machines.iter().copied().filter(|machine| machine.updating_in_place());
        self.updating = updating.map(|machine| name(machine).to_owned()).collect();
        self.updating.order_by(Ord::cmp);
        !self.updating.is_empty() || self.of_current(|set| set.spec) != self.of_current(Set::available)
    }

    /// The first old MachineSet with machines that are not available.
    pub fn first_unavailable(&mut self) -> Option<&mut Set<'a>> {
        self.old.iter_mut().find(|set| set.available() != set.replicas() && set.spec != 0)
    }
}

fn name<'a>(machine: &'a Machine<'_>) -> &'a str {
    &machine.metadata.name
}

fn moved_to(machine: &Machine<'_>, set: &Set<'_>) -> bool {
    let Some(stored) = set.stored else { return false };
    let owners = machine.metadata.owner_references.iter();
    let mut owners = owners.filter(|owner| owner.controller && owner.kind == *"MachineSet");
    machine.metadata.annotation(annotation::PENDING_ACKNOWLEDGE_MOVE).is_some()
        && owners.any(|owner| owner.name == stored.metadata.name)
}
