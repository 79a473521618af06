//! Watches a simulation and counts.

use super::figures::{Blocked, Day, Event, PARTS, Part, Raw, STARVED_SECONDS};
use super::spans::Switch;
use crate::change::{Change, Step};
use crate::hardware::Hardware;
use crate::object;
use crate::state::State;
use capi_policy::fleet::{ObjectRef, Subject};
use capi_policy::time::Time;
use capi_policy::{Evaluation, Kind};
use std::collections::{BTreeMap, BTreeSet};

/// The table by which owners decide about machines that a health check has marked.
const OWNER_REMEDIATED: &str = "OwnerRemediated";

/// What somebody who could remediate decided last.
struct Verdict {
    blocked: bool,
    why: String,
}

/// Counts what happens in one cluster.
pub struct Recorder {
    start: Time,
    cluster: String,
    keep_events: bool,
    day: Day,
    last: Option<(i64, Sample)>,
    below: Switch,
    quorum_lost: Switch,
    blocked: Switch,
    /// What was decided since the last moment.
    heard: BTreeMap<(Subject, bool), Verdict>,
    open: BTreeMap<(Subject, bool), Blocked>,
    marked: BTreeSet<String>,
    /// How many were marked at this moment, also those that are deleted at once.
    most_marked: usize,
    slots: BTreeMap<String, u32>,
    replaced_at: Vec<i64>,
}

/// How things are at a moment.
#[derive(Clone, Copy, Default)]
struct Sample {
    wanted: i64,
    working: i64,
    missing: i64,
    marked: i64,
    blocked: bool,
}

impl Recorder {
    /// Begins at that moment.
    pub fn new(seed: u64, cluster: String, start: Time, seconds: i64, keep_events: bool) -> Self {
        let day =
            Day { seed, seconds, parts: vec![Part { working: i64::MAX, ..Part::default() }; PARTS], ..Day::default() };
        Self {
            start,
            cluster,
            keep_events,
            day,
            last: None,
            below: Switch::default(),
            quorum_lost: Switch::default(),
            blocked: Switch::default(),
            heard: BTreeMap::new(),
            open: BTreeMap::new(),
            marked: BTreeSet::new(),
            most_marked: 0,
            slots: BTreeMap::new(),
            replaced_at: Vec::new(),
        }
    }

    /// These machines were marked for remediation before the day began.
    pub fn marked_before(&mut self, state: &State) {
        let marked =
            state.of_kind(Kind::Machine).filter(|(_, machine)| object::has(machine, "OwnerRemediated", "False"));
        self.marked.extend(marked.map(|(name, _)| name.name.clone()));
    }

    /// Somebody decided.
    pub fn decided(&mut self, subject: &Subject, evaluation: &Evaluation) {
        self.day.decisions += 1;
        if subject.kind == Kind::MachineHealthCheck {
            let verdict = match (&evaluation.threshold, &evaluation.error) {
                (_, Some(error)) => Verdict { blocked: true, why: error.clone() },
                (Some(threshold), None) => Verdict {
                    blocked: !threshold.allowed && threshold.counted > 0,
                    why: format!(
                        "{} of {} machines unhealthy, {} configured",
                        threshold.counted, threshold.targets, threshold.configured
                    ),
                },
                (None, None) => Verdict { blocked: false, why: String::new() },
            };
            self.heard.insert((subject.clone(), false), verdict);
        }
        if subject.kind == Kind::MachineSet || subject.kind == Kind::KubeadmControlPlane {
            let mut actions = evaluation.owner_actions.iter().filter(|action| action.decision == OWNER_REMEDIATED);
            let held = actions.find(|action| action.steps.is_empty() && !action.machines.is_empty());
            let why = held.map(|action| format!("{} ({})", action.why, action.row)).unwrap_or_default();
            self.heard.insert((subject.clone(), true), Verdict { blocked: held.is_some(), why });
        }
    }

    /// Everything that happens at this moment has happened.
    pub fn moment(&mut self, now: Time, steps: Vec<Step>, hardware: &mut Hardware<'_>, state: &State) {
        let at = now.since(self.start);
        self.verdicts(at, &steps);
        self.count(at, &steps, hardware);
        if self.keep_events {
            for step in steps {
                self.day.events.push(self.event(at, step));
            }
        }
        let sample = self.sample(hardware, state);
        if self.day.machines == 0 {
            self.day.machines = u64::try_from(sample.wanted).unwrap_or(0);
        }
        self.spread(at);
        self.below.set(sample.missing > 0, at);
        self.blocked.set(sample.blocked, at);
        self.quorum_lost.set(hardware.owners().iter().any(|owner| owner.quorum_lost), at);
        self.last = Some((at, sample));
    }

    fn sample(&self, hardware: &Hardware<'_>, state: &State) -> Sample {
        let mut sample = Sample {
            marked: i64::try_from(self.most_marked).unwrap_or(i64::MAX),
            blocked: self.open.keys().any(|(_, held)| !held),
            ..Sample::default()
        };
        for owner in hardware.owners() {
            let wanted = state.get(&owner.object).map_or(0, |object| object::number(object, "/spec/replicas"));
            sample.wanted += wanted;
            sample.working += owner.working;
            sample.missing += (wanted - owner.working).max(0);
        }
        sample
    }

    /// Adds how things have been since the last moment to the parts of the day.
    fn spread(&mut self, until: i64) {
        let Some((from, sample)) = self.last else { return };
        self.day.missing_machine_seconds += sample.missing * (until - from);
        let parts = i64::try_from(PARTS).unwrap_or(1);
        let part_of = |at: i64| usize::try_from(at * parts / self.day.seconds.max(1)).unwrap_or(0).min(PARTS - 1);
        let (first, last) = (part_of(from), part_of((until - 1).max(from)));
        for part in &mut self.day.parts[first..=last] {
            part.wanted = part.wanted.max(sample.wanted);
            part.working = part.working.min(sample.working);
            part.marked = part.marked.max(sample.marked);
            part.blocked |= sample.blocked;
        }
    }

    fn count(&mut self, at: i64, steps: &[Step], hardware: &mut Hardware<'_>) {
        for step in steps {
            if let Change::MachineUnhealthy { machine } = &step.change {
                self.marked.insert(machine.clone());
            }
        }
        self.most_marked = self.marked.len();
        for deleted in hardware.take_deleted() {
            if !self.marked.remove(&deleted.machine.name) {
                self.day.rolled_out += 1;
                continue;
            }
            self.day.replaced += 1;
            self.day.needless += u64::from(deleted.recovers);
            self.day.starved += u64::from(deleted.broken_for.is_some_and(|seconds| seconds > STARVED_SECONDS));
            let slot = self.slot(&hardware.owners()[deleted.owner].object, deleted.slot);
            *self.slots.entry(slot).or_default() += 1;
            self.replaced_at.push(at);
            let parts = i64::try_from(PARTS).unwrap_or(1);
            let part = usize::try_from(at * parts / self.day.seconds.max(1)).unwrap_or(0).min(PARTS - 1);
            self.day.parts[part].replaced += 1;
        }
    }

    fn slot(&self, owner: &ObjectRef, slot: u32) -> String {
        format!("{}/{}/{}", self.cluster, owner.name, u64::from(slot) + 1)
    }

    fn verdicts(&mut self, at: i64, steps: &[Step]) {
        for (key, verdict) in std::mem::take(&mut self.heard) {
            if verdict.blocked {
                let by = format!("{} {}/{}", key.0.kind, key.0.namespace, key.0.name);
                let new = Blocked { by, from: at, until: None, why: verdict.why, ended_by: String::new() };
                self.open.entry(key).or_insert(new);
            } else if let Some(mut blocked) = self.open.remove(&key) {
                blocked.until = Some(at);
                blocked.ended_by = ended_by(steps);
                self.close(key.1, blocked);
            }
        }
    }

    fn close(&mut self, held: bool, blocked: Blocked) {
        if held { self.day.held.push(blocked) } else { self.day.blocked.push(blocked) }
    }

    fn event(&self, at: i64, step: Step) -> Event {
        Event {
            at,
            cluster: self.cluster.clone(),
            what: step.change.line(),
            by: step.by.map(|by| format!("{} {}", by.kind, by.name)).unwrap_or_default(),
            row: step.row,
            machine: step.change.machine().unwrap_or_default().to_owned(),
        }
    }

    /// The day is over.
    pub fn finish(mut self, hardware: &Hardware<'_>) -> Day {
        let end = self.day.seconds;
        self.spread(end);
        let now = self.start.plus(end);
        let starved = hardware.lives().filter(|(_, life)| {
            !life.deleted && life.broken_since.is_some_and(|since| now.since(since) > STARVED_SECONDS)
        });
        self.day.starved += u64::try_from(starved.count()).unwrap_or(0);
        for ((_, held), blocked) in std::mem::take(&mut self.open) {
            self.close(held, blocked);
        }
        self.day.spans = Raw {
            below: self.below.finish(end),
            blocked: self.blocked.finish(end),
            quorum_lost: self.quorum_lost.finish(end),
            replaced_at: self.replaced_at,
            slots: self.slots,
        };
        self.day
    }
}

type Fits = fn(&Change) -> bool;

/// What of a moment can have ended a blockage, in words.
fn ended_by(steps: &[Step]) -> String {
    let mut words: Vec<String> = Vec::new();
    let incidents = steps.iter().filter_map(|step| match &step.change {
        Change::Incident { what } => Some(what.clone()),
        _ => None,
    });
    words.extend(incidents);
    let kinds: [(Fits, &str); 4] = [
        (|change| matches!(change, Change::MachineBack { .. }), "recovered"),
        (|change| matches!(change, Change::MachineUp { .. }), "came up"),
        (|change| matches!(change, Change::MachineDeleting { .. }), "deleted"),
        (|change| matches!(change, Change::MachineGone { .. }), "gone"),
    ];
    for (fits, word) in kinds {
        match steps.iter().filter(|step| fits(&step.change)).count() {
            0 => {}
            1 => words.push(format!("1 machine {word}")),
            count => words.push(format!("{count} machines {word}")),
        }
    }
    if words.is_empty() { "time".to_owned() } else { words.join(", ") }
}
