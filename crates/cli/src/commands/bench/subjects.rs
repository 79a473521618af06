//! Numbers of machines in, what is evaluated out: the snapshots, their names and their files.

use anyhow::{Context, Result};
use capi_policy_corpus::synthetic;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// What is evaluated.
pub struct Subject {
    pub name: String,
    pub snapshot: String,
    /// What this is a size of. Sizes of the same take turns, so that they can be compared.
    pub sizes_of: Option<&'static str>,
}

impl Subject {
    /// Whether both are sizes of the same.
    pub fn compared(&self, other: &Self) -> bool {
        self.sizes_of.is_some() && self.sizes_of == other.sizes_of
    }
}

/// MachineDeployments and health checks of these sizes, and one Machine in an update.
pub fn made_up(sizes: &[usize]) -> Vec<Subject> {
    let of = |kind, made: fn(usize) -> Value| {
        sizes.iter().map(move |size| Subject {
            name: format!("{kind} {size}"),
            snapshot: made(*size).to_string(),
            sizes_of: Some(kind),
        })
    };
    let updating = Subject {
        name: "Machine Updating".to_owned(),
        snapshot: synthetic::machine_updating().to_string(),
        sizes_of: None,
    };
    of("MachineDeployment", synthetic::machine_deployment)
        .chain(of("MachineHealthCheck", synthetic::machine_health_check))
        .chain([updating])
        .collect()
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
