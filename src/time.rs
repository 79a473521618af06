//! Moments in whole seconds: RFC 3339 text in, comparable and overflow-free arithmetic out.

use crate::error::Error;
use jiff::SignedDuration;
use jiff::civil::{DateTime, date};
use jiff::fmt::temporal::Pieces;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;

/// The last second of year 9999, the last one that RFC 3339 can write.
const LAST: i64 = 253_402_300_799;
const EPOCH: DateTime = date(1970, 1, 1).at(0, 0, 0, 0);

/// A moment, in whole seconds since 1970.
///
/// Kubernetes stores whole seconds, so decisions are made at whole seconds too: a fraction in the input is cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(i64);

impl Time {
    /// What Kubernetes means by "no time": the first second of year 1.
    pub const ZERO: Self = Self(-62_135_596_800);

    /// The moment so many seconds after this one; stays at the ends of time instead of overflowing.
    #[must_use]
    pub fn plus(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds))
    }

    /// Seconds from `earlier` to this moment, negative when `earlier` is later.
    pub fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Reads RFC 3339 text.
    pub fn parse(text: &str) -> Option<Self> {
        Self::parse_canonical(text.as_bytes()).or_else(|| Self::parse_any(text))
    }

    /// Reads RFC 3339 text that `path` names in an error.
    pub fn parse_named(path: &str, text: &str) -> Result<Self, Error> {
        Self::parse(text).ok_or_else(|| Error::expected(path, "RFC 3339", format_args!("{text:?}")))
    }

    /// `2026-03-11T07:15:09Z`, the one form an API server writes: worth a path of its own, since a fleet has
    /// tens of thousands of them.
    #[allow(clippy::arithmetic_side_effects, reason = "every term is bounded: a year has four digits here")]
    fn parse_canonical(text: &[u8]) -> Option<Self> {
        let [y1, y2, y3, y4, b'-', mo1, mo2, b'-', d1, d2, b'T', h1, h2, b':', m1, m2, b':', s1, s2, b'Z'] = *text
        else {
            return None;
        };
        let two = |tens: u8, ones: u8| match (tens, ones) {
            (b'0'..=b'9', b'0'..=b'9') => Some(i64::from(tens - b'0') * 10 + i64::from(ones - b'0')),
            _ => None,
        };
        let year = two(y1, y2)? * 100 + two(y3, y4)?;
        let (month, day) = (two(mo1, mo2)?, two(d1, d2)?);
        let (hour, minute, second) = (two(h1, h2)?, two(m1, m2)?, two(s1, s2)?);
        // Day 29 and later depend on the month, second 60 on history: the general path knows.
        if !(1..=12).contains(&month) || !(1..=28).contains(&day) || hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        // Days since 1970 in the proleptic Gregorian calendar, with years that start in March.
        let march_year = if month <= 2 { year - 1 } else { year };
        let (era, year_of_era) = (march_year.div_euclid(400), march_year.rem_euclid(400));
        let day_of_year = ((month + 9) % 12 * 153 + 2) / 5 + day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        let days = era * 146_097 + day_of_era - 719_468;
        Some(Self(days * 86_400 + hour * 3_600 + minute * 60 + second))
    }

    fn parse_any(text: &str) -> Option<Self> {
        let pieces = Pieces::parse(text).ok()?;
        let moment = pieces.date().to_datetime(pieces.time()?);
        let offset = i64::from(pieces.to_numeric_offset()?.seconds());
        Some(Self(moment.duration_since(EPOCH).as_secs().saturating_sub(offset)))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.0.clamp(Self::ZERO.0, LAST);
        write!(f, "{}Z", EPOCH.saturating_add(SignedDuration::from_secs(shown)))
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Rfc3339;
        impl Visitor<'_> for Rfc3339 {
            type Value = Time;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("RFC 3339")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Time, E> {
                Time::parse(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_str(Rfc3339)
    }
}

#[cfg(test)]
mod tests {
    use super::Time;

    #[test]
    fn canonical_and_general_paths_agree() {
        for text in [
            "1970-01-01T00:00:00Z",
            "2024-02-28T23:59:59Z",
            "2000-03-01T00:00:00Z",
            "0001-01-01T00:00:00Z",
            "9999-12-28T23:59:59Z",
            "2026-01-15T12:30:00Z",
        ] {
            assert!(Time::parse_canonical(text.as_bytes()).is_some(), "{text}");
            assert_eq!(Time::parse_canonical(text.as_bytes()), Time::parse_any(text), "{text}");
            assert_eq!(Time::parse(text).map(|t| t.to_string()).as_deref(), Some(text));
        }
    }

    #[test]
    fn offsets_fractions_and_month_ends_are_read() {
        let utc = |text| Time::parse(text).map(|t| t.to_string());
        assert_eq!(utc("2024-02-29T01:00:00+02:00").as_deref(), Some("2024-02-28T23:00:00Z"));
        assert_eq!(utc("2024-12-31T23:59:59.999999Z").as_deref(), Some("2024-12-31T23:59:59Z"));
        assert_eq!(utc("9999-12-31T23:59:59Z").as_deref(), Some("9999-12-31T23:59:59Z"));
    }

    #[test]
    fn what_is_not_a_moment_is_refused() {
        for text in
            ["", "yesterday", "2025-02-30T00:00:00Z", "2025-01-01", "2025-01-01T00:00:00", "2025-13-01T00:00:00Z"]
        {
            assert_eq!(Time::parse(text), None, "{text}");
        }
    }

    #[test]
    fn arithmetic_stays_at_the_ends_of_time() {
        let end = Time::parse("9999-12-31T23:59:59Z").unwrap_or(Time::ZERO);
        assert_eq!(end.plus(i64::MAX).to_string(), "9999-12-31T23:59:59Z");
        assert!(Time(i64::MIN).since(end) < 0);
    }
}
