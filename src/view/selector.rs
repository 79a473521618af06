//! Label selectors.

use super::{Metadata, Str, null_is_default};
use crate::error::Error;
use serde::Deserialize;
use std::collections::BTreeMap;

/// `spec.selector`: every label and every expression has to hold.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LabelSelector<'a> {
    /// `matchLabels`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub match_labels: BTreeMap<Str<'a>, Str<'a>>,
    /// `matchExpressions`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub match_expressions: Vec<Requirement<'a>>,
}

/// One entry of `matchExpressions`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Requirement<'a> {
    /// `key`.
    #[serde(borrow)]
    pub key: Str<'a>,
    /// `In`, `NotIn`, `Exists` or `DoesNotExist`.
    #[serde(borrow)]
    pub operator: Str<'a>,
    /// `values`.
    #[serde(borrow, deserialize_with = "null_is_default")]
    pub values: Vec<Str<'a>>,
}

impl LabelSelector<'_> {
    /// Whether an object's labels satisfy the selector. Assumes a selector that [`Self::validate`] accepts.
    pub fn matches(&self, metadata: &Metadata<'_>) -> bool {
        self.match_labels.iter().all(|(key, value)| metadata.label(key) == Some(value))
            && self.match_expressions.iter().all(|requirement| requirement.holds(metadata))
    }

    /// Refuses operators that don't exist and value lists that don't fit them.
    pub fn validate(&self, path: &str) -> Result<(), Error> {
        for (i, requirement) in self.match_expressions.iter().enumerate() {
            let values = requirement.values.len();
            match &*requirement.operator {
                "In" | "NotIn" if values > 0 => {}
                "Exists" | "DoesNotExist" if values == 0 => {}
                "In" | "NotIn" => {
                    let path = format!("{path}.matchExpressions[{i}].values");
                    return Err(Error::expected(path, "at least one value for In and NotIn", "none"));
                }
                "Exists" | "DoesNotExist" => {
                    let path = format!("{path}.matchExpressions[{i}].values");
                    return Err(Error::expected(path, "no value for Exists and DoesNotExist", values));
                }
                operator => {
                    let path = format!("{path}.matchExpressions[{i}].operator");
                    return Err(Error::expected(
                        path,
                        "In, NotIn, Exists or DoesNotExist",
                        format_args!("{operator:?}"),
                    ));
                }
            }
        }
        Ok(())
    }
}

impl Requirement<'_> {
    fn holds(&self, metadata: &Metadata<'_>) -> bool {
        let value = metadata.label(&self.key);
        match &*self.operator {
            "In" => value.is_some_and(|v| self.values.contains(v)),
            "NotIn" => value.is_none_or(|v| !self.values.contains(v)),
            "Exists" => value.is_some(),
            _ => value.is_none(),
        }
    }
}
