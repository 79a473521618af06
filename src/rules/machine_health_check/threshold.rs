//! Whether `spec.remediation.triggerIf` allows remediation for these verdicts, and what would change that.

use crate::error::Error;
use crate::json::written;
use crate::outcome::{Threshold, Verdict};
use crate::text::count;
use crate::view::{IntOrPercent, MachineHealthCheck};

const LIMIT: &str = "unhealthyLessThanOrEqualTo";
const TRIGGER: &str = "machineHealthCheck.spec.remediation.triggerIf";

/// `triggerIf` as it was read.
#[derive(Clone, Debug)]
pub struct Trigger {
    limit: Limit,
    /// Whether a number has a sign, which only Cluster API accepts.
    pub signed: bool,
}

/// How many machines may be unhealthy for remediation to be allowed.
#[derive(Clone, Debug)]
enum Limit {
    /// Both ends included.
    Range { min: i64, max: i64, configured: String },
    /// At most so many.
    AtMost { number: i64, configured: String },
    /// At most so many of a hundred, rounded down.
    Percent { percent: i64, source: &'static str, configured: String },
}

/// How many machines got which verdict.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// All that are not skipped.
    pub targets: i64,
    /// Passed.
    pub healthy: i64,
    /// A timeout is running.
    pub waiting: i64,
    /// Failed.
    pub unhealthy: i64,
    /// Can't be checked now.
    pub not_evaluated: i64,
}

impl Tally {
    /// Counts verdicts.
    pub fn of(verdicts: impl Iterator<Item = Verdict>) -> Self {
        let mut tally = Self::default();
        for verdict in verdicts {
            let counter = match verdict {
                Verdict::Skipped => continue,
                Verdict::Healthy => &mut tally.healthy,
                Verdict::Waiting => &mut tally.waiting,
                Verdict::Unhealthy => &mut tally.unhealthy,
                Verdict::NotEvaluated => &mut tally.not_evaluated,
            };
            *counter = counter.saturating_add(1);
            tally.targets = tally.targets.saturating_add(1);
        }
        tally
    }
}

impl Trigger {
    /// Reads the trigger of a health check: the range before the limit, everything when neither is set.
    pub fn read(health_check: &MachineHealthCheck<'_>) -> Result<Self, Error> {
        let trigger = &health_check.spec.remediation.trigger_if;
        match (&*trigger.unhealthy_in_range, &trigger.unhealthy_less_than_or_equal_to) {
            ("", None) => {
                let limit = Limit::Percent { percent: 100, source: "default", configured: "100%".to_owned() };
                Ok(Self { limit, signed: false })
            }
            ("", Some(limit)) => read_limit(limit),
            (range, _) => Ok(Self { limit: read_range(range)?, signed: false }),
        }
    }

    /// Why a trigger is refused that can't be read or has a sign.
    pub fn refused(health_check: &MachineHealthCheck<'_>, trigger: Result<Self, Error>) -> Error {
        trigger.err().unwrap_or_else(|| {
            let limit = &health_check.spec.remediation.trigger_if.unhealthy_less_than_or_equal_to;
            invalid_limit(match limit {
                Some(IntOrPercent::Text(text)) => written(&&**text),
                Some(IntOrPercent::Int(number)) => number.to_string(),
                None => String::new(),
            })
        })
    }

    /// The arithmetic for these verdicts. Whatever is not healthy counts, waiting machines too.
    pub fn apply(&self, tally: &Tally) -> Threshold {
        let counted = tally.targets.saturating_sub(tally.healthy);
        let (min, limit, source, configured) = match &self.limit {
            Limit::Range { min, max, configured } => (Some(*min), *max, "unhealthyInRange", configured),
            Limit::AtMost { number, configured } => (None, *number, LIMIT, configured),
            Limit::Percent { percent, source, configured } => {
                (None, percent.saturating_mul(tally.targets).div_euclid(100), *source, configured)
            }
        };
        Threshold {
            targets: tally.targets,
            healthy: tally.healthy,
            waiting: tally.waiting,
            unhealthy: tally.unhealthy,
            not_evaluated: tally.not_evaluated,
            counted,
            min,
            limit,
            source,
            configured: configured.clone(),
            allowed: counted <= limit && min.is_none_or(|min| counted >= min),
            flips: flips(counted, min.unwrap_or(0), limit, min.is_some()),
        }
    }
}

/// What would turn the decision around.
fn flips(counted: i64, min: i64, limit: i64, range: bool) -> String {
    let healthier = |number| {
        if number == 1 { "1 more machine is healthy".to_owned() } else { format!("{number} more machines are healthy") }
    };
    let worse =
        |number: i64| count(number, "more machine") + if number == 1 { " is not healthy" } else { " are not healthy" };
    if counted > limit {
        let until = if range { "a range that ends at" } else { "a limit of at least" };
        let suffix = if range { " or later" } else { "" };
        format!("allowed again when {}, or with {until} {counted}{suffix}", healthier(counted.saturating_sub(limit)))
    } else if counted < min {
        format!(
            "allowed when {}, or with a range that starts at {counted} or earlier",
            worse(min.saturating_sub(counted))
        )
    } else {
        let more = limit.saturating_sub(counted).saturating_add(1);
        if range && min > 0 {
            let fewer = counted.saturating_sub(min).saturating_add(1);
            format!("blocked when {}, or when {}", worse(more), healthier(fewer))
        } else {
            format!("blocked when {}", worse(more))
        }
    }
}

fn read_range(text: &str) -> Result<Limit, Error> {
    let invalid =
        || Error::expected(format!("{TRIGGER}.unhealthyInRange"), "\"[min-max]\" with min <= max", written(&text));
    let number =
        |digits: &str| digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse::<u32>().ok()).flatten();
    let (min, max) =
        text.strip_prefix('[').and_then(|t| t.strip_suffix(']')).and_then(|t| t.split_once('-')).ok_or_else(invalid)?;
    match (number(min), number(max)) {
        (Some(min), Some(max)) if min <= max => {
            Ok(Limit::Range { min: min.into(), max: max.into(), configured: text.to_owned() })
        }
        _ => Err(invalid()),
    }
}

fn read_limit(limit: &IntOrPercent<'_>) -> Result<Trigger, Error> {
    let configured = limit.to_string();
    match limit {
        IntOrPercent::Int(number) => {
            Ok(Trigger { limit: Limit::AtMost { number: *number, configured }, signed: *number < 0 })
        }
        IntOrPercent::Text(text) => {
            let digits = text.strip_suffix('%');
            let percent = digits.and_then(|digits| digits.parse::<i64>().ok());
            let percent = percent.ok_or_else(|| invalid_limit(written(&&**text)))?;
            let signed = !digits.is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
            Ok(Trigger { limit: Limit::Percent { percent, source: LIMIT, configured }, signed })
        }
    }
}

fn invalid_limit(found: String) -> Error {
    Error::expected(format!("{TRIGGER}.{LIMIT}"), "a whole number or a percentage like \"40%\", not negative", found)
}
