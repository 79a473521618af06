//! Who decides: this project's host, or Cluster API's controllers.

use crate::usage::Usage;
use anyhow::Result;
use capi_policy_e2e::host::Host;
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::upstream::{Upstream, release};

/// The host decides about what the controllers decide about, by their rules.
pub const LIKE_UPSTREAM: &[&str] = &["--mode", "apply", "--kinds", KINDS, "--profile", "cluster-api-v1.14"];
const KINDS: &str = "Cluster,Machine,MachineSet,MachineDeployment,MachineHealthCheck,MachinePool";

/// What a machine says of a Node that is not ready.
#[derive(Clone, Copy)]
pub struct Said {
    pub condition: &'static str,
    pub broken: &'static str,
}

/// A running program.
pub struct Contender {
    program: Program,
    pub name: String,
    /// How it was started, as far as it matters.
    pub flags: String,
}

enum Program {
    Ours(Host),
    Upstream(Upstream),
}

impl Contender {
    pub fn ours(plane: &Plane, arguments: &[&str]) -> Result<Self> {
        let host = Host::start_terse(&plane.kubeconfig, plane.directory(), "load", arguments)?;
        let flags = format!("watch {}", arguments.join(" "));
        Ok(Self { program: Program::Ours(host), name: "capi-policy".to_owned(), flags })
    }

    pub async fn upstream(plane: &Plane) -> Result<Self> {
        let upstream = Upstream::start_alone(plane).await?;
        let flags =
            "--controllers-alone: no webhooks, no limit of requests, --feature-gates=ReconcilerRateLimiting=false";
        let name = format!("Cluster API {}", release());
        Ok(Self { program: Program::Upstream(upstream), name, flags: flags.to_owned() })
    }

    pub fn usage(&self) -> Result<Usage> {
        Usage::of(match &self.program {
            Program::Ours(host) => host.id(),
            Program::Upstream(upstream) => upstream.id(),
        })
    }

    pub async fn stop(self) -> Result<()> {
        match self.program {
            Program::Ours(mut host) => host.stop().await,
            Program::Upstream(upstream) => upstream.stop().await,
        }
    }
}
