//! One entry of `status.versions`.

use super::Str;
use crate::outcome;
use capi_policy_json::fields;

fields! {
    /// How many replicas of an object run a version.
    pub struct VersionCount<'a> {
        "version" => version: Str<'a>,
        "replicas" => replicas: i64,
    }
}

impl VersionCount<'_> {
    /// The same for an evaluation.
    pub fn counted(&self) -> outcome::VersionCount {
        outcome::VersionCount { version: self.version.to_string(), replicas: self.replicas }
    }
}
