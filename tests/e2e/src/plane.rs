//! A control plane of our own: etcd and kube-apiserver in one process.

use crate::kube_objects::Kube;
use crate::process::{Process, program};
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A running control plane.
pub struct Plane {
    process: Process,
    arguments: Vec<String>,
    directory: TempDir,
    /// The admin's kubeconfig.
    pub kubeconfig: PathBuf,
    /// Where the server is.
    pub server: String,
    ready: Value,
}

impl Plane {
    /// Starts one, with the CRDs of Cluster API and these users (`NAME` or `NAME=GROUP`).
    pub async fn start(users: &[&str]) -> Result<Self> {
        let mut directory = TempDir::with_prefix("capi-policy-e2e-")?;
        // Logs and decisions, for whoever wants to know why a test failed.
        directory.disable_cleanup(std::env::var_os("E2E_KEEP").is_some());
        let module = cluster_api()?;
        let mut arguments: Vec<String> = vec![
            "--data-dir".into(),
            directory.path().join("data").display().to_string(),
            "--port".into(),
            free_port()?.to_string(),
            "--crd-groups".into(),
            "cluster.x-k8s.io,controlplane.cluster.x-k8s.io,bootstrap.cluster.x-k8s.io".into(),
        ];
        let core = if module.join("core").exists() { "core/config" } else { "config" };
        for folder in [core, "controlplane/kubeadm/config", "bootstrap/kubeadm/config"] {
            arguments.extend(["--crd-dir".into(), module.join(folder).join("crd/bases").display().to_string()]);
        }
        for user in users {
            arguments.extend(["--user".into(), (*user).to_owned()]);
        }
        let (process, ready) = launch(&arguments, directory.path()).await?;
        let text = |field: &str| ready[field].as_str().unwrap_or_default().to_owned();
        let (kubeconfig, server) = (PathBuf::from(text("kubeconfig")), text("server"));
        Ok(Self { process, arguments, directory, kubeconfig, server, ready })
    }

    /// A folder that is gone when the plane is.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Leaves the folder where it is.
    pub fn keep(&mut self) {
        self.directory.disable_cleanup(true);
    }

    /// The kubeconfig of a user.
    pub fn user(&self, name: &str) -> Result<PathBuf> {
        Ok(PathBuf::from(self.ready["users"][name].as_str().with_context(|| format!("no user {name}"))?))
    }

    /// A client with every right.
    pub async fn kube(&self) -> Result<Kube> {
        Kube::connect(&self.kubeconfig).await
    }

    /// Gives a command, see its README.
    pub async fn command(&mut self, line: &str) -> Result<Value> {
        self.process.command(line).await
    }

    /// SIGKILL, then the same server again.
    pub async fn crash_and_restart(&mut self) -> Result<()> {
        self.process.kill()?;
        (self.process, _) = launch(&self.arguments, self.directory.path()).await?;
        Ok(())
    }
}

impl Plane {
    /// SIGKILL, `change` with the folder of etcd's data, then the server again.
    pub async fn restart_with(&mut self, change: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
        self.process.kill()?;
        change(&self.directory.path().join("data"))?;
        (self.process, _) = launch(&self.arguments, self.directory.path()).await?;
        Ok(())
    }
}

async fn launch(arguments: &[String], directory: &Path) -> Result<(Process, Value)> {
    let binary = program("TESTPLANE", "target/testplane/testplane")?;
    let mut process = Process::start(&binary, arguments, &directory.join("testplane.log"))?;
    let ready = process.answer().await?;
    anyhow::ensure!(ready["ready"] == true, "the control plane says {ready}");
    Ok((process, ready))
}

/// The folder of the Cluster API module.
pub fn cluster_api() -> Result<PathBuf> {
    std::env::var_os("CLUSTER_API").map(PathBuf::from).context("CLUSTER_API names the folder of the Cluster API module")
}

/// A port that nobody uses just now.
pub fn free_port() -> Result<u16> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
