//! Times as people write them.

use anyhow::{Context, Result};
use capi_policy_host::Time;
use std::time::SystemTime;

/// The present.
#[allow(clippy::disallowed_methods, reason = "the host is where time comes from")]
pub fn present() -> Time {
    SystemTime::now().into()
}

/// RFC 3339 text.
pub fn parse(text: &str) -> Result<Time> {
    Time::parse(text).with_context(|| format!("{text:?} is no time; write it like 2026-01-15T12:30:00Z"))
}

/// RFC 3339 text, or a duration like `1h30m` from `now` on.
pub fn parse_until(text: &str, now: Time) -> Result<Time> {
    match duration(text) {
        Some(seconds) => Ok(now.plus(seconds)),
        None => Time::parse(text).with_context(|| {
            format!("{text:?} is neither a duration like 2h, 90m, 1h30m, 7d nor a time like 2026-01-15T12:30:00Z")
        }),
    }
}

/// `1h30m` in seconds.
pub fn duration(text: &str) -> Option<i64> {
    let mut total = 0_i64;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit())?;
        let (number, tail) = rest.split_at_checked(digits)?;
        let unit = tail.chars().next()?;
        let seconds = match unit {
            's' => 1,
            'm' => 60,
            'h' => 3_600,
            'd' => 86_400,
            _ => return None,
        };
        total = total.checked_add(number.parse::<i64>().ok()?.checked_mul(seconds)?)?;
        rest = tail.get(1..)?;
    }
    (!text.is_empty()).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn durations_are_numbers_with_units() {
        assert_eq!(duration("2h"), Some(7_200));
        assert_eq!(duration("1h30m"), Some(5_400));
        assert_eq!(duration("7d"), Some(604_800));
        for wrong in ["", "2", "h", "2x", "-1h", "99999999999999999999h", "2026-01-15T12:30:00Z"] {
            assert_eq!(duration(wrong), None, "{wrong}");
        }
    }
}
