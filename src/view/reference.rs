//! References to objects of other kinds, and gates that name conditions.

use super::Str;
use serde::Deserialize;

/// A reference to an object in the same namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ObjectRef<'a> {
    /// `apiGroup`.
    #[serde(borrow)]
    pub api_group: Str<'a>,
    /// `kind`.
    #[serde(borrow)]
    pub kind: Str<'a>,
    /// `name`.
    #[serde(borrow)]
    pub name: Str<'a>,
}

impl ObjectRef<'_> {
    /// Whether it refers to anything.
    pub fn is_defined(&self) -> bool {
        !(self.api_group.is_empty() && self.kind.is_empty() && self.name.is_empty())
    }
}

/// One entry of `readinessGates` or `availabilityGates`: a condition that counts too.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Gate<'a> {
    /// `conditionType`.
    #[serde(borrow)]
    pub condition_type: Str<'a>,
    /// `polarity`: `Negative` when False is the good status.
    #[serde(borrow)]
    pub polarity: Str<'a>,
}
