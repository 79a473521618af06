//! `capi-policy watch`: the controller, with the policy that the command line names.

use super::Answer;
use super::policy::{self, Kind, PolicyArgs};
use anyhow::Result;
use capi_policy_controller::Source;

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
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        let reference = match self.engine {
            Kind::Component => Some(self.policy.reference()?),
            Kind::Native => None,
        };
        capi_policy_controller::run(self.controller, Source { reference, read: policy::bytes })?;
        Ok(Answer::Fine)
    }
}
