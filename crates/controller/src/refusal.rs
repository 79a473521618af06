//! What to do about a write that was refused.

use kube::Error;
use std::time::Duration;

/// The first and the longest pause between two attempts.
const FIRST: Duration = Duration::from_millis(200);
const LONGEST: Duration = Duration::from_mins(1);
/// The first pause where only something else can help.
const SLOW: Duration = Duration::from_secs(2);

/// Why a write did not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The object is gone, or looks so for a moment.
    Gone,
    /// The object has changed since the decision: decide again on what is there now.
    Outdated,
    /// The server does not take it as it is; a webhook or a schema may be put right without any object changing.
    Invalid,
    /// Not allowed; that may be put right without any object changing.
    Forbidden,
    /// Too many requests, or a server in trouble: the same again later.
    Trouble,
    /// No answer. It may have been done or not.
    Unanswered,
    /// Somebody else writes the same field.
    Contested,
    /// Its record could not be written, so it was not done.
    NotRecorded,
}

impl Refusal {
    pub fn of(error: &Error) -> Self {
        match error {
            Error::Api(status) => match status.code {
                404 | 410 => Self::Gone,
                409 => Self::Outdated,
                400 | 405 | 413 | 415 | 422 => Self::Invalid,
                401 | 403 => Self::Forbidden,
                _ => Self::Trouble,
            },
            Error::Service(_) | Error::HyperError(_) => Self::Unanswered,
            _ => Self::Trouble,
        }
    }

    /// For metrics and logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Outdated => "outdated",
            Self::Invalid => "invalid",
            Self::Forbidden => "forbidden",
            Self::Trouble => "trouble",
            Self::Unanswered => "unanswered",
            Self::Contested => "contested",
            Self::NotRecorded => "not recorded",
        }
    }

    /// The pause before the attempt after so many failures.
    pub fn pause(self, failures: u32) -> Duration {
        match self {
            Self::Outdated | Self::Trouble | Self::Unanswered | Self::NotRecorded => backoff(failures),
            Self::Gone | Self::Invalid | Self::Forbidden | Self::Contested => backoff(failures).max(SLOW),
        }
    }
}

/// The pause before the attempt after so many failures.
pub fn backoff(failures: u32) -> Duration {
    let factor = 2_u32.saturating_pow(failures.saturating_sub(1).min(16));
    FIRST.saturating_mul(factor).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::{Refusal, backoff};
    use kube::Error;
    use kube::core::Status;
    use std::time::Duration;

    #[test]
    fn codes() {
        let of = |code| Refusal::of(&Error::Api(Status::failure("", "").with_code(code).boxed()));
        let seen: Vec<_> = [404, 409, 422, 403, 429, 500, 503].map(|code| of(code).name()).to_vec();
        assert_eq!(seen, ["gone", "outdated", "invalid", "forbidden", "trouble", "trouble", "trouble"]);
        assert_eq!(Refusal::of(&Error::Service("no answer within 15 s".into())).name(), "unanswered");
    }

    #[test]
    fn every_refusal_is_tried_again_some_slowly() {
        assert_eq!(Refusal::Outdated.pause(1), Duration::from_millis(200));
        assert_eq!(Refusal::Gone.pause(1), Duration::from_secs(2));
        assert_eq!(Refusal::Invalid.pause(20), Duration::from_mins(1));
    }

    #[test]
    fn pauses_double_up_to_a_minute() {
        assert_eq!(backoff(1), Duration::from_millis(200));
        assert_eq!(backoff(3), Duration::from_millis(800));
        assert_eq!(backoff(40), Duration::from_mins(1));
    }
}
