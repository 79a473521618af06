//! What is known about one machine, and about those that have the same owner.

use crate::chance::{Chance, Key};
use capi_policy::fleet::{ObjectRef, WorkloadCluster};
use capi_policy::time::Time;
use std::collections::VecDeque;

/// Why a machine is silent; several at once are possible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Causes(u8);

impl Causes {
    /// Its zone is cut off.
    pub const ZONE: u8 = 1;
    /// It flaps.
    pub const FLAP: u8 = 2;
    /// An incident hit it, and ends.
    pub const INCIDENT: u8 = 4;
    /// It is dead.
    pub const DEAD: u8 = 8;

    /// Adds or removes a cause.
    pub fn set(&mut self, cause: u8, holds: bool) {
        if holds {
            self.0 |= cause;
        } else {
            self.0 &= !cause;
        }
    }

    /// Whether there is none.
    pub fn none(self) -> bool {
        self.0 == 0
    }

    /// Whether this one holds.
    pub fn has(self, cause: u8) -> bool {
        self.0 & cause != 0
    }

    /// The weightiest of them, in words.
    pub fn words(self) -> &'static str {
        match self.0 {
            0 => "nothing is wrong",
            causes if causes & Self::DEAD != 0 => "it is dead",
            causes if causes & Self::ZONE != 0 => "its zone is cut off",
            causes if causes & Self::INCIDENT != 0 => "an incident",
            _ => "it flaps",
        }
    }
}

/// How far a machine has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// On its way up.
    Booting,
    /// It will never come up.
    Stillborn,
    /// It had a ready Node.
    Up,
}

/// A machine.
#[derive(Clone, Debug)]
pub struct Life {
    /// Its place among the owners.
    pub owner: usize,
    /// Its place in the owner.
    pub slot: u32,
    /// How many machines had the place before.
    pub incarnation: u32,
    /// The number of its zone.
    pub zone: Option<usize>,
    /// What its Node is called.
    pub node: String,
    /// Where its Node is.
    pub cluster: WorkloadCluster,
    /// How far it has come.
    pub phase: Phase,
    /// Why it is silent.
    pub causes: Causes,
    /// Since when.
    pub silent_since: Option<Time>,
    /// Whether its Node says so.
    pub reported: bool,
    /// Since when it can't recover.
    pub broken_since: Option<Time>,
    /// The incident that hit it.
    pub hit_by: Option<usize>,
    /// Whether somebody deleted it.
    pub deleted: bool,
    /// Its own randomness.
    pub chance: Chance,
}

impl Life {
    /// Whether it does its work.
    pub fn works(&self) -> bool {
        self.phase == Phase::Up && self.causes.none()
    }

    /// It is dead from now on.
    pub fn die(&mut self, now: Time) {
        self.causes.set(Causes::DEAD, true);
        self.broken_since.get_or_insert(now);
    }

    /// Whether it adds to its owner's capacity.
    pub fn counts(&self) -> bool {
        self.works() && !self.deleted
    }

    /// Whether it would be fine some day if everybody let it be.
    pub fn recovers(&self) -> bool {
        self.phase != Phase::Stillborn && !self.causes.has(Causes::DEAD)
    }
}

/// A machine that somebody deleted.
#[derive(Clone, Debug)]
pub struct Deleted {
    /// Its name.
    pub machine: ObjectRef,
    /// Its place among the owners.
    pub owner: usize,
    /// Its place in the owner.
    pub slot: u32,
    /// Whether it would have recovered.
    pub recovers: bool,
    /// For how long it could not recover when it was deleted.
    pub broken_for: Option<i64>,
}

/// The owner of machines: a MachineDeployment, a lone MachineSet or a control plane.
#[derive(Clone, Debug)]
pub struct Owner {
    /// Which.
    pub object: ObjectRef,
    /// How many of its machines do their work.
    pub working: i64,
    /// Whether etcd has too few members that work.
    pub quorum_lost: bool,
    free: VecDeque<u32>,
    /// How many machines each slot had.
    lives: Vec<u32>,
}

impl Owner {
    /// An owner without machines.
    pub fn new(object: ObjectRef) -> Self {
        Self { object, working: 0, quorum_lost: false, free: VecDeque::new(), lives: Vec::new() }
    }

    /// The place that has been free for longest, or a new one; and how many machines had it.
    pub fn take_slot(&mut self) -> (u32, u32) {
        let slot = self.free.pop_front().unwrap_or_else(|| {
            self.lives.push(0);
            u32::try_from(self.lives.len().saturating_sub(1)).unwrap_or(u32::MAX)
        });
        let before = usize::try_from(slot).ok().and_then(|slot| self.lives.get_mut(slot));
        let incarnation = before.map_or(0, |lives| {
            *lives = lives.saturating_add(1);
            lives.saturating_sub(1)
        });
        (slot, incarnation)
    }

    /// A place is free again.
    pub fn free_slot(&mut self, slot: u32) {
        self.free.push_back(slot);
    }
}

/// The randomness of a machine.
pub fn chance(seed: u64, cluster: u32, owner: usize, slot: u32, incarnation: u32) -> Chance {
    Chance::new(Key { seed, cluster, owner: u32::try_from(owner).unwrap_or(u32::MAX), slot, incarnation })
}
