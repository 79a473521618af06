//! The real controllers of Cluster API.

use crate::plane::{Plane, cluster_api};
use crate::process::{Process, program};
use anyhow::Result;
use serde_json::Value;

/// The running controllers.
pub struct Upstream {
    process: Process,
}

impl Upstream {
    /// Starts them against a control plane.
    pub async fn start(plane: &Plane) -> Result<Self> {
        let arguments = [
            "--kubeconfig".to_owned(),
            plane.kubeconfig.display().to_string(),
            "--cluster-api".to_owned(),
            cluster_api()?.display().to_string(),
            "--kubeadm-control-plane".to_owned(),
        ];
        let binary = program("UPSTREAM", &format!("target/testplane/upstream-{}", release()))?;
        let mut process = Process::start(&binary, &arguments, &plane.directory().join("upstream.log"))?;
        let ready = process.answer().await?;
        anyhow::ensure!(ready["ready"] == true, "the controllers say {ready}");
        Ok(Self { process })
    }

    /// Creates a cluster and waits until it runs.
    pub async fn create_fleet(&mut self, line: &str) -> Result<Value> {
        self.process.command(&format!("create-fleet {line}")).await
    }

    /// Ends them; their webhooks go with them.
    pub async fn stop(mut self) -> Result<()> {
        self.process.close().await.map(drop)
    }
}

/// The release whose controllers run, like `v1.14`.
pub fn release() -> String {
    std::env::var("CLUSTER_API_RELEASE").unwrap_or_else(|_| "v1.14".to_owned())
}

/// The profile that decides as that release does.
pub fn profile() -> String {
    format!("cluster-api-{}", release())
}
