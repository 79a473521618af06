//! The JSON that a policy answers with, as far as it is shown. Unknown fields are ignored, missing ones are empty, so
//! that a policy of another version can be shown too.

mod catalog;
mod forecast;

pub use catalog::{Catalog, Outcome, Table};
pub use forecast::{Change, Forecast};

use capi_policy::time::Time;
use serde::Deserialize;

/// The decision about one object.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluation {
    pub kind: String,
    #[serde(default)]
    pub namespace: String,
    #[serde(default)]
    pub name: String,
    pub now: Time,
    #[serde(default)]
    pub profile: String,
    #[serde(default)]
    pub conditions: Vec<Condition>,
    #[serde(default)]
    pub machines: Vec<Machine>,
    pub threshold: Option<Threshold>,
    #[serde(default)]
    pub actions: Vec<Action>,
    pub next_change: Option<Time>,
    pub error: Option<String>,
    #[serde(default)]
    pub explanations: Vec<Explanation>,
}

/// A condition to store.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    #[serde(rename = "type")]
    pub kind: String,
    pub status: String,
    #[serde(default)]
    pub reason: String,
    #[serde(default)]
    pub message: String,
    #[serde(default)]
    pub row: String,
}

/// What a health check says about one machine.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Machine {
    pub name: String,
    pub verdict: String,
    #[serde(default)]
    pub row: String,
    pub cause: Option<String>,
    #[serde(default)]
    pub checks: Vec<Check>,
    pub since: Option<Time>,
    pub clock: Option<String>,
    pub deadline: Option<Time>,
    #[serde(default)]
    pub conditions: Vec<Condition>,
}

/// A check that matched a machine.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    pub on: String,
    #[serde(rename = "type", default)]
    pub kind: String,
    #[serde(default)]
    pub status: String,
    pub timeout_seconds: i64,
}

/// The arithmetic behind `RemediationAllowed`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Threshold {
    pub targets: i64,
    pub healthy: i64,
    pub waiting: i64,
    pub unhealthy: i64,
    pub not_evaluated: i64,
    pub counted: i64,
    pub min: Option<i64>,
    pub limit: i64,
    pub source: String,
    pub configured: String,
    pub allowed: bool,
    pub flips: String,
}

/// What the host should do.
#[derive(Clone, Debug, Deserialize)]
pub struct Action {
    #[serde(rename = "type")]
    pub kind: String,
    pub machine: Option<String>,
    pub name: Option<String>,
    pub key: Option<String>,
    pub owner: Option<Owner>,
}

/// An owner to set.
#[derive(Clone, Debug, Deserialize)]
pub struct Owner {
    pub kind: String,
    pub name: String,
}

/// How a table came to its decision.
#[derive(Clone, Debug, Deserialize)]
pub struct Explanation {
    pub table: String,
    #[serde(default)]
    pub machine: String,
    pub row: String,
    #[serde(default)]
    pub facts: Vec<Fact>,
    #[serde(default)]
    pub trace: Vec<Step>,
}

/// One fact that guards look at.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Fact {
    pub name: String,
    pub value: String,
}

/// One row that was looked at.
#[derive(Clone, Debug, Deserialize)]
pub struct Step {
    pub row: String,
    pub holds: bool,
}
