//! What is known about a loaded policy without asking it.

/// What is known about a loaded policy from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    pub(super) digest: String,
    pub(super) size: usize,
    pub(super) exports: Vec<String>,
    pub(super) from_cache: bool,
    pub(super) pooled: bool,
}

impl About {
    /// SHA-256 of the component, in hex.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Size of the component in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The interfaces that it exports.
    pub fn exports(&self) -> &[String] {
        &self.exports
    }

    /// Whether its compiled code came from the cache.
    pub fn from_cache(&self) -> bool {
        self.from_cache
    }

    /// Whether instances come from a pool; false where there is too little address space for one, and for a policy that
    /// keeps objects.
    pub fn pooled(&self) -> bool {
        self.pooled
    }
}
