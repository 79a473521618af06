//! References to objects of other kinds, and gates that name conditions.

use super::Str;
use capi_policy_json::fields;

fields! {
    /// A reference to an object in the same namespace.
    #[derive(PartialEq, Eq)]
    pub struct ObjectRef<'a> in order {
        "apiGroup" => api_group: Str<'a>,
        /// In place of the group, as older versions of the API have it.
        "apiVersion" => api_version: Str<'a>,
        "kind" => kind: Str<'a>,
        "name" => name: Str<'a>,
    }

    /// One entry of `readinessGates` or `availabilityGates`: a condition that counts too.
    pub struct Gate<'a> {
        "conditionType" => condition_type: Str<'a>,
        /// `Negative` when False is the good status.
        "polarity" => polarity: Str<'a>,
    }
}

impl ObjectRef<'_> {
    /// The API group.
    pub fn group(&self) -> &str {
        let of_version = || self.api_version.split_once('/').map_or("", |(group, _)| group);
        if self.api_group.is_empty() { of_version() } else { &self.api_group }
    }

    /// Whether it refers to anything.
    pub fn is_defined(&self) -> bool {
        !(self.api_group.is_empty() && self.kind.is_empty() && self.name.is_empty())
    }
}
