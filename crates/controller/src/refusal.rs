//! What to do about a write that was refused.

use kube::Error;
use std::time::Duration;

/// The first and the longest pause between two attempts.
const FIRST: Duration = Duration::from_millis(200);
const LONGEST: Duration = Duration::from_mins(1);

/// Why a write did not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The object is gone: nothing to write any more.
    Gone,
    /// The object has changed since the decision: decide again on what is there now.
    Outdated,
    /// The server will never take it as it is.
    Invalid,
    /// Not allowed; that may be put right without any object changing.
    Forbidden,
    /// Too many requests, a server in trouble, or no way to it: the same again later.
    Trouble,
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
        }
    }

    /// Whether the same decision is tried again by itself. What is gone or invalid waits for a change.
    pub fn try_again(self) -> bool {
        matches!(self, Self::Outdated | Self::Forbidden | Self::Trouble)
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
    }

    #[test]
    fn pauses_double_up_to_a_minute() {
        assert_eq!(backoff(1), Duration::from_millis(200));
        assert_eq!(backoff(3), Duration::from_millis(800));
        assert_eq!(backoff(40), Duration::from_mins(1));
    }
}
