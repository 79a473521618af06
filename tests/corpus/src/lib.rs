//! Recorded answers of Cluster API: read them, turn their inputs into snapshots, compare evaluations with them.

mod compare;
mod snapshot;
pub mod synthetic;

pub use compare::{Comparison, compare};

use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// One recorded case; `FORMAT.md` beside the corpus says what is in it.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// Unique over all files.
    pub id: String,
    /// The kind of the evaluated object.
    pub kind: String,
    /// The time of the evaluation.
    pub now: String,
    /// Objects and facts.
    pub input: Value,
    /// What Cluster API computed.
    pub expected: Value,
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

/// Reads every gzipped file of a folder, in the order of their names.
pub fn read_all(folder: &Path) -> Result<Vec<Case>, Error> {
    let io = |source| Error::Io { path: folder.display().to_string(), source };
    let files = folder.read_dir().map_err(io)?.map(|entry| entry.map(|entry| entry.path()));
    let mut files = files.collect::<Result<Vec<_>, _>>().map_err(io)?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "gz"));
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        cases.extend(read(&file)?);
    }
    Ok(cases)
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
        cases.push(case);
    }
    Ok(cases)
}
