//! The decisions to come.

use super::evaluation::{all, some};
use super::types;
use crate::forecast::{Change, Forecast, Moment};

impl From<Forecast> for types::Forecast {
    fn from(f: Forecast) -> Self {
        Self { now: f.now.into(), until: f.until.to_string(), moments: all(f.moments), complete: f.complete }
    }
}

impl From<Moment> for types::Moment {
    fn from(m: Moment) -> Self {
        Self { at: m.at.to_string(), changes: all(m.changes) }
    }
}

impl From<Change> for types::Change {
    fn from(c: Change) -> Self {
        let what = match &*c.what {
            "verdict" => types::Changed::Verdict,
            "action" => types::Changed::Action,
            _ => types::Changed::Condition(c.what),
        };
        Self { subject: c.subject, what, from: c.from, to: c.to, row: some(c.row) }
    }
}
