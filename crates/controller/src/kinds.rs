//! Which kinds are watched, and how far their watches have come.

use super::key::GroupKind;
use kube::core::ApiResource;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How far the watch of a kind has come.
#[derive(Clone, Debug)]
pub enum Watched {
    /// The first list is not complete.
    Starting,
    /// Every object is in the cache.
    Complete(ApiResource),
    /// The server does not serve the kind in a version that is known, so nothing is known of its objects.
    NotServed(String),
    /// The objects can't be read.
    Unreadable,
}

/// A kind that is watched.
struct Kind {
    watched: Watched,
    /// Why the cache may be behind the server just now.
    interrupted: Option<String>,
    /// It was not wanted when that was last checked.
    unwanted: bool,
}

impl Kind {
    fn new(watched: Watched) -> Self {
        Self { watched, interrupted: None, unwanted: false }
    }
}

/// The kinds that are watched.
pub struct Kinds {
    kinds: Mutex<BTreeMap<GroupKind, Kind>>,
    start: tokio::sync::mpsc::UnboundedSender<GroupKind>,
}

impl Kinds {
    /// `start` gets every kind whose watch is to start.
    pub fn new(start: tokio::sync::mpsc::UnboundedSender<GroupKind>) -> Self {
        Self { kinds: Mutex::default(), start }
    }

    fn kinds(&self) -> MutexGuard<'_, BTreeMap<GroupKind, Kind>> {
        self.kinds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sees to it that a kind is watched.
    pub fn watch(&self, kind: &GroupKind) {
        let mut kinds = self.kinds();
        if !kinds.contains_key(kind) {
            kinds.insert(kind.clone(), Kind::new(Watched::Starting));
            // Nobody listens any more only when the program ends.
            let _ = self.start.send(kind.clone());
        }
    }

    /// Notes how far the watch of a kind is; whether that is new.
    pub fn set(&self, kind: &GroupKind, watched: &Watched) -> bool {
        let before = self.kinds().insert(kind.clone(), Kind::new(watched.clone())).map(|before| before.watched);
        match (&before, watched) {
            (Some(Watched::NotServed(before)), Watched::NotServed(now)) => before != now,
            (Some(Watched::Complete(_)), Watched::Complete(_)) | (Some(Watched::Unreadable), Watched::Unreadable) => {
                false
            }
            _ => true,
        }
    }

    /// Notes that the cache may be behind the server for a kind, until its next complete list.
    pub fn interrupted(&self, kind: &GroupKind, why: &str) {
        if let Some(kind) = self.kinds().get_mut(kind) {
            kind.interrupted = Some(why.to_owned());
        }
    }

    /// Stops watching a kind.
    pub fn remove(&self, kind: &GroupKind) {
        self.kinds().remove(kind);
    }

    /// How the server calls a kind.
    pub fn resource(&self, kind: &GroupKind) -> Option<ApiResource> {
        match self.kinds().get(kind).map(|kind| &kind.watched) {
            Some(Watched::Complete(resource)) => Some(resource.clone()),
            _ => None,
        }
    }

    /// Whether each kind was listed completely; `None` while its first list is on its way.
    pub fn complete(&self) -> Vec<(GroupKind, Option<bool>)> {
        let complete = |kind: &Kind| match kind.watched {
            Watched::Starting if kind.interrupted.is_none() => None,
            Watched::Complete(_) => Some(true),
            _ => Some(false),
        };
        self.kinds().iter().map(|(kind, state)| (kind.clone(), complete(state))).collect()
    }

    /// Kinds that nobody wants, now and when this was last called.
    pub fn unwanted(&self, wanted: &BTreeSet<GroupKind>) -> Vec<GroupKind> {
        let mut unwanted = Vec::new();
        for (kind, state) in self.kinds().iter_mut() {
            let before = std::mem::replace(&mut state.unwanted, !wanted.contains(kind));
            if before && state.unwanted {
                unwanted.push(kind.clone());
            }
        }
        unwanted
    }

    /// Why nothing may be decided yet; `None` when everything that decisions need is there and current.
    pub fn missing(&self, required: &BTreeSet<GroupKind>) -> Option<String> {
        let kinds = self.kinds();
        required.iter().find_map(|required| {
            let Some(kind) = kinds.get(required) else { return Some(format!("{} is not watched yet", required.kind)) };
            match &kind.watched {
                Watched::Starting => {
                    let why = kind.interrupted.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
                    Some(format!("{} is not listed yet{why}", required.kind))
                }
                Watched::NotServed(why) => Some(why.clone()),
                Watched::Complete(_) => kind.interrupted.as_ref().map(|why| format!("{}: {why}", required.kind)),
                // Decisions say that it was not read.
                Watched::Unreadable => None,
            }
        })
    }
}
