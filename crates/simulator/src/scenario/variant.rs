//! The same day with something else in it.

use super::{Invalid, Scenario};
use crate::merge_patch::{assignment, merge};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A change to a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Variant {
    /// What it is called.
    pub name: String,
    /// What is different: a merge patch of the scenario.
    pub change: Value,
}

impl Variant {
    /// One for each value of a field: `healthChecks.workers.unhealthyLessThanOrEqualTo=20%,40%`.
    fn of_field(text: &str, scenario: &Scenario) -> Result<Vec<Self>, Invalid> {
        let expected = "PATH=VALUE,VALUE as healthChecks.workers.nodeStartupTimeout=10m,20m";
        let invalid = || Invalid::new("compare", expected, format!("{text:?}"));
        let (path, values) = text.split_once('=').ok_or_else(invalid)?;
        let path = path.trim();
        let (parent, last) = path.rsplit_once('.').unwrap_or(("", path));
        // A health check of a name that nobody has would be one more, over all machines.
        let parent = if parent.is_empty() { String::new() } else { format!("/{}", parent.replace('.', "/")) };
        if scenario.has_fleet() && scenario.value().pointer(&parent).is_none() {
            return Err(Invalid::new("compare", "a field of something that the scenario has", format!("{path:?}")));
        }
        let variant = |value: &str| {
            let value = value.trim();
            let change = assignment(&format!("{path}={value}")).map_err(|_| invalid())?;
            Ok(Self { name: format!("{last}={value}"), change })
        };
        values.split(',').map(variant).collect()
    }

    /// The scenario with the change, and without variants of its own.
    pub fn apply(&self, scenario: &Scenario) -> Result<Scenario, Invalid> {
        let mut value = scenario.value();
        merge(&mut value, &self.change);
        crate::object::member(&mut value, &[]).remove("compare");
        Scenario::read(&value).map_err(|invalid| self.says(invalid))
    }

    fn says(&self, invalid: Invalid) -> Invalid {
        invalid.below(&format!("compare {:?}: ", self.name))
    }
}

impl Scenario {
    /// What to run, by name, from its own fleet or from given objects: without `compare` the scenario as it is; an empty text
    /// stands for its own variants, anything else is a field and its values.
    pub fn variants(
        &self,
        compare: &[impl AsRef<str>],
        given: Option<&[Value]>,
    ) -> Result<Vec<(String, Self)>, Invalid> {
        if compare.is_empty() {
            self.check_fleet(given)?;
            return Ok(vec![(self.name.clone(), self.clone())]);
        }
        let mut variants = Vec::new();
        for text in compare.iter().map(AsRef::as_ref) {
            match text {
                "" => variants.extend(self.compare.iter().cloned()),
                field => variants.extend(Variant::of_field(field, self)?),
            }
        }
        if variants.is_empty() {
            return Err(Invalid::new("compare", "variants in the scenario, or PATH=VALUE,VALUE", "neither"));
        }
        let apply = |variant: Variant| {
            let scenario = variant.apply(self)?;
            scenario.check_fleet(given).map_err(|invalid| variant.says(invalid))?;
            Ok((variant.name, scenario))
        };
        variants.into_iter().map(apply).collect()
    }
}
