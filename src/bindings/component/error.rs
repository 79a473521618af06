//! Why something could not be done.

use super::types::{ErrorCode, PolicyError};
use crate::Error;

impl From<Error> for PolicyError {
    fn from(error: Error) -> Self {
        let code = match &error {
            Error::Invalid { .. } => ErrorCode::Invalid,
            Error::Syntax { .. } => ErrorCode::Syntax,
            Error::TooLarge { .. } => ErrorCode::TooLarge,
            Error::TooDeep { .. } => ErrorCode::TooDeep,
            Error::NotFound { .. } => ErrorCode::NotFound,
        };
        Self { code, path: error.path().map(ToOwned::to_owned), message: error.to_string() }
    }
}
