//! Durations, shares and distributions as people write them.

use crate::chance::{Chance, WHOLE};
use serde::de::{self, Deserializer, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// A duration: `90s`, `5m`, `1h30m`, `7d`, or a whole number of seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span(pub i64);

const UNITS: &[(char, i64)] = &[('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];

impl Span {
    /// Reads a duration.
    pub fn parse(text: &str) -> Option<Self> {
        let (mut total, mut rest, mut last) = (0_i64, text.trim(), i64::MAX);
        if rest.is_empty() {
            return None;
        }
        while !rest.is_empty() {
            let end = rest.find(|c: char| !c.is_ascii_digit())?;
            let number: i64 = rest.get(..end)?.parse().ok()?;
            let unit = rest.get(end..)?.chars().next()?;
            let seconds = UNITS.iter().find(|(known, _)| *known == unit)?.1;
            if seconds >= last {
                return None;
            }
            last = seconds;
            total = total.checked_add(number.checked_mul(seconds)?)?;
            rest = rest.get(end + 1..)?;
        }
        Some(Self(total))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        if rest <= 0 {
            return write!(f, "{rest}s");
        }
        for (unit, seconds) in UNITS {
            if rest >= *seconds {
                write!(f, "{}{unit}", rest / seconds)?;
                rest %= seconds;
            }
        }
        Ok(())
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

struct SpanVisitor;

impl Visitor<'_> for SpanVisitor {
    type Value = Span;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a duration like 90s, 5m, 1h30m or 2d")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Span, E> {
        Span::parse(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }

    fn visit_u64<E: de::Error>(self, seconds: u64) -> Result<Span, E> {
        let wrong = || E::invalid_value(de::Unexpected::Unsigned(seconds), &self);
        i64::try_from(seconds).map(Span).map_err(|_| wrong())
    }

    fn visit_i64<E: de::Error>(self, seconds: i64) -> Result<Span, E> {
        u64::try_from(seconds)
            .map_err(|_| E::invalid_value(de::Unexpected::Signed(seconds), &self))
            .and_then(|seconds| self.visit_u64(seconds))
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SpanVisitor)
    }
}

/// A share from 0% to 100%, in millionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share(pub u32);

impl Share {
    /// Reads a percentage with up to four decimals.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().strip_suffix('%')?.trim_end();
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !is_number(whole) || !is_number(decimals) || decimals.len() > 4 {
            return None;
        }
        let whole: u32 = whole.parse().ok()?;
        let decimals: u32 = format!("{decimals:0<4}").parse().ok()?;
        Some(Self(whole.checked_mul(10_000)?.checked_add(decimals)?)).filter(|share| share.0 <= WHOLE)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:04}", self.0 / 10_000, self.0 % 10_000);
        write!(f, "{}%", text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ShareVisitor;
        impl Visitor<'_> for ShareVisitor {
            type Value = Share;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a share from 0% to 100%, like 2.5%")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Share, E> {
                Share::parse(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_any(ShareVisitor)
    }
}

/// How long something takes: always the same, or as its quantiles say, evenly between two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duration {
    /// The shortest.
    pub min: Span,
    /// Half of them take no longer.
    pub median: Span,
    /// Nine of ten take no longer.
    pub p90: Span,
    /// The longest.
    pub max: Span,
}

impl Duration {
    /// Always the same.
    pub const fn fixed(seconds: i64) -> Self {
        let span = Span(seconds);
        Self { min: span, median: span, p90: span, max: span }
    }

    /// Whether the quantiles are in order.
    pub fn is_ordered(&self) -> bool {
        self.min <= self.median && self.median <= self.p90 && self.p90 <= self.max
    }

    /// Draws one.
    pub fn draw(&self, chance: &mut Chance) -> i64 {
        if self.min == self.max {
            return self.min.0;
        }
        let at = i64::try_from(chance.below(1_000)).unwrap_or(0);
        let (from, to, start, size) = match at {
            ..500 => (self.min, self.median, 0, 500),
            500..900 => (self.median, self.p90, 500, 400),
            _ => (self.p90, self.max, 900, 100),
        };
        from.0 + (to.0 - from.0) * (at - start) / size
    }
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Quantiles {
    min: Option<Span>,
    median: Span,
    p90: Option<Span>,
    max: Option<Span>,
}

impl Serialize for Duration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.min == self.max {
            return self.min.serialize(serializer);
        }
        let Self { min, median, p90, max } = *self;
        Quantiles { min: Some(min), median, p90: Some(p90), max: Some(max) }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct DurationVisitor;
        impl<'de> Visitor<'de> for DurationVisitor {
            type Value = Duration;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a duration like 5m, or its quantiles min, median, p90 and max")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Duration, E> {
                SpanVisitor.visit_str(text).map(|span| Duration::fixed(span.0))
            }

            fn visit_u64<E: de::Error>(self, seconds: u64) -> Result<Duration, E> {
                SpanVisitor.visit_u64(seconds).map(|span| Duration::fixed(span.0))
            }

            fn visit_i64<E: de::Error>(self, seconds: i64) -> Result<Duration, E> {
                SpanVisitor.visit_i64(seconds).map(|span| Duration::fixed(span.0))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Duration, A::Error> {
                let given = Quantiles::deserialize(MapAccessDeserializer::new(map))?;
                let p90 = given.p90.unwrap_or(given.median);
                let (min, max) = (given.min.unwrap_or(given.median), given.max.unwrap_or(p90));
                Ok(Duration { min, median: given.median, p90, max })
            }
        }
        deserializer.deserialize_any(DurationVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Key;

    #[test]
    fn durations_and_shares_read_as_they_are_written() {
        for text in ["90s", "1m30s", "1h", "2d4h", "0s"] {
            let span = Span::parse(text).expect(text);
            assert_eq!(Span::parse(&span.to_string()), Some(span), "{text}");
        }
        for text in ["", "5", "m5", "5m5m", "1s1h", "-5m", "999999999999999d"] {
            assert_eq!(Span::parse(text), None, "{text}");
        }
        for text in ["0%", "2.5%", "0.0001%", "100%"] {
            assert_eq!(Share::parse(text).expect(text).to_string(), text);
        }
        for text in ["", "%", "-5%", "101%", "5", "0.00001%", "1.%"] {
            assert_eq!(Share::parse(text), None, "{text}");
        }
    }

    #[test]
    fn quantiles_are_what_is_drawn() {
        let duration: Duration =
            serde_json::from_str(r#"{"min":"1m","median":"4m","p90":"10m","max":"1h"}"#).expect("a duration");
        let mut chance = Chance::new(Key { seed: 1, cluster: 0, owner: 0, slot: 0, incarnation: 0 });
        let mut drawn: Vec<_> = (0..10_000).map(|_| duration.draw(&mut chance)).collect();
        drawn.sort_unstable();
        assert!(drawn[0] >= 60 && drawn[9_999] <= 3_600);
        assert!((drawn[5_000] - 240).abs() < 15, "{}", drawn[5_000]);
        assert!((drawn[9_000] - 600).abs() < 60, "{}", drawn[9_000]);
    }
}
