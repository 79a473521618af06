//! Profiles: which rules apply where the documents and the releases of Cluster API differ.

use crate::error::Error;
use crate::json::written;
use capi_policy_json::{Fault, Read, Reader};
use serde::{Serialize, Serializer};
use std::fmt;

/// Which rules apply. Releases are ordered: each keeps the rules of the one before it, except where a row says otherwise.
///
/// To add a release, add its variant, its name and its [`Column`]; then the rows that differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Profile {
    /// The documents, to the letter.
    #[default]
    Documented,
    /// What Cluster API v1.13 does.
    ClusterApiV1_13,
    /// What Cluster API v1.14 does.
    ClusterApiV1_14,
}

/// The name that stands for the newest release.
pub const CLUSTER_API: &str = "cluster-api";

const EXPECTED: &str = "documented, cluster-api, cluster-api-v1.13 or cluster-api-v1.14";

/// The column that every table of what owners do next has: for v1.13 nothing was recorded, so nothing is claimed.
const OWNERS: Column = Column::since_v1_14;

impl Profile {
    /// Every profile, oldest release first.
    pub const ALL: &[Self] = &[Self::Documented, Self::ClusterApiV1_13, Self::ClusterApiV1_14];
    /// The newest release of Cluster API: what `cluster-api` means.
    pub const NEWEST: Self = Self::ClusterApiV1_14;

    /// The profile of that name.
    pub fn named(name: &str) -> Result<Self, Error> {
        Self::find(name).ok_or_else(|| Error::expected("profile", EXPECTED, written(&name)))
    }

    /// Whether it says what owners do next.
    pub fn has_owner_actions(self) -> bool {
        OWNERS.covers(self)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Documented => "documented",
            Self::ClusterApiV1_13 => "cluster-api-v1.13",
            Self::ClusterApiV1_14 => "cluster-api-v1.14",
        }
    }

    fn find(name: &str) -> Option<Self> {
        if name == CLUSTER_API {
            return Some(Self::NEWEST);
        }
        Self::ALL.iter().copied().find(|profile| name == profile.name())
    }
}

/// A column of a table: the profiles that an outcome, or a whole row, is for. Named in rows as they are written here.
#[allow(non_camel_case_types, reason = "rows are read by people: `; cluster_api_v1_14: …`")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The documents.
    documented,
    /// Every release of Cluster API.
    cluster_api,
    /// Cluster API v1.14 and later.
    cluster_api_v1_14,
    /// Cluster API v1.14 and later, and the documents, which say nothing else: there the newest release counts.
    since_v1_14,
}

impl Column {
    /// Whether the column speaks for a profile.
    pub fn covers(self, profile: Profile) -> bool {
        match self {
            Self::documented => profile == Profile::Documented,
            Self::cluster_api => profile >= Profile::ClusterApiV1_13,
            Self::cluster_api_v1_14 => profile >= Profile::ClusterApiV1_14,
            Self::since_v1_14 => profile == Profile::Documented || profile >= Profile::ClusterApiV1_14,
        }
    }

    /// How a printed table names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::documented => "documented",
            Self::cluster_api => CLUSTER_API,
            Self::cluster_api_v1_14 => "cluster-api-v1.14",
            Self::since_v1_14 => "documented and cluster-api-v1.14",
        }
    }
}

impl<'a> Read<'a> for Profile {
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        *self = reader.string(EXPECTED, |name| Self::find(&name))?;
        Ok(())
    }
}

impl Serialize for Profile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::{Column, Profile};

    #[test]
    fn cluster_api_is_the_newest_release() {
        assert_eq!(Profile::named("cluster-api").ok(), Profile::ALL.iter().max().copied());
        assert!(Profile::ALL.is_sorted());
    }

    #[test]
    fn a_release_has_the_columns_of_those_before_it() {
        for column in [Column::cluster_api, Column::cluster_api_v1_14] {
            let covered: Vec<_> = Profile::ALL.iter().map(|profile| column.covers(*profile)).collect();
            assert!(covered.is_sorted() && covered.contains(&true) && covered.contains(&false), "{column:?}");
        }
        assert!(Column::documented.covers(Profile::Documented) && !Column::documented.covers(Profile::NEWEST));
    }

    #[test]
    fn every_profile_is_found_by_its_name() {
        for profile in Profile::ALL {
            assert_eq!(Profile::named(profile.name()).ok(), Some(*profile));
        }
        let error = Profile::named("cluster-api-v1.1").expect_err("no such profile").to_string();
        assert!(Profile::ALL.iter().all(|profile| error.contains(profile.name())), "{error}");
    }
}
