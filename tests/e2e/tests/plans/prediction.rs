//! What `plan` says about a fleet that was captured.

use super::journal::Happened;
use anyhow::{Result, ensure};
use capi_policy_e2e::host;
use capi_policy_e2e::upstream::profile;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// The steps that concern Machines.
#[derive(Debug, Default)]
pub struct Prediction {
    /// How many are created.
    created: usize,
    /// The names of those that are deleted, with those of the same moment together: among these there is no order.
    deleted: Vec<BTreeSet<String>>,
    /// The objects at which it stops.
    pub stops: Vec<String>,
    /// What the plan took to be so.
    pub assumptions: Vec<String>,
}

/// Writes everything that decisions about a cluster read into a file.
pub fn capture(kubeconfig: &Path, cluster: &str, file: &Path) -> Result<()> {
    let (kubeconfig, file) = (kubeconfig.display().to_string(), file.display().to_string());
    let (code, _, said) = host::command(&["capture", "--cluster", cluster, "-o", &file, "--kubeconfig", &kubeconfig])?;
    ensure!(code == Some(0), "capture: {said}");
    Ok(())
}

/// Plans; a plan that does not reach its end is a prediction as well.
pub fn plan(fleet: &Path, object: &str, change: Option<&Path>, boot: &str) -> Result<Prediction> {
    let (fleet, change) = (fleet.display().to_string(), change.map(|change| change.display().to_string()));
    let profile = profile();
    let mut arguments = vec!["plan", "-f", &fleet, object, "--profile", &profile, "-o", "json", "--boot", boot];
    arguments.extend(["--drain", "1s"]);
    arguments.extend(change.iter().flat_map(|change| ["--change", change]));
    let (code, plan, said) = host::command(&arguments)?;
    ensure!(matches!(code, Some(0 | 1)), "plan: {said}");
    let plan: Value = serde_json::from_str(&plan)?;
    let mut prediction = Prediction::default();
    let mut moment = &Value::Null;
    for step in plan["steps"].as_array().into_iter().flatten() {
        match step["change"].as_str() {
            Some("machineCreated") => prediction.created += 1,
            Some("machineDeleting") => {
                if *moment != step["time"] {
                    prediction.deleted.push(BTreeSet::new());
                }
                moment = &step["time"];
                let name = step["machine"].as_str().unwrap_or_default().to_owned();
                prediction.deleted.last_mut().map(|together| together.insert(name));
            }
            _ => {}
        }
    }
    let stops = plan["owners"].as_array().into_iter().flatten().filter_map(|owner| owner["stops"].as_array());
    prediction.stops = stops.flatten().map(|stop| stop["object"].as_str().unwrap_or_default().to_owned()).collect();
    let assumptions = plan["assumptions"].as_array().into_iter().flatten();
    prediction.assumptions = assumptions.filter_map(|sentence| sentence.as_str().map(str::to_owned)).collect();
    Ok(prediction)
}

impl Prediction {
    pub fn steps(&self) -> usize {
        self.created + self.deleted.iter().map(BTreeSet::len).sum::<usize>()
    }

    /// How many of the steps have happened, each at its place in the order.
    pub fn came_true(&self, happened: &Happened) -> usize {
        let mut deleted = happened.deleted.iter();
        let in_order = self.deleted.iter().map(|together| {
            let next: BTreeSet<_> = deleted.by_ref().take(together.len()).cloned().collect();
            together.intersection(&next).count()
        });
        self.created.min(happened.created.len()) + in_order.sum::<usize>()
    }
}
