//! A condition, and the way to the type that Kubernetes clients store.

use super::ConditionStatus;
use capi_policy::time::Time;
use serde::{Deserialize, Serialize};

/// A condition to store on the object.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// The condition's type.
    #[serde(rename = "type")]
    pub condition_type: String,
    /// Its status.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema::ConditionStatus"))]
    pub status: ConditionStatus,
    /// One word for the cause.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Text for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The generation of the object that was evaluated; 0 when the object has none.
    #[serde(default)]
    pub observed_generation: i64,
    /// When the status last changed: the object's own time while the status stays the same, else the time of the
    /// evaluation.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema::Time"))]
    pub last_transition_time: Time,
    /// The id of the table row that decided.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub row: String,
}

/// What is stored: everything but the row.
#[cfg(feature = "k8s-openapi")]
impl From<Condition> for k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition {
    fn from(condition: Condition) -> Self {
        use k8s_openapi::apimachinery::pkg::apis::meta::v1;
        use k8s_openapi::jiff::Timestamp;

        let seconds = condition.last_transition_time.unix_seconds();
        Self {
            type_: condition.condition_type,
            status: condition.status.as_str().to_owned(),
            reason: condition.reason,
            message: condition.message,
            observed_generation: Some(condition.observed_generation).filter(|generation| *generation != 0),
            // Every time that can be written in RFC 3339 is one.
            last_transition_time: v1::Time(Timestamp::from_second(seconds).unwrap_or_default()),
        }
    }
}
