//! What must never or always hold of a day: `replaced > 20%`, `below > 30m`, `quorum`.

use crate::day::Day;
use crate::scenario::{Invalid, Scenario, Share, Span};
use std::fmt;

/// A figure of a day, and its name.
type Figure = (&'static str, Unit, fn(&Day) -> i64);

const FIGURES: &[Figure] = &[
    ("replaced", Unit::Machines, |day| whole(day.replaced)),
    ("needless", Unit::Machines, |day| whole(day.needless)),
    ("starved", Unit::Machines, |day| whole(day.starved)),
    ("rolledOut", Unit::Machines, |day| whole(day.rolled_out)),
    ("storms", Unit::Count, |day| length(&day.storms)),
    ("loops", Unit::Count, |day| length(&day.loops)),
    ("below", Unit::Seconds, |day| day.below_seconds),
    ("blocked", Unit::Seconds, |day| day.blocked_seconds),
    ("quorumLost", Unit::Seconds, |day| day.quorum_lost_seconds),
];

/// What can be said about a day without a number.
const FACTS: &[(&str, &str)] = &[("quorum", "quorumLost = 0s")];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Machines,
    Count,
    Seconds,
}

/// Something that holds of a day or does not.
#[derive(Clone, Debug)]
pub struct Property {
    text: String,
    figure: &'static Figure,
    compares: Compares,
    limit: Limit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compares {
    More,
    AtLeast,
    Less,
    AtMost,
    Equal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    Number(i64),
    /// Of the machines.
    Share(Share),
}

/// The longest first, so that `>=` is not read as `>`.
const COMPARES: &[(&str, Compares)] = &[
    (">=", Compares::AtLeast),
    ("<=", Compares::AtMost),
    (">", Compares::More),
    ("<", Compares::Less),
    ("=", Compares::Equal),
];

impl Property {
    /// Reads one; the error says what was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let names = || FIGURES.iter().map(|(name, ..)| *name).collect::<Vec<_>>().join(", ");
        let known = FACTS.iter().find(|(fact, _)| *fact == text.trim());
        let spelled = known.map_or(text, |(_, spelled)| spelled);
        let parts = COMPARES.iter().find_map(|(sign, compares)| Some((spelled.split_once(sign)?, *compares)));
        let expected =
            || format!("expected quorum, or a figure ({}), one of > >= < <= =, and a limit, found {text:?}", names());
        let ((name, limit), compares) = parts.ok_or_else(expected)?;
        let figure = FIGURES.iter().find(|(known, ..)| *known == name.trim()).ok_or_else(expected)?;
        let limit = limit.trim();
        let number = || limit.parse::<u32>().ok().map(|number| Limit::Number(i64::from(number)));
        let limit = match figure.1 {
            Unit::Machines => Share::parse(limit).map(Limit::Share).or_else(number),
            Unit::Count => number(),
            Unit::Seconds => Span::parse(limit).map(|span| Limit::Number(span.0)),
        };
        let wanted = match figure.1 {
            Unit::Machines => "a number of machines or a share like 20%",
            Unit::Count => "a number",
            Unit::Seconds => "a duration like 30m",
        };
        let limit = limit.ok_or_else(|| format!("expected {wanted} as the limit of {}, found {text:?}", figure.0))?;
        Ok(Self { text: text.trim().to_owned(), figure, compares, limit })
    }

    /// Whether it holds.
    pub fn holds(&self, day: &Day) -> bool {
        let value = (self.figure.2)(day);
        // A share is compared as it is, without rounding: value of machines against millionths.
        let (value, limit) = match self.limit {
            Limit::Number(limit) => (value, limit),
            Limit::Share(Share(share)) => {
                (value.saturating_mul(1_000_000), whole(day.machines).saturating_mul(i64::from(share)))
            }
        };
        match self.compares {
            Compares::More => value > limit,
            Compares::AtLeast => value >= limit,
            Compares::Less => value < limit,
            Compares::AtMost => value <= limit,
            Compares::Equal => value == limit,
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What a day has to be like.
#[derive(Clone, Debug)]
pub struct Demand {
    /// The property.
    pub property: Property,
    /// Whether it must hold; else it must not.
    pub always: bool,
}

impl Scenario {
    /// What a day has to be like: what the scenario demands, after what is demanded besides.
    pub fn demands(&self, never: &[String], always: &[String]) -> Result<Vec<Demand>, Invalid> {
        let mut demands = Vec::new();
        for (path, texts, own) in [("never", never, &self.never), ("always", always, &self.always)] {
            for text in texts.iter().chain(own) {
                let invalid = |problem| Invalid { path: path.to_owned(), problem };
                demands.push(Demand { property: Property::parse(text).map_err(invalid)?, always: path == "always" });
            }
        }
        Ok(demands)
    }
}

impl Demand {
    /// Whether a day is as it has to be.
    pub fn is_met(&self, day: &Day) -> bool {
        self.property.holds(day) == self.always
    }
}

impl fmt::Display for Demand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", if self.always { "always" } else { "never" }, self.property)
    }
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn length<T>(list: &[T]) -> i64 {
    i64::try_from(list.len()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_machines_and_compare_exactly() {
        let day = Day { machines: 15, replaced: 3, quorum_lost_seconds: 5, ..Day::default() };
        let holds = |text: &str| Property::parse(text).expect(text).holds(&day);
        assert!(!holds("replaced > 20%") && holds("replaced >= 20%") && holds("replaced <= 3"));
        assert!(!holds("quorum") && holds("quorumLost < 6s") && holds("storms = 0"));
        for wrong in ["", "replaced", "lost > 3", "below > 3", "replaced > -1", "storms > 20%"] {
            assert!(Property::parse(wrong).is_err(), "{wrong}");
        }
    }
}
