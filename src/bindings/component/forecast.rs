//! The decisions to come.

use super::evaluation::all;
use super::evaluator;
use crate::forecast::{Change, Forecast, Moment};
use crate::outcome::Evaluation;
use crate::snapshot::Kind;

impl From<Forecast> for evaluator::ForecastResult {
    fn from(f: Forecast) -> Self {
        Self { now: f.now.into(), until: f.until.to_string(), moments: all(f.moments), complete: f.complete }
    }
}

impl From<Evaluation> for evaluator::Decision {
    fn from(e: Evaluation) -> Self {
        if e.kind == Kind::MachineHealthCheck { Self::HealthCheck(e.into()) } else { Self::Object(e.into()) }
    }
}

impl From<Moment> for evaluator::Moment {
    fn from(m: Moment) -> Self {
        Self { at: m.at.to_string(), changes: all(m.changes) }
    }
}

impl From<Change> for evaluator::Change {
    fn from(c: Change) -> Self {
        Self { subject: c.subject, what: c.what, from: c.from, to: c.to, row: c.row.to_owned() }
    }
}
