//! Moments in whole seconds: RFC 3339 reading and printing, and arithmetic that can't overflow.

use crate::error::Error;
use crate::json::written;
use capi_policy_json::{Fault, Read, Reader};
use serde::de::{self, Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DAY: i64 = 86_400;
const SHORTEST_MONTH: u32 = 28;
/// Years that RFC 3339 can write: 0000-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
const WRITABLE: std::ops::RangeInclusive<i64> = -62_167_219_200..=253_402_300_799;

/// A moment, in whole seconds since 1970.
///
/// Kubernetes stores whole seconds, so decisions are made at whole seconds too: a fraction in the input is cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(i64);

impl Time {
    /// What Kubernetes means by "no time": the first second of year 1.
    pub const ZERO: Self = Self(-62_135_596_800);

    /// The moment so many seconds after the start of 1970, or before it.
    pub fn from_unix_seconds(seconds: i64) -> Self {
        Self(seconds)
    }

    /// Seconds since the start of 1970, negative before it.
    pub fn unix_seconds(self) -> i64 {
        self.0
    }

    /// The moment so many seconds after this one; stays at the ends of time instead of overflowing.
    #[must_use]
    pub fn plus(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds))
    }

    /// Seconds from `earlier` to this moment, negative when `earlier` is later.
    pub fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Reads RFC 3339 text that `path` names in an error.
    pub fn parse_named(path: &str, text: &str) -> Result<Self, Error> {
        Self::parse(text).ok_or_else(|| Error::expected(path, "RFC 3339", written(&text)))
    }

    /// Reads RFC 3339 text.
    #[allow(clippy::arithmetic_side_effects, reason = "no number has more than four digits")]
    pub fn parse(text: &str) -> Option<Self> {
        let [y1, y2, y3, y4, b'-', mo1, mo2, b'-', d1, d2, b'T' | b't' | b' ', rest @ ..] = text.as_bytes() else {
            return None;
        };
        let [h1, h2, b':', m1, m2, b':', s1, s2, zone @ ..] = rest else { return None };
        let date = [two(y1, y2)? * 100 + two(y3, y4)?, two(mo1, mo2)?, two(d1, d2)?];
        Self::of(date, [two(h1, h2)?, two(m1, m2)?, two(s1, s2)?], offset(zone)?)
    }

    /// Reads RFC 3339 text as API servers write it, eight bytes at a time.
    #[allow(clippy::arithmetic_side_effects, reason = "no number has more than four digits")]
    fn parse_utc(text: &[u8; 20]) -> Option<Self> {
        let [century, _, year, _, _, month, ..] = DATE.numbers(*text.first_chunk()?)?;
        let [day, _, _, hour, _, _, minute, _] = DAY_AND_CLOCK.numbers(*text.get(8..)?.first_chunk()?)?;
        let [.., second, _, _] = CLOCK_AND_END.numbers(*text.last_chunk()?)?;
        let year = u32::from(century) * 100 + u32::from(year);
        Self::of([year, month.into(), day.into()], [hour.into(), minute.into(), second.into()], 0)
    }

    /// The moment of a date and a time of day, on a clock that is so many seconds ahead of UTC.
    #[allow(clippy::arithmetic_side_effects, reason = "every term is bounded: no number has more than four digits")]
    #[allow(clippy::inline_always, reason = "every condition has a time; a call less for each")]
    #[inline(always)]
    fn of([year, month, day]: [u32; 3], [hour, minute, second]: [u32; 3], ahead: i64) -> Option<Self> {
        if !(1..=12).contains(&month) || day == 0 || day > SHORTEST_MONTH && day > days_in(year, month) {
            return None;
        }
        if hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        // A leap second is the last second of its minute.
        let time = hour * 3_600 + minute * 60 + second.min(59);
        Some(Self(days_before(year, month, day) * DAY + i64::from(time) - ahead))
    }
}

/// Two digits.
#[allow(
    clippy::arithmetic_side_effects,
    clippy::trivially_copy_pass_by_ref,
    reason = "digits, as slice patterns give them"
)]
fn two(tens: &u8, ones: &u8) -> Option<u32> {
    match (tens, ones) {
        (b'0'..=b'9', b'0'..=b'9') => Some(u32::from(tens - b'0') * 10 + u32::from(ones - b'0')),
        _ => None,
    }
}

/// Eight bytes of a time as API servers write it.
struct Shape {
    /// With zeros for digits.
    text: u64,
    /// All bits of the bytes that are no digits.
    fixed: u64,
}

const DATE: Shape = Shape::of(*b"0000-00-");
const DAY_AND_CLOCK: Shape = Shape::of(*b"00T00:00");
const CLOCK_AND_END: Shape = Shape::of(*b"0:00:00Z");

impl Shape {
    #[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a fault does not compile")]
    const fn of(text: [u8; 8]) -> Self {
        let (mut fixed, mut at) = ([0xff; 8], 0);
        while at < 8 {
            if text[at] == b'0' {
                fixed[at] = 0;
            }
            at += 1;
        }
        Self { text: u64::from_le_bytes(text), fixed: u64::from_le_bytes(fixed) }
    }

    /// A byte for each byte: what it and the one behind it are as a number of two digits. `None` for another shape.
    fn numbers(&self, eight: [u8; 8]) -> Option<[u8; 8]> {
        const ONES: u64 = 0x0101_0101_0101_0101;
        let digits = u64::from_le_bytes(eight) ^ self.text;
        let above_nine = (digits | digits.wrapping_add(ONES.wrapping_mul(0x76))) & (ONES << 7);
        let numbers = digits.wrapping_mul(10).wrapping_add(digits >> 8);
        (above_nine | (digits & self.fixed) == 0).then_some(numbers.to_le_bytes())
    }
}

/// Seconds that the text after the seconds puts the clock ahead of UTC; a fraction is skipped.
#[allow(clippy::arithmetic_side_effects, reason = "of two digits each")]
fn offset(zone: &[u8]) -> Option<i64> {
    let zone = match zone {
        [b'.', fraction @ ..] => {
            let digits = fraction.iter().take_while(|c| c.is_ascii_digit()).count();
            fraction.get(digits..).filter(|_| digits > 0)?
        }
        _ => zone,
    };
    match zone {
        [b'Z' | b'z'] => Some(0),
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let (hours, minutes) = (two(h1, h2)?, two(m1, m2)?);
            let ahead = (hours <= 23 && minutes <= 59).then_some(i64::from(hours * 3_600 + minutes * 60))?;
            Some(if *sign == b'-' { -ahead } else { ahead })
        }
        _ => None,
    }
}

fn days_in(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970 to a date of the Gregorian calendar, counted in years that start in March.
#[allow(clippy::arithmetic_side_effects, reason = "every term is bounded by a year of four digits")]
#[allow(clippy::inline_always, reason = "as above")]
#[inline(always)]
fn days_before(year: u32, month: u32, day: u32) -> i64 {
    // One era of 400 years more, so that no number is negative.
    let (year, month) = if month > 2 { (year + 400, month - 3) } else { (year + 399, month + 9) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day;
    i64::from(days) - 146_097 - 719_469
}

impl Time {
    /// The other way round. What lies beyond the years that can be written is shown as the nearest moment that can.
    #[allow(clippy::arithmetic_side_effects, reason = "clamped to years of four digits")]
    fn rfc3339(self) -> [u8; 20] {
        let seconds = self.0.clamp(*WRITABLE.start(), *WRITABLE.end());
        let (days, time) = (seconds.div_euclid(DAY) + 719_468, seconds.rem_euclid(DAY));
        let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * march_month + 2) / 5 + 1;
        let month = (march_month + 2) % 12 + 1;
        let year = era * 400 + year_of_era + i64::from(month <= 2);
        let [(y1, y2), (y3, y4), (mo1, mo2), (d1, d2)] = [year / 100, year % 100, month, day].map(digits);
        let [(h1, h2), (m1, m2), (s1, s2)] = [time / 3_600, time / 60 % 60, time % 60].map(digits);
        [y1, y2, y3, y4, b'-', mo1, mo2, b'-', d1, d2, b'T', h1, h2, b':', m1, m2, b':', s1, s2, b'Z']
    }
}

/// The two digits of a number below a hundred.
#[allow(clippy::arithmetic_side_effects, reason = "digits")]
fn digits(number: i64) -> (u8, u8) {
    let digit = |number: i64| b'0' + u8::try_from(number).unwrap_or_default();
    (digit(number / 10), digit(number % 10))
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(str::from_utf8(&self.rfc3339()).unwrap_or_default())
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(str::from_utf8(&self.rfc3339()).unwrap_or_default())
    }
}

/// For hosts that read decisions; snapshots are read without serde.
impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| de::Error::custom(format_args!("expected RFC 3339, found {text}")))
    }
}

/// The fraction of a second is cut off.
impl From<SystemTime> for Time {
    fn from(time: SystemTime) -> Self {
        let seconds = |duration: Duration| i64::try_from(duration.as_secs()).unwrap_or(i64::MAX);
        Self(match time.duration_since(UNIX_EPOCH) {
            Ok(after) => seconds(after),
            Err(before) => seconds(before.duration()).saturating_neg(),
        })
    }
}

impl Default for Time {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<'a> Read<'a> for Time {
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        // As API servers write it.
        *self = match reader.string_of(Self::parse_utc) {
            Some(time) => time,
            None => reader.string("RFC 3339", |text| Self::parse(&text))?,
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Time, UNIX_EPOCH, WRITABLE};
    use jiff::SignedDuration;
    use jiff::civil::{DateTime, date};
    use proptest::prelude::*;

    const EPOCH: DateTime = date(1970, 1, 1).at(0, 0, 0, 0);

    proptest! {
        #[test]
        fn every_second_is_written_and_read_as_a_calendar_library_does(seconds in WRITABLE) {
            let text = Time(seconds).to_string();
            let civil = EPOCH.saturating_add(SignedDuration::from_secs(seconds));
            prop_assert_eq!(&text, &format!("{civil}Z"));
            prop_assert_eq!(Time::parse(&text), Some(Time(seconds)));
        }
    }

    proptest! {
        #[test]
        fn the_short_way_reads_what_the_long_way_reads(seconds in WRITABLE, at in 0_usize..20, byte in 0_u8..128) {
            let mut text = Time(seconds).rfc3339();
            prop_assert_eq!(Time::parse_utc(&text), Some(Time(seconds)));
            text[at] = byte;
            let long = Time::parse(str::from_utf8(&text).expect("ASCII"));
            let short = Time::parse_utc(&text);
            prop_assert!(short == long || short.is_none() && (text[10] != b'T' || text[19] != b'Z'), "{:?}", text);
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
    fn the_system_s_time_is_the_same_moment() {
        for (seconds, text) in [(1_768_478_400, "2026-01-15T12:00:00Z"), (0, "1970-01-01T00:00:00Z")] {
            let system = UNIX_EPOCH + Duration::from_millis(seconds * 1_000 + 999);
            assert_eq!(Time::from(system).to_string(), text);
        }
        assert_eq!(Time::from(UNIX_EPOCH - Duration::from_secs(1)).to_string(), "1969-12-31T23:59:59Z");
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
