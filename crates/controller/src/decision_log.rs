//! Decisions as JSON lines, in files that are rotated.

use super::apply::Written;
use super::differences::Difference;
use super::key::Key;
use super::memory::digest;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// How many old files stay: `FILE.1` is the latest of them.
pub const OLD_FILES: usize = 5;

/// One decision and what came of it.
pub struct Record<'a> {
    pub time: Timestamp,
    pub key: &'a Key,
    pub uid: String,
    pub policy: &'a str,
    pub profile: &'a str,
    pub snapshot: &'a str,
    pub decision: &'a Value,
    pub rows: Vec<String>,
    pub changed: &'a [Difference],
    pub written: &'a [Written],
}

impl Record<'_> {
    fn line(&self) -> String {
        let time = self.time.to_string();
        let id = digest(&[&time, &self.key.to_string(), self.snapshot]);
        let mut line = json!({
            "id": id.get(..16),
            "time": time,
            "kind": &*self.key.kind.kind,
            "namespace": &*self.key.namespace,
            "name": &*self.key.name,
            "uid": self.uid,
            "policy": self.policy,
            "profile": self.profile,
            "snapshot": self.snapshot,
            "rows": self.rows,
            "changed": self.changed,
            "written": self.written,
        });
        for field in ["conditions", "status", "machines", "threshold", "actions", "events", "error"] {
            if let Some(value) = self.decision.get(field) {
                line[field] = value.clone();
            }
        }
        format!("{line}\n")
    }
}

/// The file that is written to.
pub struct DecisionLog {
    path: PathBuf,
    max_bytes: u64,
    file: Mutex<(File, u64)>,
}

impl DecisionLog {
    /// Opens the file, and goes on where it ends.
    pub fn open(path: &Path, max_bytes: u64) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), max_bytes, file: Mutex::new(append(path)?) })
    }

    /// Writes a record. A log that can't be written stops no remediation, but says so.
    pub fn write(&self, record: &Record<'_>) {
        let line = record.line();
        if let Err(error) = self.append(line.as_bytes()) {
            tracing::error!(path = %self.path.display(), %error, "decision log not written");
        }
    }

    fn append(&self, line: &[u8]) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = u64::try_from(line.len()).unwrap_or(u64::MAX);
        if file.1 > 0 && file.1.saturating_add(bytes) > self.max_bytes {
            for number in (1..OLD_FILES).rev() {
                let _ = fs::rename(old(&self.path, number), old(&self.path, number + 1));
            }
            fs::rename(&self.path, old(&self.path, 1))?;
            *file = append(&self.path)?;
        }
        // One call: a line is never torn by another process that appends too.
        file.0.write_all(line)?;
        file.1 = file.1.saturating_add(bytes);
        Ok(())
    }
}

/// The files that exist, oldest first.
pub fn files(path: &Path) -> Vec<PathBuf> {
    let old = (1..=OLD_FILES).rev().map(|number| old(path, number)).filter(|path| path.exists());
    old.chain([path.to_owned()]).collect()
}

fn old(path: &Path, number: usize) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{number}"));
    name.into()
}

fn append(path: &Path) -> io::Result<(File, u64)> {
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    let length = file.metadata()?.len();
    Ok((file, length))
}
