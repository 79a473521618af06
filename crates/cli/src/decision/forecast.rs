//! A forecast as a policy answers it.

use super::Evaluation;
use capi_policy::time::Time;
use serde::Deserialize;

/// Decisions to come.
#[derive(Clone, Debug, Deserialize)]
pub struct Forecast {
    pub now: Evaluation,
    pub until: Time,
    pub moments: Vec<Moment>,
    pub complete: bool,
}

/// A moment at which something changes.
#[derive(Clone, Debug, Deserialize)]
pub struct Moment {
    pub at: Time,
    pub changes: Vec<Change>,
}

/// One thing that changes.
#[derive(Clone, Debug, Deserialize)]
pub struct Change {
    pub subject: String,
    pub what: String,
    pub from: Option<String>,
    pub to: Option<String>,
    #[serde(default)]
    pub row: String,
}
