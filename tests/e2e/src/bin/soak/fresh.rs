//! A server in; how what it stores differs from what a policy without memory decides about all of it out.

use anyhow::{Context, Result, ensure};
use capi_policy_e2e::host::{command, policy};
use capi_policy_e2e::kube_objects::Kube;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Everything that a decision reads.
const KINDS: &[&str] = &[
    "Cluster",
    "MachineDeployment",
    "MachineSet",
    "MachineHealthCheck",
    "Machine",
    "Node",
    "TestCluster",
    "TestMachine",
    "TestRemediation",
    "TestRemediationTemplate",
];
/// See deploy/README.md: each program probes the workload cluster for itself.
const NOT_COMPARED: &[(&str, &str)] = &[("Cluster", "RemoteConnectionProbe")];

type Objects = BTreeMap<(String, String, String), Value>;

/// What a comparison found.
#[derive(Default)]
pub struct Comparison {
    pub evaluations: usize,
    /// Conditions and status fields.
    pub compared: usize,
    pub differences: Vec<String>,
    /// The versions of all objects.
    pub versions: Vec<String>,
    /// Conditions that some evaluation decides.
    decided: BTreeSet<String>,
    /// Conditions that a kind has written and decides no more: another may.
    left: BTreeSet<String>,
}

/// Captures every cluster, evaluates it all, and compares. None when something changed meanwhile.
pub async fn compare(
    kube: &Kube,
    kubeconfig: &Path,
    directory: &Path,
    clusters: &[String],
) -> Result<Option<Comparison>> {
    let before = versions(&objects(kube).await?);
    let (kubeconfig, directory, clusters) = (kubeconfig.to_owned(), directory.to_owned(), clusters.to_owned());
    let evaluations = tokio::task::spawn_blocking(move || evaluate(&kubeconfig, &directory, &clusters)).await??;
    let objects = objects(kube).await?;
    if versions(&objects) != before {
        return Ok(None);
    }
    let mut comparison = Comparison { evaluations: evaluations.len(), versions: before, ..Comparison::default() };
    for evaluation in &evaluations {
        comparison.add(evaluation, &objects);
    }
    for left in comparison.left.difference(&comparison.decided) {
        comparison.differences.push(format!("{left}: stored, but decided no more"));
    }
    Ok(Some(comparison))
}

fn evaluate(kubeconfig: &Path, directory: &Path, clusters: &[String]) -> Result<Vec<Value>> {
    let policy = policy()?;
    let mut files: Vec<PathBuf> = Vec::new();
    for cluster in clusters {
        let file = directory.join(format!("{cluster}.yaml"));
        let arguments =
            ["capture", "--cluster", cluster, "-n", cluster, "--kubeconfig", text(kubeconfig), "-o", text(&file)];
        let (code, _, error) = command(&arguments)?;
        ensure!(code == Some(0) && !error.contains("no Nodes"), "{code:?} {error}");
        files.push(file);
    }
    let mut arguments = vec!["evaluate", "--policy", &policy, "-o", "json"];
    arguments.extend(files.iter().flat_map(|file| ["-f", text(file)]));
    let (code, decided, error) = command(&arguments)?;
    ensure!(code == Some(0), "{code:?} {error}");
    Ok(serde_json::from_str::<Value>(&decided)?.as_array().context("no list")?.clone())
}

impl Comparison {
    fn add(&mut self, evaluation: &Value, objects: &Objects) {
        let text = |field: &str| evaluation[field].as_str().unwrap_or_default();
        let (kind, namespace, name) = (text("kind"), text("namespace"), text("name"));
        self.conditions((kind, namespace, name), kind, &evaluation["conditions"], objects);
        for machine in list(&evaluation["machines"]) {
            let name = machine["name"].as_str().unwrap_or_default();
            self.conditions(("Machine", namespace, name), kind, &machine["conditions"], objects);
        }
        let stored = object(objects, (kind, namespace, name));
        for (field, decided) in evaluation["status"].as_object().into_iter().flatten() {
            // Times differ by the moment of writing, and the server keeps no objects without fields.
            if field == "lastUpdated" || decided == &json!({}) {
                continue;
            }
            let stored = if field == "controlPlaneInitialized" {
                &stored["status"]["initialization"][field]
            } else {
                &stored["status"][field]
            };
            self.compared += 1;
            if sorted(stored) != sorted(decided) {
                self.differences.push(format!("{kind} {namespace}/{name} {field}: stored {stored}, decided {decided}"));
            }
        }
        // What is decided is done: nothing was forgotten.
        for action in list(&evaluation["actions"]) {
            self.differences.push(format!("{kind} {namespace}/{name}: not done: {action}"));
        }
        if let Some(error) = evaluation["error"].as_str() {
            self.differences.push(format!("{kind} {namespace}/{name}: {error}"));
        }
    }

    /// Conditions that objects of kind `by` decide about an object.
    fn conditions(&mut self, key: (&str, &str, &str), by: &str, decided: &Value, objects: &Objects) {
        let (kind, namespace, name) = key;
        let stored = object(objects, key);
        let mut left = written_by(&stored, &format!("capi-policy-{}", by.to_lowercase()));
        for decided in list(decided) {
            let condition = decided["type"].as_str().unwrap_or_default();
            left.remove(condition);
            self.decided.insert(format!("{kind} {namespace}/{name} {condition}"));
            if NOT_COMPARED.contains(&(kind, condition)) {
                continue;
            }
            let stored = list(&stored["status"]["conditions"]).find(|stored| stored["type"] == condition);
            let stored = stored.map_or_else(|| "nothing".to_owned(), said);
            self.compared += 1;
            if stored != said(decided) {
                let row = decided["row"].as_str().unwrap_or_default();
                let decided = said(decided);
                self.differences
                    .push(format!("{kind} {namespace}/{name} {condition}: stored {stored}, decided {decided} ({row})"));
            }
        }
        self.left.extend(left.iter().map(|condition| format!("{kind} {namespace}/{name} {condition}")));
    }
}

/// Status, reason, message and the generation it is about.
fn said(condition: &Value) -> String {
    let text = |field: &str| condition[field].as_str().unwrap_or_default();
    let generation = condition["observedGeneration"].as_i64().unwrap_or(0);
    format!("{} {} {:?} of generation {generation}", text("status"), text("reason"), text("message"))
}

/// Types of the conditions that a field manager has written.
fn written_by(object: &Value, manager: &str) -> BTreeSet<String> {
    let own = list(&object["metadata"]["managedFields"]).filter(|fields| fields["manager"] == manager);
    let keys = own.filter_map(|fields| fields["fieldsV1"]["f:status"]["f:conditions"].as_object()).flatten();
    let types = keys.filter_map(|(key, _)| serde_json::from_str::<Value>(key.strip_prefix("k:")?).ok());
    types.filter_map(|key| key["type"].as_str().map(str::to_owned)).collect()
}

async fn objects(kube: &Kube) -> Result<Objects> {
    let mut objects = Objects::new();
    for kind in KINDS {
        for object in kube.list(kind, "").await? {
            let text = |field: &str| object["metadata"][field].as_str().unwrap_or_default().to_owned();
            objects.insert(((*kind).to_owned(), text("namespace"), text("name")), object);
        }
    }
    Ok(objects)
}

fn object(objects: &Objects, (kind, namespace, name): (&str, &str, &str)) -> Value {
    objects.get(&(kind.to_owned(), namespace.to_owned(), name.to_owned())).cloned().unwrap_or_default()
}

fn versions(objects: &Objects) -> Vec<String> {
    objects.values().map(|object| object["metadata"]["resourceVersion"].to_string()).collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Lists of names have no order.
fn sorted(value: &Value) -> Value {
    let mut value = value.clone();
    if let Some(items) = value.as_array_mut() {
        items.sort_by_key(ToString::to_string);
    }
    value
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap_or_default()
}
