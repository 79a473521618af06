//! The case files of the project: `tests/cases/**.yaml`, and the stories of the playground.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::fs;
use std::path::{Path, PathBuf};

/// One file of cases.
#[derive(Deserialize)]
pub struct CaseFile {
    /// Its path below the folder, without the extension.
    #[serde(skip)]
    pub name: String,
    /// The cases, in their order.
    pub cases: Vec<Case>,
}

/// One case.
#[derive(Deserialize)]
pub struct Case {
    /// What is special about it.
    pub note: String,
    /// The row that has to decide.
    pub row: Option<String>,
    /// The snapshot.
    pub input: Map<String, Value>,
    /// What has to come out.
    #[serde(default)]
    pub want: Map<String, Value>,
}

impl CaseFile {
    /// Every file below a folder, sorted by path; none when there is no such folder.
    ///
    /// # Panics
    ///
    /// When a file there holds no cases.
    pub fn read_all(folder: &Path) -> Vec<Self> {
        let mut paths = Vec::new();
        collect(folder, &mut paths);
        paths.sort();
        paths.iter().map(|path| Self::read(folder, path)).collect()
    }

    fn read(folder: &Path, path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_default();
        let file: Self = serde_saphyr::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let name = path.strip_prefix(folder).unwrap_or(path).with_extension("").display().to_string();
        Self { name, ..file }
    }
}

impl Case {
    /// The snapshot, with explanations switched on so that every deciding row shows.
    pub fn snapshot(&self) -> Value {
        let mut snapshot = self.input.clone();
        snapshot.insert("explain".to_owned(), Value::Bool(true));
        Value::Object(snapshot)
    }
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for path in folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|e| e == "yaml") {
            paths.push(path);
        }
    }
}
