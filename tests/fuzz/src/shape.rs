//! The shapes of what the policy reads, as data, and values of them made from bytes. Most values fit their shape; some
//! don't, on purpose.

mod tables;

pub use tables::{OBSERVED, SELECTOR, SNAPSHOT};

use crate::bytes::Bytes;
use capi_policy::time::Time;
use serde_json::{Map, Value, json};

/// The moment that made times lie around.
pub const NOW: &str = "2026-01-01T12:00:00Z";

/// What a value looks like.
pub enum Shape {
    /// `true` or `false`.
    Flag,
    /// A whole number.
    Number,
    /// One of these, or any other text now and then.
    Word(&'static [&'static str]),
    /// A number or a percentage.
    Limit,
    /// RFC 3339.
    Moment,
    /// Strings by these keys.
    Map(&'static [&'static str]),
    /// Items of one shape.
    List(&'static Shape),
    /// Members, each with its shape.
    Object(&'static [(&'static str, &'static Shape)]),
    /// Any JSON.
    Any,
}

use Shape::{Any, Flag, Limit, List, Moment, Number, Object, Word};
use tables::NAME;

/// The shape of a member of a snapshot.
pub fn of_field(field: &str) -> &'static Shape {
    SNAPSHOT.iter().find(|(name, _)| *name == field).map_or(&Any, |(_, shape)| *shape)
}

impl Shape {
    /// A value of this shape, now and then of another.
    pub fn value(&self, bytes: &mut Bytes<'_>) -> Value {
        if bytes.chance(2) {
            return Any.fitting(bytes);
        }
        self.fitting(bytes)
    }

    fn fitting(&self, bytes: &mut Bytes<'_>) -> Value {
        match self {
            Flag => json!(bytes.byte() % 2 == 1),
            Number => json!(bytes.number()),
            Word(words) => word(words, bytes),
            Limit => limit(bytes),
            Moment => moment(bytes),
            Shape::Map(keys) => {
                let count = bytes.below(4);
                (0..count).map(|_| ((*bytes.pick(keys)).to_owned(), NAME.value(bytes))).collect()
            }
            List(item) => {
                let count = bytes.below(5);
                (0..count).map(|_| item.value(bytes)).collect()
            }
            Object(members) => object(members, bytes),
            Any => any(bytes, 0),
        }
    }
}

/// Some of these members.
pub fn object(members: &[(&str, &Shape)], bytes: &mut Bytes<'_>) -> Value {
    let mut object = Map::new();
    for _ in 0..bytes.below(2 * members.len() + 1) {
        let (name, shape) = bytes.pick(members);
        object.insert((*name).to_owned(), shape.value(bytes));
    }
    Value::Object(object)
}

fn word(words: &[&str], bytes: &mut Bytes<'_>) -> Value {
    if bytes.chance(6) { json!(bytes.text()) } else { json!(bytes.pick(words)) }
}

fn limit(bytes: &mut Bytes<'_>) -> Value {
    match bytes.below(4) {
        0 => json!(bytes.number()),
        1 => json!(format!("{}%", bytes.below(130))),
        2 => json!(format!("{}%", bytes.number())),
        _ => json!(bytes.pick(&["", "%", "-5%", "+5%", "5", "0.5%", "99999999999999999999%"])),
    }
}

fn moment(bytes: &mut Bytes<'_>) -> Value {
    let now = Time::parse(NOW).unwrap_or_default();
    let seconds = match bytes.byte() {
        0..=99 => -i64::from(bytes.byte()),
        100..=139 => i64::from(bytes.byte()),
        140..=199 => -60 * i64::from(bytes.byte()),
        200..=219 => -86_400 * i64::from(bytes.byte()),
        220..=239 => bytes.number(),
        240..=247 => return json!(now.to_string().replace('Z', ".5+02:00")),
        _ => {
            return json!(bytes.pick(&[
                "0001-01-01T00:00:00Z",
                "9999-12-31T23:59:59Z",
                "",
                "yesterday",
                "0000-01-01T00:00:00+23:59"
            ]));
        }
    };
    json!(now.plus(seconds).to_string())
}

fn any(bytes: &mut Bytes<'_>, depth: usize) -> Value {
    match bytes.below(if depth > 4 { 6 } else { 8 }) {
        0 => Value::Null,
        1 => json!(bytes.byte() % 2 == 1),
        2 => json!(bytes.number()),
        3 => json!(f64::from(bytes.byte()) / 8.0 - 3.0),
        4 => json!(bytes.text()),
        5 => NAME.fitting(bytes),
        6 => {
            let count = bytes.below(4);
            (0..count).map(|_| any(bytes, depth + 1)).collect()
        }
        _ => {
            let count = bytes.below(4);
            (0..count).map(|_| (bytes.text(), any(bytes, depth + 1))).collect()
        }
    }
}

/// Every word of these shapes.
pub fn words() -> Vec<&'static str> {
    fn collect(shape: &'static Shape, words: &mut Vec<&'static str>) {
        match shape {
            Word(list) | Shape::Map(list) => words.extend(*list),
            List(item) => collect(item, words),
            Object(members) => {
                for (name, shape) in *members {
                    words.push(name);
                    collect(shape, words);
                }
            }
            _ => {}
        }
    }
    let mut words = vec![
        "kind",
        "now",
        "profile",
        "explain",
        "documented",
        "cluster-api",
        "cluster-api-v1.13",
        NOW,
        "40%",
        "[1-3]",
    ];
    for (name, shape) in SNAPSHOT {
        words.push(name);
        collect(shape, &mut words);
    }
    words.retain(|word| !word.is_empty() && word.is_ascii());
    words.sort_unstable();
    words.dedup();
    words
}
