//! What can go wrong between a snapshot and its decision.

use serde::Deserialize;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// What lies behind an error.
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why there is no decision. The host keeps whatever it had.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The snapshot can't be evaluated.
    #[error("{message}")]
    Malformed {
        /// What is wrong with it.
        code: ErrorCode,
        /// Where in the snapshot, as in `machines[2].metadata.name`, where that is known.
        path: Option<String>,
        /// The whole sentence.
        message: String,
    },
    /// The snapshot can't be written as JSON.
    #[error("could not write the snapshot as JSON")]
    Unserializable {
        /// Why.
        source: serde_json::Error,
    },
    /// The policy gave up in a way that no policy should.
    #[error("the policy trapped: {detail}")]
    Trap {
        /// What WebAssembly says about it.
        detail: String,
        /// The trap itself.
        source: Option<Cause>,
    },
    /// The policy did not answer in time.
    #[error("the policy did not answer within {limit:?}")]
    Timeout {
        /// How long it had.
        limit: Duration,
    },
    /// The policy wanted more memory.
    #[error("the policy wanted more than the {limit} bytes of memory it may have")]
    MemoryLimit {
        /// How much it may have, in bytes.
        limit: usize,
    },
    /// The policy wanted a larger table.
    #[error("the policy wanted a table of more than the {limit} elements it may have")]
    TableLimit {
        /// How many elements it may have.
        limit: usize,
    },
    /// The policy answered with something that is no answer.
    #[error("the policy's answer can't be read: {detail}")]
    InvalidAnswer {
        /// What is wrong with it.
        detail: String,
        /// What found it out.
        source: Option<Cause>,
    },
    /// A policy for other hosts.
    #[error(
        "the policy implements capi:policy@{found}, but this host runs versions {fits}: \
         use a policy and a host of the same release, or build the policy anew with `cargo xtask artifact`"
    )]
    IncompatibleVersion {
        /// The version that the policy implements.
        found: String,
        /// The versions that fit.
        fits: String,
    },
    /// Something else than a policy.
    #[error("not a policy: {detail}")]
    NotAPolicy {
        /// What gives it away.
        detail: String,
        /// What found it out.
        source: Option<Cause>,
    },
    /// The policy's file can't be read.
    #[error("could not read the policy {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The sandbox itself can't be set up.
    #[error("could not set up the sandbox: {source}")]
    Sandbox {
        /// Why.
        source: Cause,
    },
}

/// What is wrong with a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum ErrorCode {
    /// A value can't be read.
    Invalid,
    /// It is no JSON.
    Syntax,
    /// It is larger than the policy or the host accepts.
    TooLarge,
    /// Its values are nested deeper than the policy accepts.
    TooDeep,
    /// There is no such object.
    NotFound,
    /// A code of a later version of the contract.
    #[serde(other)]
    Other,
}

/// The error of the `json` interface, as `wit/json.wit` describes it.
#[derive(Deserialize)]
struct PolicyError {
    code: ErrorCode,
    path: Option<String>,
    message: String,
}

impl EngineError {
    /// Whether the same call can succeed later although nothing about snapshot and policy changes: the machine was too busy
    /// to answer in time, or had no memory left. Everything else fails again until somebody changes something.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Timeout { .. } | Self::Sandbox { .. } => true,
            Self::Unreadable { source, .. } => source.kind() != std::io::ErrorKind::NotFound,
            _ => false,
        }
    }

    /// Reads what the `json` interface gives for an error.
    pub(crate) fn from_json(text: &str) -> Self {
        match serde_json::from_str(text) {
            Ok(PolicyError { code, path, message }) => Self::Malformed { code, path, message },
            Err(error) => Self::InvalidAnswer {
                detail: format!("its error is not as it should be: {error}"),
                source: Some(error.into()),
            },
        }
    }

    pub(crate) fn sandbox(source: impl Into<Cause>) -> Self {
        Self::Sandbox { source: source.into() }
    }

    pub(crate) fn not_a_policy(error: wasmtime::Error) -> Self {
        Self::NotAPolicy { detail: format!("{error:#}"), source: Some(error.into()) }
    }

    pub(crate) fn invalid_answer(error: wasmtime::Error) -> Self {
        Self::InvalidAnswer { detail: format!("{error:#}"), source: Some(error.into()) }
    }
}

impl From<capi_policy::Error> for EngineError {
    fn from(error: capi_policy::Error) -> Self {
        Self::from_json(&error.json())
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Invalid => "invalid",
            Self::Syntax => "syntax",
            Self::TooLarge => "tooLarge",
            Self::TooDeep => "tooDeep",
            Self::NotFound => "notFound",
            Self::Other => "other",
        })
    }
}
