//! Label selectors.

use super::{Entries, Metadata, Str};
use crate::error::Error;
use crate::json::written;
use crate::sorted::Sorted;
use capi_policy_json::fields;
use std::fmt;

fields! {
    /// `spec.selector`: every label and every expression has to hold.
    pub struct LabelSelector<'a> {
        "matchLabels" => match_labels: Entries<'a>,
        "matchExpressions" => match_expressions: Vec<Requirement<'a>>,
    }

    /// One entry of `matchExpressions`.
    pub struct Requirement<'a> {
        "key" => key: Str<'a>,
        /// `In`, `NotIn`, `Exists` or `DoesNotExist`.
        "operator" => operator: Str<'a>,
        "values" => values: Vec<Str<'a>>,
    }
}

impl LabelSelector<'_> {
    /// Whether an object's labels satisfy the selector, whatever `matchLabels` says about one key. Assumes a selector
    /// that [`Self::validate`] accepts.
    pub fn matches_apart_from(&self, ignored: &str, metadata: &Metadata<'_>) -> bool {
        self.match_labels.all().iter().all(|(key, value)| *key == *ignored || metadata.label(key) == Some(value))
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
                    return Err(Error::expected(path, "In, NotIn, Exists or DoesNotExist", written(&operator)));
                }
            }
        }
        Ok(())
    }
}

/// As Kubernetes prints it: by key, labels before expressions; nothing for a selector that selects everything.
impl fmt::Display for LabelSelector<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = self.match_labels.all().iter().map(|(key, value)| (&**key, format!("{key}={value}")));
        let expressions = self.match_expressions.iter().map(|requirement| (&*requirement.key, requirement.to_string()));
        let mut parts: Vec<_> = labels.chain(expressions).collect();
        parts.order_by_key(|(key, _)| *key);
        let parts: Vec<_> = parts.into_iter().map(|(_, part)| part).collect();
        f.write_str(&parts.join(","))
    }
}

impl fmt::Display for Requirement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut values: Vec<_> = self.values.iter().map(|value| &**value).collect();
        values.order_by(Ord::cmp);
        let (key, values) = (&self.key, values.join(","));
        match &*self.operator {
            "In" => write!(f, "{key} in ({values})"),
            "NotIn" => write!(f, "{key} notin ({values})"),
            "Exists" => write!(f, "{key}"),
            _ => write!(f, "!{key}"),
        }
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

#[cfg(test)]
mod tests {
    use super::LabelSelector;

    #[test]
    fn prints_as_in_kubernetes() {
        let print = |text| capi_policy_json::read::<LabelSelector<'_>>(text).map(|selector| selector.to_string()).ok();
        assert_eq!(print("{}").as_deref(), Some(""));
        let all = r#"{ "matchLabels": { "z": "1", "b": "" }, "matchExpressions": [
            { "key": "tier", "operator": "In", "values": ["web", "db"] },
            { "key": "gpu", "operator": "DoesNotExist" },
            { "key": "a", "operator": "Exists" },
            { "key": "zone", "operator": "NotIn", "values": ["x"] }
        ] }"#;
        assert_eq!(print(all).as_deref(), Some("a,b=,!gpu,tier in (db,web),z=1,zone notin (x)"));
    }
}
