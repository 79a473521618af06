//! What a policy is, and every table it runs.

use capi_policy::table::EVERY_KIND;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a policy is, and its tables.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Catalog {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The version of the WIT package that it implements.
    pub wit: String,
    /// The Cluster API versions that it is conformant with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cluster_api: Vec<String>,
    /// The profiles it knows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<String>,
    /// Its tables.
    pub tables: Vec<Table>,
}

/// A transition table.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Table {
    /// The id that its rows start with.
    pub id: String,
    /// The kind of the evaluated object.
    pub kind: String,
    /// The condition it sets, or the name of what it decides.
    pub condition: String,
    /// What it decides, for a reader.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// Its id, stable between versions.
    pub id: String,
    /// Its guard in words.
    pub when: String,
    /// What follows.
    #[serde(flatten)]
    pub then: Outcome,
    /// The profiles that have the row; empty: all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<String>,
    /// What follows under the profiles that differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<ProfileOutcome>,
}

/// What a row does under one profile.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct ProfileOutcome {
    /// The profile.
    pub profile: String,
    /// What follows.
    #[serde(flatten)]
    pub then: Outcome,
}

/// What a row does.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Outcome {
    /// The status it sets, `keep`, or the step that follows.
    pub status: String,
    /// The reason it sets.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The message it sets.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// What it decides beside a condition.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub act: String,
}

impl Catalog {
    /// Kinds that the policy has tables for.
    pub fn kinds(&self) -> BTreeSet<String> {
        self.tables.iter().map(|table| table.kind.clone()).filter(|kind| kind != EVERY_KIND).collect()
    }

    /// The table with an id.
    pub fn table(&self, id: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.id == id)
    }
}

impl Row {
    /// What the row does under a profile.
    pub fn outcome(&self, profile: &str) -> &Outcome {
        self.others.iter().find(|other| other.profile == profile).map_or(&self.then, |other| &other.then)
    }

    /// Whether a profile has the row.
    pub fn belongs_to(&self, profile: &str) -> bool {
        self.profiles.is_empty() || self.profiles.iter().any(|name| name == profile)
    }
}
