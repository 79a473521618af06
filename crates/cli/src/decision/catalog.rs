//! A catalog as a policy answers it.

use capi_policy::table::EVERY_KIND;
use serde::Deserialize;
use std::collections::BTreeSet;

/// What a policy is, and its tables.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Catalog {
    pub name: String,
    pub version: String,
    pub wit: String,
    #[serde(default)]
    pub cluster_api: Vec<String>,
    #[serde(default)]
    pub profiles: Vec<String>,
    pub tables: Vec<Table>,
}

/// A transition table.
#[derive(Clone, Debug, Deserialize)]
pub struct Table {
    pub id: String,
    pub kind: String,
    pub condition: String,
    #[serde(default)]
    pub about: String,
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    pub id: String,
    pub when: String,
    #[serde(flatten)]
    pub then: Outcome,
    #[serde(default)]
    pub profiles: Vec<String>,
    #[serde(default)]
    pub others: Vec<ProfileOutcome>,
}

/// What a row does under one profile.
#[derive(Clone, Debug, Deserialize)]
pub struct ProfileOutcome {
    pub profile: String,
    #[serde(flatten)]
    pub then: Outcome,
}

/// What a row does.
#[derive(Clone, Debug, Deserialize)]
pub struct Outcome {
    pub status: String,
    #[serde(default)]
    pub reason: String,
    #[serde(default)]
    pub message: String,
    #[serde(default)]
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
