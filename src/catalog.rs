//! What this policy is and every table it runs, as data.

use crate::json::written;
use crate::profile::Profile;
use crate::rules;
use crate::table::TableDescription;
use serde::Serialize;

/// Which recorded answers of Cluster API the policy gives. The conformance test writes it and repeats it.
const CONFORMANCE: &str = include_str!("conformance.lock");

/// What this policy is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Description {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The version of the WIT package it implements.
    pub wit: &'static str,
    /// The Cluster API versions whose answers the profile of their release gives, byte for byte.
    pub cluster_api: Vec<&'static str>,
    /// The profiles it knows.
    pub profiles: Vec<&'static str>,
}

/// What this policy is.
pub fn describe() -> Description {
    Description {
        name: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        wit: "capi:policy@0.2.0",
        cluster_api: CONFORMANCE.lines().filter_map(|line| line.strip_prefix("conformant ")).collect(),
        profiles: Profile::ALL.iter().map(|profile| profile.name()).collect(),
    }
}

/// Every table, sorted by id.
pub fn tables() -> Vec<TableDescription> {
    rules::tables()
}

/// Description and tables as JSON text.
pub fn json() -> String {
    #[derive(Serialize)]
    struct Catalog {
        #[serde(flatten)]
        description: Description,
        tables: Vec<TableDescription>,
    }
    written(&Catalog { description: describe(), tables: tables() })
}
