//! What became of a day, in figures.

use super::spans::{Spans, union};
use serde::Serialize;
use std::collections::BTreeMap;

/// Into how many parts a day is divided for its picture.
pub const PARTS: usize = 96;
/// So often the same place has to be replaced to count as a loop.
pub const LOOP: u32 = 3;
/// A machine that can't recover starves when nobody replaces it for longer than this many seconds.
pub const STARVED_SECONDS: i64 = 3_600;
/// So many seconds a storm is counted in, and so many machines it takes at least, or a tenth of the fleet.
const STORM_SECONDS: i64 = 600;
const STORM_LEAST: usize = 5;

/// A day, or that part of it that happened in one cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Day {
    /// The seed.
    pub seed: u64,
    /// How many seconds it lasted.
    pub seconds: i64,
    /// How many machines were wanted when it began.
    pub machines: u64,
    /// Machines that were remediated.
    pub replaced: u64,
    /// Of these, those that would have recovered by themselves.
    pub needless: u64,
    /// Machines that were deleted for another reason, as a rollout.
    pub rolled_out: u64,
    /// Seconds during which some owner had fewer working machines than it wants.
    pub below_seconds: i64,
    /// How many machines were missing for how many seconds, summed up.
    pub missing_machine_seconds: i64,
    /// Seconds during which remediation was blocked somewhere.
    pub blocked_seconds: i64,
    /// When remediation was blocked, and what ended it.
    pub blocked: Vec<Blocked>,
    /// When an owner did not remediate machines that a health check had marked.
    pub held: Vec<Blocked>,
    /// Many machines replaced at about the same time.
    pub storms: Vec<Storm>,
    /// Places that were replaced again and again.
    pub loops: Vec<Loop>,
    /// Machines that could not recover, and that nobody replaced for more than an hour.
    pub starved: u64,
    /// Seconds during which etcd had no quorum.
    pub quorum_lost_seconds: i64,
    /// The day in parts of equal length.
    pub parts: Vec<Part>,
    /// What happened, in order, as far as it was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
    /// How many decisions were made.
    pub decisions: u64,
    #[serde(skip)]
    pub(crate) spans: Raw,
}

/// What has to be put together with that of other clusters before it can be counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Raw {
    pub below: Spans,
    pub blocked: Spans,
    pub quorum_lost: Spans,
    pub replaced_at: Vec<i64>,
    pub slots: BTreeMap<String, u32>,
}

/// A time during which remediation was blocked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Blocked {
    /// By whom.
    pub by: String,
    /// Seconds from the start.
    pub from: i64,
    /// Seconds from the start; absent when it still was at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<i64>,
    /// Why.
    pub why: String,
    /// What ended it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub ended_by: String,
}

/// Many machines replaced at about the same time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Storm {
    /// Seconds from the start.
    pub from: i64,
    /// Seconds from the start.
    pub until: i64,
    /// How many.
    pub machines: usize,
}

/// A place that was replaced again and again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Loop {
    /// Owner and number of the place.
    pub slot: String,
    /// How often.
    pub replaced: u32,
}

/// A part of a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// How many machines were wanted, at most.
    pub wanted: i64,
    /// How few of them worked at the worst moment.
    pub working: i64,
    /// How many were marked for remediation, at most.
    pub marked: i64,
    /// How many were replaced.
    pub replaced: u64,
    /// Whether remediation was blocked at some moment.
    pub blocked: bool,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Seconds from the start.
    pub at: i64,
    /// Where.
    pub cluster: String,
    /// What.
    pub what: String,
    /// Whose decision it was.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub by: String,
    /// The row that decided.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub row: String,
    /// The machine, where it is about one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub machine: String,
}

impl Day {
    /// When it began to go wrong, in seconds from the start: the first machine replaced, else quorum, capacity or remediation lost.
    pub fn turning_point(&self) -> Option<i64> {
        let first = |spans: &Spans| spans.first().map(|(from, _)| *from);
        let spans = &self.spans;
        spans
            .replaced_at
            .first()
            .copied()
            .or_else(|| first(&spans.quorum_lost).or_else(|| first(&spans.below)).or_else(|| first(&spans.blocked)))
    }

    /// The same day in several clusters, in their order.
    pub fn together(seed: u64, clusters: Vec<Self>) -> Self {
        let mut all = Self { seed, parts: vec![Part::default(); PARTS], ..Self::default() };
        for day in clusters {
            all.add(day);
        }
        all.count();
        all
    }

    fn add(&mut self, day: Self) {
        self.seconds = self.seconds.max(day.seconds);
        self.machines += day.machines;
        self.replaced += day.replaced;
        self.needless += day.needless;
        self.rolled_out += day.rolled_out;
        self.missing_machine_seconds += day.missing_machine_seconds;
        self.starved += day.starved;
        self.decisions += day.decisions;
        self.blocked.extend(day.blocked);
        self.held.extend(day.held);
        self.events.extend(day.events);
        for (sum, part) in self.parts.iter_mut().zip(&day.parts) {
            sum.wanted += part.wanted;
            sum.working += part.working;
            sum.marked += part.marked;
            sum.replaced += part.replaced;
            sum.blocked |= part.blocked;
        }
        self.spans.below.extend(day.spans.below);
        self.spans.blocked.extend(day.spans.blocked);
        self.spans.quorum_lost.extend(day.spans.quorum_lost);
        self.spans.replaced_at.extend(day.spans.replaced_at);
        self.spans.slots.extend(day.spans.slots);
    }

    fn count(&mut self) {
        let length = |spans: &mut Spans| {
            *spans = union(std::mem::take(spans));
            spans.iter().map(|(from, until)| until - from).sum()
        };
        self.below_seconds = length(&mut self.spans.below);
        self.blocked_seconds = length(&mut self.spans.blocked);
        self.quorum_lost_seconds = length(&mut self.spans.quorum_lost);
        self.spans.replaced_at.sort_unstable();
        self.storms = storms(&self.spans.replaced_at, usize::try_from(self.machines).unwrap_or(usize::MAX));
        let again = self.spans.slots.iter().filter(|(_, replaced)| **replaced >= LOOP);
        self.loops = again.map(|(slot, replaced)| Loop { slot: slot.clone(), replaced: *replaced }).collect();
        self.events.sort_by_key(|event| event.at);
        self.blocked.sort_by_key(|blocked| blocked.from);
        self.held.sort_by_key(|held| held.from);
    }
}

/// Times at which within ten minutes a tenth of the fleet was replaced.
fn storms(replaced_at: &[i64], machines: usize) -> Vec<Storm> {
    let least = (machines / 10).max(STORM_LEAST);
    let mut storms: Vec<Storm> = Vec::new();
    let mut first = 0;
    for (i, at) in replaced_at.iter().enumerate() {
        while replaced_at[first] + STORM_SECONDS < *at {
            first += 1;
        }
        let machines = i + 1 - first;
        if machines < least {
            continue;
        }
        match storms.last_mut().filter(|storm| replaced_at[first] <= storm.until) {
            Some(storm) => (storm.until, storm.machines) = (*at, storm.machines + 1),
            None => storms.push(Storm { from: replaced_at[first], until: *at, machines }),
        }
    }
    storms
}
