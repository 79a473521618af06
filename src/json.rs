//! JSON that the policy writes: any value as text, and objects for the host to create.

use capi_policy_json::Raw;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// A JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// Any other number, as it was written.
    Number(String),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// An object, its members by name.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// An object; the last member of a name counts.
    pub fn object(members: impl IntoIterator<Item = (String, Self)>) -> Self {
        let mut object = Vec::new();
        for (name, value) in members {
            set(&mut object, name, value);
        }
        Self::Object(object)
    }

    /// A copy of what a document says.
    pub fn copy(raw: Raw<'_>) -> Self {
        if let Some(members) = raw.members() {
            return Self::object(members.into_iter().map(|(name, value)| (name.to_string(), Self::copy(value))));
        }
        if let Some(items) = raw.items() {
            return Self::List(items.into_iter().map(Self::copy).collect());
        }
        match (raw.as_str(), raw.as_bool(), raw.as_i64()) {
            (Some(text), _, _) => Self::Text(text.to_string()),
            (_, Some(flag), _) => Self::Flag(flag),
            (_, _, Some(number)) => Self::Whole(number),
            _ if raw.is_null() => Self::Null,
            _ => Self::Number(raw.text().to_owned()),
        }
    }
}

/// What `serde_json` writes as it is: the form of its `RawValue`, which can't be made of a text without parsing it. The parser would
/// be 9 KB of the artifact, and reading and printing fractions more.
#[derive(Serialize)]
#[serde(rename = "$serde_json::private::RawValue")]
struct Verbatim<'a> {
    #[serde(rename = "$serde_json::private::RawValue")]
    text: &'a str,
}

/// Any value of the policy as JSON text. It has text for names and no types that JSON lacks, so nothing can fail.
pub fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Puts a member in its place in the order of names.
fn set(object: &mut Vec<(String, Json)>, name: String, value: Json) {
    match object.binary_search_by(|(other, _)| other.cmp(&name)) {
        Ok(place) => drop(object.get_mut(place).map(|member| member.1 = value)),
        Err(place) => object.insert(place, (name, value)),
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Whole(number) => serializer.serialize_i64(*number),
            Self::Number(text) => Verbatim { text }.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Json, written};

    #[test]
    fn a_copy_says_the_same_with_members_by_name() {
        let text = r#"{"z": [1, -2.50e3, "\u00e4\n", true, null], "a": {"b": 18446744073709551615}, "a": {"c": {}}}"#;
        let copy = Json::copy(capi_policy_json::read(text).expect("JSON"));
        assert_eq!(written(&copy), r#"{"a":{"c":{}},"z":[1,-2.50e3,"ä\n",true,null]}"#);
    }
}
