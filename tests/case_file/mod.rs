//! Case files: reading them, and comparing what a case wants with what an evaluation says.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// One file of cases.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    /// `machine_deployment/deleting`.
    #[serde(skip)]
    pub name: String,
    pub cases: Vec<Case>,
}

/// One case.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What is special about it.
    pub note: String,
    /// The row that has to decide.
    pub row: Option<String>,
    /// The snapshot.
    pub input: Map<String, Value>,
    /// What has to come out.
    pub want: Want,
}

/// What has to come out: an error, or fields of the evaluation. Every condition named is compared whole.
#[derive(Deserialize)]
pub struct Want {
    /// The error, to the letter.
    #[serde(rename = "invalid")]
    pub error: Option<String>,
    #[serde(flatten)]
    pub evaluation: Map<String, Value>,
}

impl Case {
    /// The snapshot, with explanations switched on so that every deciding row shows.
    pub fn snapshot(&self) -> Value {
        let mut snapshot = self.input.clone();
        snapshot.insert("explain".to_owned(), Value::Bool(true));
        Value::Object(snapshot)
    }
}

/// Every case file below a folder, sorted by name.
pub fn read_all(folder: &Path) -> Vec<CaseFile> {
    let mut paths = Vec::new();
    collect(folder, &mut paths);
    paths.sort();
    paths.iter().map(|path| read(folder, path)).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().expect("a folder of cases") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|e| e == "yaml") {
            paths.push(path);
        }
    }
}

fn read(folder: &Path, path: &Path) -> CaseFile {
    let text = std::fs::read_to_string(path).expect("a case file");
    let mut file: CaseFile = serde_saphyr::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    file.name = path.strip_prefix(folder).unwrap_or(path).with_extension("").display().to_string();
    file
}

/// What differs: an object is compared in the fields that are wanted, a list as a whole, conditions and machines by name.
pub fn differences(path: &str, wanted: &Value, got: &Value, out: &mut Vec<String>) {
    match (wanted, got) {
        (Value::Object(wanted), Value::Object(_)) => {
            for (field, wanted) in wanted {
                differences(&format!("{path}.{field}"), wanted, &got[field], out);
            }
        }
        (Value::Array(wanted), Value::Array(got)) if !wanted.is_empty() && named(path) => {
            for wanted in wanted {
                let key = ["type", "name"].into_iter().find(|key| wanted.get(*key).is_some()).unwrap_or("row");
                let name = wanted[key].as_str().unwrap_or_default();
                let found = got.iter().find(|item| item[key] == wanted[key]).unwrap_or(&Value::Null);
                differences(&format!("{path}[{name}]"), wanted, found, out);
            }
        }
        (Value::Array(wanted), Value::Array(got)) if wanted.len() == got.len() => {
            for (i, (wanted, got)) in wanted.iter().zip(got).enumerate() {
                differences(&format!("{path}[{i}]"), wanted, got, out);
            }
        }
        // An empty list is left out of the evaluation.
        (Value::Array(wanted), Value::Null) if wanted.is_empty() => {}
        _ if wanted == got => {}
        _ => out.push(format!("{path}\n  wanted: {wanted}\n  got:    {got}")),
    }
}

/// Lists whose entries a case may name one by one.
fn named(path: &str) -> bool {
    path.ends_with("conditions") || matches!(path, "machines" | "machineConditions" | "ownerActions")
}

/// Every row that decided something.
pub fn rows(evaluation: &Value) -> BTreeSet<String> {
    let explanations = evaluation["explanations"].as_array().into_iter().flatten();
    let conditions = evaluation["conditions"].as_array().into_iter().flatten();
    explanations.chain(conditions).filter_map(|item| item["row"].as_str()).map(ToOwned::to_owned).collect()
}
