//! What a policy may use, and where its compiled code is kept.

use std::path::PathBuf;
use std::time::Duration;

/// How a policy is run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What one evaluation may use.
    pub limits: Limits,
    /// Where compiled code is kept.
    pub cache: Cache,
}

/// What one evaluation may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How long it may run. `None` for a policy that is trusted to end: without a deadline to look at in every loop it takes
    /// about a fifth less time.
    pub timeout: Option<Duration>,
    /// How large its memory may grow, in bytes.
    pub memory_bytes: usize,
    /// How many elements each of its tables may have.
    pub table_elements: usize,
    /// How large a snapshot may be, in bytes. Copying it into the policy can't be interrupted, so it is bounded instead.
    pub snapshot_bytes: usize,
    /// How much data it may answer with, in bytes.
    pub answer_bytes: usize,
    /// How many evaluations run at the same time; one more waits for its turn. Sets how much address space is reserved.
    pub concurrency: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Some(Duration::from_secs(10)),
            memory_bytes: 512 << 20,
            table_elements: 10_000,
            snapshot_bytes: 40 << 20,
            answer_bytes: 128 << 20,
            concurrency: 64,
        }
    }
}

/// Where compiled code is kept.
#[derive(Clone, Debug, Default)]
pub enum Cache {
    /// Below the user's cache directory.
    #[default]
    User,
    /// In this folder. Whoever can write to it can make the host run any code.
    Folder(PathBuf),
    /// Nowhere: the policy is compiled every time.
    Off,
}

impl Cache {
    /// The folder, where there is one.
    pub fn folder(&self) -> Option<PathBuf> {
        match self {
            Self::User => dirs::cache_dir().map(|folder| folder.join("capi-policy")),
            Self::Folder(folder) => Some(folder.clone()),
            Self::Off => None,
        }
    }
}
