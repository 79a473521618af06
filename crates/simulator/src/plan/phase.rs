//! What a machine is doing, from moment to moment.

use crate::object::{self, has, text};
use capi_policy::fleet::Subject;
use capi_policy::time::Time;
use capi_policy::view::annotation;
use serde::Serialize;
use serde_json::Value;

/// What a machine is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Phase {
    /// On its way up.
    Booting,
    /// Available.
    Available,
    /// Up, but not available.
    Unavailable,
    /// Being updated in place.
    Updating,
    /// In deletion.
    Deleting,
    /// Not there any more.
    Gone,
}

impl Phase {
    /// What a Machine is doing.
    pub fn of(machine: &Value) -> Self {
        let updating = [annotation::UPDATE_IN_PROGRESS, annotation::PENDING_HOOKS];
        if object::in_deletion(machine) {
            Self::Deleting
        } else if updating.iter().any(|key| object::annotation(machine, key).is_some()) {
            Self::Updating
        } else if has(machine, "Available", "True") {
            Self::Available
        } else if text(machine, "/status/nodeRef/name").is_empty() {
            Self::Booting
        } else {
            Self::Unavailable
        }
    }
}

/// A machine's life while the plan goes on.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachinePlan {
    /// Its name.
    pub name: String,
    /// Whose machine it is.
    pub owner: Subject,
    /// Whether it is new.
    pub new: bool,
    /// What it does, from when on.
    pub turns: Vec<Turn>,
}

/// What a machine does from a moment on.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Turn {
    /// The moment.
    pub time: Time,
    /// What it does.
    pub phase: Phase,
}

impl MachinePlan {
    /// Notes what the machine does now.
    pub fn turn(&mut self, time: Time, phase: Phase) {
        match self.turns.last_mut() {
            Some(last) if last.phase == phase => {}
            Some(last) if last.time == time => last.phase = phase,
            _ => self.turns.push(Turn { time, phase }),
        }
    }

    /// What the machine does at a moment; nothing before it is there.
    pub fn at(&self, time: Time) -> Option<Phase> {
        self.turns.iter().rev().find(|turn| turn.time <= time).map(|turn| turn.phase)
    }
}
