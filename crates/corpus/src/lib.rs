//! Recorded answers of Cluster API: read them, turn their inputs into snapshots, compare evaluations with them.

mod compare;
pub mod families;
mod snapshot;
pub mod synthetic;
mod timeless;

pub use compare::{Comparison, compare};
pub use timeless::without_times;

use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// One recorded case; `FORMAT.md` beside the corpus says what is in it.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// Unique over all files.
    pub id: String,
    /// The family.
    pub kind: String,
    /// The time of the evaluation.
    pub now: String,
    /// Objects and facts.
    #[serde(default)]
    pub input: Value,
    /// What Cluster API computed.
    #[serde(default)]
    pub expected: Value,
    /// A trace has these instead.
    #[serde(default)]
    pub steps: Vec<Value>,
    /// Whether an extension takes every change of a trace.
    #[serde(default, rename = "canUpdateInPlace")]
    pub can_update_in_place: bool,
    /// The version of Cluster API that gave it, as its folder names it; empty for a file on its own.
    #[serde(skip)]
    pub version: String,
    /// The profile that has to give this answer.
    #[serde(skip, default = "newest")]
    pub profile: String,
}

fn newest() -> String {
    "cluster-api".to_owned()
}

/// Why a corpus file can't be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file itself.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// What went wrong.
        source: std::io::Error,
    },
    /// One line of it.
    #[error("{path}:{line}: {source}")]
    Line {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What went wrong.
        source: serde_json::Error,
    },
}

impl Case {
    /// The snapshot that asks the policy the same question.
    pub fn snapshot(&self) -> Value {
        snapshot::of(self)
    }
}

/// Reads the recorded answers of every version: a folder each, named like the version, in the order of their names.
pub fn read_all(folder: &Path) -> Result<Vec<Case>, Error> {
    let mut cases = Vec::new();
    for folder in sorted_entries(folder)?.into_iter().filter(|path| path.is_dir()) {
        let version = folder.file_name().unwrap_or_default().display().to_string();
        for file in sorted_entries(&folder)?.into_iter().filter(|path| path.extension().is_some_and(|e| e == "gz")) {
            let profile = format!("cluster-api-{version}");
            let of_version = |case| Case { version: version.clone(), profile: profile.clone(), ..case };
            cases.extend(read(&file)?.into_iter().map(of_version));
        }
    }
    Ok(cases)
}

fn sorted_entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let io = |source| Error::Io { path: folder.display().to_string(), source };
    let entries = folder.read_dir().map_err(io)?.map(|entry| entry.map(|entry| entry.path()));
    let mut entries = entries.collect::<Result<Vec<_>, _>>().map_err(io)?;
    entries.sort();
    Ok(entries)
}

/// Every step of a trace is a case of its own.
fn steps(trace: Case) -> Vec<Case> {
    if trace.steps.is_empty() {
        return vec![trace];
    }
    let case = |step: &Value| {
        let mut input = step["input"].clone();
        input["canUpdateInPlace"] = trace.can_update_in_place.into();
        let id = format!("{}-{}", trace.id, step["iteration"]);
        Case { id, input, expected: step["expected"].clone(), steps: Vec::new(), ..trace.clone() }
    };
    trace.steps.iter().map(case).collect()
}

/// Reads a file of JSON lines, gzipped or not.
pub fn read(path: &Path) -> Result<Vec<Case>, Error> {
    let name = path.display().to_string();
    let io = |source| Error::Io { path: name.clone(), source };
    let file = File::open(path).map_err(io)?;
    let reader: Box<dyn Read> =
        if path.extension().is_some_and(|e| e == "gz") { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    let mut cases = Vec::new();
    for (i, line) in BufReader::new(reader).lines().enumerate() {
        let line = line.map_err(io)?;
        if line.trim().is_empty() {
            continue;
        }
        let case =
            serde_json::from_str(&line).map_err(|source| Error::Line { path: name.clone(), line: i + 1, source })?;
        cases.extend(steps(case));
    }
    Ok(cases)
}
