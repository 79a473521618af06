//! Why a snapshot could not be evaluated: always with the path and the value that stand in the way.

use crate::outcome::written;
use capi_policy_json::{Fault, MAX_DEPTH, Problem};
use serde::Serialize;
use thiserror::Error;

/// A snapshot that can't be evaluated. The host keeps whatever it had.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// A value that can't be read.
    #[error("{path}: {detail}")]
    Invalid {
        /// Where in the snapshot, as in `machines[2].metadata.name`.
        path: String,
        /// What was expected and what was found.
        detail: String,
    },
    /// Text that is not JSON.
    #[error("not JSON: {detail}")]
    Syntax {
        /// What the parser stumbled over, with line and column.
        detail: String,
    },
    /// More text than the policy accepts.
    #[error("snapshot: expected at most {limit} bytes, found {bytes}")]
    TooLarge {
        /// The size of the snapshot.
        bytes: usize,
        /// The largest size accepted.
        limit: usize,
    },
    /// Deeper nesting than any Kubernetes object has.
    #[error("snapshot: expected at most {limit} levels of nesting, found more at byte {at}")]
    TooDeep {
        /// The deepest level accepted.
        limit: usize,
        /// Where the limit is crossed.
        at: usize,
    },
}

impl Error {
    /// An [`Error::Invalid`] that says `expected …, found …`.
    pub(crate) fn expected(path: impl Into<String>, expected: &str, found: impl std::fmt::Display) -> Self {
        Self::Invalid { path: path.into(), detail: format!("expected {expected}, found {found}") }
    }

    /// Where in the snapshot, where that is known.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::Invalid { path, .. } => Some(path),
            _ => None,
        }
    }

    /// One word for what went wrong.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid { .. } => "invalid",
            Self::Syntax { .. } => "syntax",
            Self::TooLarge { .. } => "tooLarge",
            Self::TooDeep { .. } => "tooDeep",
        }
    }

    /// As JSON text with `code`, `path` where it is known, `detail` and the whole `message`: what hosts that pass text
    /// get for an error.
    pub fn json(&self) -> String {
        #[derive(Serialize)]
        struct Json<'a> {
            code: &'static str,
            #[serde(skip_serializing_if = "Option::is_none")]
            path: Option<&'a str>,
            detail: &'a str,
            message: &'a str,
        }
        let message = &*self.to_string();
        let detail = match self {
            Self::Invalid { detail, .. } | Self::Syntax { detail } => detail,
            Self::TooLarge { .. } | Self::TooDeep { .. } => message,
        };
        written(&Json { code: self.code(), path: self.path(), detail, message })
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        let (problem, (line, column)) = (fault.problem(), fault.line_and_column());
        match problem {
            Problem::Syntax(expected) => {
                Self::Syntax { detail: format!("expected {expected} at line {line} column {column}") }
            }
            Problem::TooDeep => Self::TooDeep { limit: MAX_DEPTH, at: fault.at() },
            Problem::Unexpected { .. } | Problem::Missing(_) => {
                let path = Some(fault.path()).filter(|path| !path.is_empty());
                let detail = format!("{problem} (line {line} column {column})");
                Self::Invalid { path: path.unwrap_or_else(|| "snapshot".to_owned()), detail }
            }
        }
    }
}
