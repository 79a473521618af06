//! Numbers of machines in, what is evaluated out: the snapshots, their names and their files.

use anyhow::{Context, Result};
use capi_policy_corpus::synthetic;
use std::fs;
use std::path::Path;

/// What is evaluated.
pub struct Subject {
    pub name: String,
    pub snapshot: String,
}

/// MachineDeployments and health checks of these sizes, and one Machine in an update.
pub fn made_up(sizes: &[usize]) -> Vec<Subject> {
    let of = |name: String, snapshot: serde_json::Value| Subject { name, snapshot: snapshot.to_string() };
    let deployments = sizes.iter().map(|n| of(format!("MachineDeployment {n}"), synthetic::machine_deployment(*n)));
    let checks = sizes.iter().map(|n| of(format!("MachineHealthCheck {n}"), synthetic::machine_health_check(*n)));
    let updating = of("Machine Updating".to_owned(), synthetic::machine_updating());
    deployments.chain(checks).chain([updating]).collect()
}

/// Writes each snapshot into the folder, `MachineDeployment-10.json`, for others to measure.
pub fn write(subjects: &[Subject], folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for subject in subjects {
        let file = folder.join(format!("{}.json", subject.name.replace(' ', "-")));
        fs::write(&file, &subject.snapshot).with_context(|| file.display().to_string())?;
    }
    Ok(())
}
