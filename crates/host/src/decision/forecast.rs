//! The decisions to come.

use super::Evaluation;
use capi_policy::time::Time;
use serde::{Deserialize, Serialize};

/// The decisions to come if nothing but time changes.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Forecast {
    /// The decision now.
    pub now: Evaluation,
    /// Up to when the forecast looks.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema::Time"))]
    pub until: Time,
    /// The moments at which something changes, in order.
    pub moments: Vec<Moment>,
    /// False when there were too many moments to look at all of them.
    pub complete: bool,
}

/// A moment at which the decision changes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Moment {
    /// When.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema::Time"))]
    pub at: Time,
    /// What is different from just before.
    pub changes: Vec<Change>,
}

/// One thing that changes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change {
    /// The name of the object or machine it is about.
    pub subject: String,
    /// `verdict`, `action`, or the type of a condition.
    pub what: String,
    /// What it was; none when there was nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// What it becomes; none when nothing is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The row that decides so; empty for actions and for what ends.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub row: String,
}
