//! Why something could not be evaluated: always with the path and the value that stand in the way.

use crate::json::written;
use capi_policy_json::{Fault, MAX_DEPTH, Problem};
use serde::Serialize;
use thiserror::Error;

/// A value or a name that is longer is cut here in a message.
const SHOWN_CHARS: usize = 100;

/// Input that can't be evaluated. The host keeps whatever it had.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// A value that can't be read.
    #[error("{path}: {detail}")]
    Invalid {
        /// Where in the text, as in `machines[2].metadata.name`.
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
        /// The size of the text.
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
    /// The fleet does not have the object.
    #[error("fleet: there is no {object}")]
    NotFound {
        /// The object.
        object: String,
    },
}

impl Error {
    /// An [`Error::Invalid`] that says `expected …, found …`.
    pub(crate) fn expected(path: impl Into<String>, expected: &str, found: impl std::fmt::Display) -> Self {
        Self::invalid(path.into(), expected, &found.to_string(), "")
    }

    fn invalid(path: String, expected: &str, found: &str, place: &str) -> Self {
        Self::Invalid {
            path: shortened(path),
            detail: format!("expected {expected}, found {}{place}", shortened(found.to_owned())),
        }
    }

    /// The same, seen from the list that the text is an item of.
    pub(crate) fn in_item(self, list: &str, index: usize) -> Self {
        match self {
            Self::Invalid { path, detail } => Self::Invalid { path: format!("{list}[{index}].{path}"), detail },
            other => other,
        }
    }

    /// Where in the text, where that is known.
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
            Self::NotFound { .. } => "notFound",
        }
    }

    /// As JSON text with `code`, `path` where it is known, and `message`: what hosts that pass text get for an error.
    pub fn json(&self) -> String {
        #[derive(Serialize)]
        struct Json<'a> {
            code: &'static str,
            #[serde(skip_serializing_if = "Option::is_none")]
            path: Option<&'a str>,
            message: &'a str,
        }
        written(&Json { code: self.code(), path: self.path(), message: &self.to_string() })
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        let (problem, (line, column)) = (fault.problem(), fault.line_and_column());
        let path = || Some(fault.path()).filter(|path| !path.is_empty()).unwrap_or_else(|| "snapshot".to_owned());
        match problem {
            Problem::Syntax(expected) => {
                Self::Syntax { detail: format!("expected {expected} at line {line} column {column}") }
            }
            Problem::TooDeep => Self::TooDeep { limit: MAX_DEPTH, at: fault.at() },
            Problem::Unexpected { expected, found } => {
                Self::invalid(path(), expected, found, &format!(" (line {line} column {column})"))
            }
            Problem::Missing(_) => {
                Self::Invalid { path: shortened(path()), detail: format!("{problem} (line {line} column {column})") }
            }
        }
    }
}

/// The start of a text that is too long for a message, and how long it is.
fn shortened(text: String) -> String {
    match text.char_indices().nth(SHOWN_CHARS) {
        None => text,
        Some((end, _)) => format!("{}… ({} bytes)", text.get(..end).unwrap_or_default(), text.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::Error;

    #[test]
    fn a_long_value_is_cut_short() {
        let long = "ä".repeat(5_000);
        for text in [
            format!(r#"{{"now":"2025-01-01T00:00:00Z","machine":{{"spec":{{"minReadySeconds":"{long}"}}}}}}"#),
            format!(r#"{{"now":"{long}"}}"#),
            format!(r#"{{"now":"2025-01-01T00:00:00Z","machine":{{"metadata":{{"labels":{{"{long}":5}}}}}}}}"#),
            format!(r#"{{"now":"2025-01-01T00:00:00Z","kind":"{long}"}}"#),
        ] {
            let error = crate::evaluate_json(&text).expect_err("a value that can't be read").to_string();
            assert!(error.len() < 600 && error.contains("… (10"), "{error}");
        }
        let short = Error::expected("kind", "a kind", "\"Pod\"").to_string();
        assert_eq!(short, "kind: expected a kind, found \"Pod\"");
    }
}
