//! What can go wrong between a snapshot and its decision.

use serde::Deserialize;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// Why there is no decision. The host keeps whatever it had.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The snapshot can't be evaluated.
    #[error("{message}")]
    Malformed {
        /// One word: `invalid`, `syntax`, `tooLarge`, `tooDeep` or `notFound`.
        code: String,
        /// Where in the snapshot, as in `machines[2].metadata.name`, where that is known.
        path: Option<String>,
        /// The whole sentence.
        message: String,
    },
    /// The policy gave up in a way that no policy should.
    #[error("the policy trapped: {detail}")]
    Trap {
        /// What WebAssembly says about it.
        detail: String,
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
    Nonsense {
        /// What is wrong with it.
        detail: String,
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
    #[error("could not set up the sandbox: {detail}")]
    Sandbox {
        /// Why.
        detail: String,
    },
}

/// The error of the `json` interface, as `wit/json.wit` describes it.
#[derive(Deserialize)]
struct PolicyError {
    code: String,
    path: Option<String>,
    message: String,
}

impl EngineError {
    /// Reads what the `json` interface gives for an error.
    pub(crate) fn from_json(text: &str) -> Self {
        match serde_json::from_str(text) {
            Ok(PolicyError { code, path, message }) => Self::Malformed { code, path, message },
            Err(error) => Self::Nonsense { detail: format!("its error is not as it should be: {error}") },
        }
    }
}

impl From<capi_policy::Error> for EngineError {
    fn from(error: capi_policy::Error) -> Self {
        Self::from_json(&error.json())
    }
}
