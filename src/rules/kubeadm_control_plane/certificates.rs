//! The Secrets that hold the certificates of a Cluster.

use super::Input;
use crate::sorted::Sorted;
use crate::view::ConditionsExt;

/// What was found of the certificates.
#[allow(clippy::struct_excessive_bools, reason = "independent facts, each of which some row reads")]
pub struct Certificates {
    /// Nobody read the Secrets.
    not_read: bool,
    broken: bool,
    missing: Vec<&'static str>,
    found: usize,
    initialized: bool,
    create_fails: bool,
    patch_fails: bool,
    cluster: String,
}

impl Certificates {
    /// Looks for every certificate that the control plane needs.
    pub fn of(input: &Input<'_>) -> Self {
        let observed = input.observed;
        let cluster = input.cluster.map(|cluster| cluster.metadata.name.to_string()).unwrap_or_default();
        let external = !input.object.manages_etcd();
        let purposes: &[&str] = if external {
            &["ca", "sa", "proxy", "apiserver-etcd-client", "etcd"]
        } else {
            &["ca", "sa", "proxy", "etcd"]
        };
        let secrets = observed.secrets.as_deref().unwrap_or_default();
        let (mut broken, mut missing, mut found) = (false, Vec::new(), 0_usize);
        for purpose in purposes {
            let name = format!("{cluster}-{purpose}");
            let secret = secrets.iter().find(|secret| secret.name == *name);
            let foreign = external && matches!(*purpose, "apiserver-etcd-client" | "etcd");
            if observed.secret_get_fails.iter().any(|failing| *failing == *name) {
                broken = true;
            } else if let Some(secret) = secret {
                broken |= !secret.keys.iter().any(|key| *key == "tls.crt");
                found = found.saturating_add(1);
            } else if foreign {
                broken = true;
            } else {
                missing.push(*purpose);
            }
        }
        Self {
            not_read: observed.secrets.is_none(),
            broken,
            missing,
            found,
            initialized: input.object.status.conditions.has("Initialized", "True"),
            create_fails: observed.secret_create_fails,
            patch_fails: observed.secret_patch_fails,
            cluster,
        }
    }

    /// Nobody read the Secrets.
    pub fn not_read(&self) -> bool {
        self.not_read
    }

    /// A Secret can't be read, has no certificate, or belongs to an external etcd and does not exist.
    pub fn unreadable(&self) -> bool {
        self.broken
    }

    /// New Secrets are needed and refused.
    pub fn not_creatable(&self) -> bool {
        !self.initialized && !self.missing.is_empty() && self.create_fails
    }

    /// One certificate of a control plane that runs already is gone.
    pub fn one_missing(&self) -> bool {
        self.initialized && self.missing.len() == 1
    }

    /// Certificates of a control plane that runs already are gone.
    pub fn missing(&self) -> bool {
        self.initialized && !self.missing.is_empty()
    }

    /// Secrets that are there can't be given their owner.
    pub fn not_owned(&self) -> bool {
        self.patch_fails && self.found > 0
    }

    /// What the certificates are for that are gone.
    pub fn missing_ones(&self) -> String {
        self.missing.join(", ")
    }

    /// The Secrets that the controller makes before the control plane runs, sorted.
    pub fn created(&self) -> String {
        if self.initialized || self.broken || self.create_fails {
            return String::new();
        }
        let mut names: Vec<_> = self.missing.iter().map(|purpose| format!("{}-{purpose}", self.cluster)).collect();
        names.order_by(Ord::cmp);
        names.join(", ")
    }

    /// What keeps the policy from deciding everything.
    pub fn error(&self) -> Option<&'static str> {
        let failed = !self.not_read && (self.broken || self.not_creatable() || !self.missing() && self.not_owned());
        failed.then_some("the certificates of the Cluster could not be read or written")
    }
}
