//! `capi-policy watch`: the controller, with the policy that the command line names.

use super::Answer;
use super::policy::{Kind, PolicyArgs};
use anyhow::{Result, bail};
use capi_policy_controller::Source;
use std::sync::Arc;

/// Decide about a cluster's objects as they change: observe what would be different, or apply it
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    controller: capi_policy_controller::Options,
    #[command(flatten)]
    policy: PolicyArgs,
    /// What runs the policy
    #[arg(long, value_enum, default_value_t = Kind::Component)]
    engine: Kind,
    /// Don't start without --verify, and without a policy that can be verified: one in a registry
    #[arg(long, requires = "verify")]
    require_signature: bool,
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        let reference = match self.engine {
            Kind::Component => Some(self.policy.reference()?),
            Kind::Native if self.require_signature => {
                bail!("--require-signature: the library in this program has no signature; leave --engine native out")
            }
            Kind::Native => None,
        };
        capi_policy_controller::run(self.controller, Source { reference, read: Arc::new(self.policy.reader()?) })?;
        Ok(Answer::Fine)
    }
}
