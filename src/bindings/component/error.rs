//! Why a snapshot could not be evaluated.

use super::types::{Excess, InvalidValue, PolicyError};
use crate::Error;

impl From<Error> for PolicyError {
    fn from(error: Error) -> Self {
        match error {
            Error::Invalid { path, detail } => Self::Invalid(InvalidValue { path, detail }),
            Error::Syntax { detail } => Self::Syntax(detail),
            Error::TooLarge { bytes, limit } => Self::TooLarge(excess(limit, bytes)),
            Error::TooDeep { limit, at } => Self::TooDeep(excess(limit, at)),
        }
    }
}

fn excess(limit: usize, found: usize) -> Excess {
    Excess { limit: limit as u64, found: found as u64 }
}
