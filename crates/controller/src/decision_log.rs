//! The journal of decisions: JSON lines in files that are rotated. What can't be undone is written down, and safely on
//! the disk, before it is done; what came of it afterwards.

use super::apply::Written;
use super::clock;
use super::differences::Difference;
use super::entry::Entry;
use super::key::Key;
use super::memory::digest;
use super::metrics::Metrics;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::Duration;
use tokio::sync::oneshot;

/// How many old files stay: `FILE.1` is the latest of them.
pub const OLD_FILES: usize = 5;
/// How many records may wait for a slow disk.
const WAITING: usize = 1024;
/// How long a record may take.
const WITHIN: Duration = Duration::from_secs(10);

/// One decision and what came of it.
pub struct Record<'a> {
    pub time: Timestamp,
    pub key: &'a Key,
    pub object: &'a Entry,
    pub policy: &'a str,
    pub profile: &'a str,
    pub decision: &'a Value,
    pub rows: Vec<String>,
    pub changed: &'a [Difference],
    pub written: &'a [Written],
}

impl Record<'_> {
    fn line(&self) -> Value {
        let time = self.time.to_string();
        let mut line = json!({
            "id": id(&[&time, &self.key.to_string(), self.policy]),
            "time": time,
            "kind": &*self.key.kind.kind,
            "namespace": &*self.key.namespace,
            "name": &*self.key.name,
            "uid": self.object.uid.as_deref().unwrap_or_default(),
            "resourceVersion": self.object.version.to_string(),
            "policy": self.policy,
            "profile": self.profile,
            "rows": self.rows,
            "changed": self.changed,
            "written": self.written,
        });
        for field in ["conditions", "status", "machines", "threshold", "actions", "events", "error"] {
            if let Some(value) = self.decision.get(field) {
                line[field] = value.clone();
            }
        }
        line
    }
}

/// Something that can't be undone, about to be done.
pub struct Intent<'a> {
    /// What decided.
    pub key: &'a Key,
    /// The action's name, or `apply` for a condition that has others act.
    pub what: &'static str,
    pub object: &'a Key,
    pub uid: Option<&'a str>,
    pub resource_version: Option<&'a str>,
    /// Why: what was decided about the machine.
    pub why: Value,
}

impl Intent<'_> {
    fn line(&self, time: &str, id: &str) -> Value {
        let Key { kind, namespace, name } = self.key;
        json!({
            "record": "intent", "id": id, "time": time,
            "kind": &*kind.kind, "namespace": &**namespace, "name": &**name,
            "what": self.what, "object": self.object.to_string(),
            "objectUid": self.uid, "resourceVersion": self.resource_version, "why": self.why,
        })
    }
}

/// What writes the journal.
#[derive(Clone)]
pub struct DecisionLog {
    lines: SyncSender<Line>,
    metrics: Arc<Metrics>,
}

struct Line {
    text: String,
    sync: bool,
    done: oneshot::Sender<io::Result<()>>,
}

impl DecisionLog {
    /// Opens the file, and goes on where it ends. Refuses one that another process writes to.
    pub fn open(path: &Path, max_bytes: u64, metrics: Arc<Metrics>) -> io::Result<Self> {
        let file = Journal::open(path, max_bytes)?;
        let (lines, waiting) = sync_channel(WAITING);
        // A thread of its own: a disk that hangs must not hang anything else.
        std::thread::Builder::new().name("decision-log".to_owned()).spawn(move || file.write_all(&waiting))?;
        Ok(Self { lines, metrics })
    }

    /// Writes down a decision. One that can't be is reported; nothing that can't be undone came of it unrecorded.
    pub async fn decision(&self, record: &Record<'_>) {
        let _ = self.append(&record.line(), false).await;
    }

    /// Writes down, and on the disk, what is about to be done. Returns what its result is filed under. Where this fails, it
    /// must not be done.
    pub async fn intent(&self, intent: &Intent<'_>) -> io::Result<String> {
        let time = clock::now().to_string();
        let id = id(&[&time, &intent.key.to_string(), intent.what, &intent.object.to_string()]);
        self.append(&intent.line(&time, &id), true).await?;
        Ok(id)
    }

    /// Writes down what came of it.
    pub async fn result(&self, intent: &str, by: &Key, written: &Written) {
        let Key { kind, namespace, name } = by;
        let time = clock::now().to_string();
        let line = json!({
            "record": "result", "id": id(&[&time, intent]), "intent": intent, "time": time,
            "kind": &*kind.kind, "namespace": &**namespace, "name": &**name,
            "what": written.what, "object": written.object, "result": written.result, "detail": written.detail,
        });
        let _ = self.append(&line, false).await;
    }

    async fn append(&self, line: &Value, sync: bool) -> io::Result<()> {
        let (done, result) = oneshot::channel();
        let result = match self.lines.try_send(Line { text: format!("{line}\n"), sync, done }) {
            Ok(()) => match tokio::time::timeout(WITHIN, result).await {
                Ok(result) => result.unwrap_or_else(|_| Err(io::Error::other("the writer has ended"))),
                Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "the disk does not answer")),
            },
            Err(TrySendError::Full(_)) => Err(io::Error::other("too many records are waiting")),
            Err(TrySendError::Disconnected(_)) => Err(io::Error::other("the writer has ended")),
        };
        if let Err(error) = &result {
            self.metrics.log_failed();
            tracing::error!(%error, "decision log not written");
        }
        result
    }
}

fn id(parts: &[&str]) -> String {
    digest(parts).get(..16).unwrap_or_default().to_owned()
}

/// The file that is written to.
struct Journal {
    path: PathBuf,
    max_bytes: u64,
    file: File,
    length: u64,
    /// Half a line may stand at the end.
    torn: bool,
}

impl Journal {
    fn open(path: &Path, max_bytes: u64) -> io::Result<Self> {
        let (file, length) = append(path)?;
        Ok(Self { path: path.to_owned(), max_bytes, file, length, torn: false })
    }

    fn write_all(mut self, lines: &Receiver<Line>) {
        while let Ok(line) = lines.recv() {
            let result = self.write(line.text.as_bytes(), line.sync);
            // Whoever has given up waiting has said so already.
            let _ = line.done.send(result);
        }
    }

    fn write(&mut self, line: &[u8], sync: bool) -> io::Result<()> {
        let bytes = u64::try_from(line.len()).unwrap_or(u64::MAX);
        // Nobody would find a record in a file that somebody has moved or deleted.
        if !is_at(&self.file, &self.path) {
            tracing::warn!(path = %self.path.display(), "the decision log was moved or deleted; a new file is begun");
            (self.file, self.length) = append(&self.path)?;
            self.torn = false;
        }
        if self.torn {
            self.file.set_len(self.length)?;
            self.torn = false;
        }
        if self.length > 0 && self.length.saturating_add(bytes) > self.max_bytes {
            // A file that can't be rotated grows: that is better than no record.
            if let Err(error) = self.rotate() {
                tracing::error!(path = %self.path.display(), %error, "decision log not rotated");
            }
        }
        if let Err(error) = self.file.write_all(line) {
            // Half a line must not spoil the next one.
            self.torn = self.file.set_len(self.length).is_err();
            return Err(error);
        }
        self.length = self.length.saturating_add(bytes);
        if sync { self.file.sync_data() } else { Ok(()) }
    }

    fn rotate(&mut self) -> io::Result<()> {
        self.file.sync_data()?;
        for number in (1..OLD_FILES).rev() {
            let (from, to) = (old(&self.path, number), old(&self.path, number.saturating_add(1)));
            if from.exists() {
                fs::rename(from, to)?;
            }
        }
        fs::rename(&self.path, old(&self.path, 1))?;
        (self.file, self.length) = append(&self.path)?;
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

/// The file to go on with, and its length. A crash may have left half a line at its end, which is cut off; so a link to
/// somebody else's file is not followed, and nobody waits for the reader of a pipe.
fn append(path: &Path) -> io::Result<(File, u64)> {
    let is_file =
        |metadata: fs::Metadata| metadata.is_file().then_some(()).ok_or_else(|| io::Error::other("not a regular file"));
    let new = match fs::symlink_metadata(path) {
        Ok(metadata) => is_file(metadata).map(|()| false)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => return Err(error),
    };
    let file = OpenOptions::new().create(true).read(true).append(true).mode(0o600).open(path)?;
    is_file(file.metadata()?)?;
    file.try_lock()
        .map_err(|_| io::Error::other("another process writes to this file; each replica needs one of its own"))?;
    if new {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()?;
    }
    let length = file.metadata()?.len();
    let end = end_of_last_line(&file, length)?;
    if end < length {
        file.set_len(end)?;
    }
    Ok((file, end))
}

/// Where the last line that is complete ends.
fn end_of_last_line(file: &File, length: u64) -> io::Result<u64> {
    let mut end = length;
    let mut part = [0; 8 << 10];
    while end > 0 {
        let start = end.saturating_sub(8 << 10);
        let size = usize::try_from(end.saturating_sub(start)).unwrap_or_default();
        let part = part.get_mut(..size).unwrap_or_default();
        file.read_exact_at(part, start)?;
        if let Some(at) = part.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start.saturating_add(u64::try_from(at).unwrap_or_default()).saturating_add(1));
        }
        end = start;
    }
    Ok(0)
}

/// Whether a path leads to this very file.
fn is_at(file: &File, path: &Path) -> bool {
    let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let (there, own) = (fs::symlink_metadata(path).map(place), file.metadata().map(place));
    there.is_ok_and(|there| own.is_ok_and(|own| own == there))
}

#[cfg(test)]
mod tests {
    use super::{Journal, OLD_FILES, files};
    use std::fs;

    #[test]
    fn half_a_line_is_cut_off_and_a_second_process_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("decisions.jsonl");
        fs::write(&path, "{\"id\":\"a\"}\n{\"id\":").expect("a file");
        let mut journal = Journal::open(&path, 1 << 20).expect("a journal");
        journal.write(b"{\"id\":\"b\"}\n", true).expect("a record");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "{\"id\":\"a\"}\n{\"id\":\"b\"}\n");
        let error = Journal::open(&path, 1 << 20).err().expect("it is taken");
        assert!(error.to_string().contains("another process"), "{error}");
        drop(journal);
        Journal::open(&path, 1 << 20).expect("it is free again");
    }

    #[test]
    fn rotation_keeps_the_newest_and_a_failure_loses_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("decisions.jsonl");
        let mut journal = Journal::open(&path, 8).expect("a journal");
        for number in 10..20 {
            journal.write(format!("{number}:text\n").as_bytes(), false).expect("a record");
        }
        let kept: String = files(&path).iter().map(|file| fs::read_to_string(file).expect("a file")).collect();
        let expected: Vec<String> = (19 - OLD_FILES..20).map(|number| format!("{number}:text\n")).collect();
        assert_eq!(kept, expected.concat());
        // A folder in the way: what can't be renamed is written to all the same.
        let old = folder.path().join(format!("decisions.jsonl.{OLD_FILES}"));
        fs::remove_file(&old).expect("a file");
        fs::create_dir_all(old.join("in the way")).expect("a folder");
        journal.write(b"20:text\n", true).expect("a record");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "19:text\n20:text\n");
    }

    #[test]
    fn a_log_that_is_taken_away_begins_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("decisions.jsonl");
        let mut journal = Journal::open(&path, 1 << 20).expect("a journal");
        journal.write(b"1\n", true).expect("a record");
        fs::rename(&path, folder.path().join("taken")).expect("a file");
        journal.write(b"2\n", true).expect("a record");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "2\n");
        fs::remove_file(&path).expect("a file");
        journal.write(b"3\n", true).expect("a record");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "3\n");
        fs::remove_dir_all(folder.path()).expect("a folder");
        journal.write(b"4\n", true).expect_err("there is nowhere to write to");
    }

    #[test]
    fn what_is_no_file_is_refused_and_not_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let (other, link, pipe) = (folder.path().join("other"), folder.path().join("link"), folder.path().join("pipe"));
        fs::write(&other, "somebody else's").expect("a file");
        std::os::unix::fs::symlink(&other, &link).expect("a link");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        for path in [&link, &pipe, &folder.path().to_owned()] {
            let error = Journal::open(path, 8).err().expect("refused");
            assert_eq!(error.to_string(), "not a regular file", "{}", path.display());
        }
        assert_eq!(fs::read_to_string(&other).expect("a file"), "somebody else's");
    }

    #[test]
    fn only_a_last_line_that_is_cut_short_is_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("decisions.jsonl");
        let long = "x".repeat(20_000);
        for (before, after) in [
            (format!("{long}\n{long}"), format!("{long}\n")),
            (format!("{long}\n"), format!("{long}\n")),
            (long.clone(), String::new()),
            (String::new(), String::new()),
        ] {
            fs::write(&path, before).expect("a file");
            drop(Journal::open(&path, 8).expect("a journal"));
            assert_eq!(fs::read_to_string(&path).expect("a file"), after);
        }
    }

    #[test]
    fn only_the_owner_reads_it() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("decisions.jsonl");
        Journal::open(&path, 8).expect("a journal");
        assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o600);
    }
}
