//! Programs that speak a line of JSON at a time, and where they are.

use crate::wait::eventually;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::Duration;
use tokio::sync::mpsc;

/// Generous: the machine may be busy.
const ANSWER_WITHIN: Duration = Duration::from_mins(3);

/// A program, from a variable or from where `cargo xtask` puts it.
pub fn program(variable: &str, default: &str) -> Result<PathBuf> {
    let path = env::var_os(variable).map_or_else(|| root().join(default), PathBuf::from);
    if !path.exists() {
        bail!("{} is not there; `cargo xtask test e2e` builds it, or name it with {variable}", path.display());
    }
    Ok(path)
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(Path::to_path_buf).unwrap_or_default()
}

/// A running program. It ends when this is dropped.
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: mpsc::UnboundedReceiver<String>,
    name: String,
}

impl Process {
    /// Starts a program; its standard error goes to a file.
    pub fn start(program: &Path, arguments: &[String], log: &Path) -> Result<Self> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(std::fs::OpenOptions::new().create(true).append(true).open(log)?)
            .spawn()
            .with_context(|| program.display().to_string())?;
        let stdout = child.stdout.take().context("no standard output")?;
        let stdin = child.stdin.take();
        let (sender, lines) = mpsc::unbounded_channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { child, stdin, lines, name })
    }

    /// The next line.
    pub async fn line(&mut self) -> Result<String> {
        let line = tokio::time::timeout(ANSWER_WITHIN, self.lines.recv()).await;
        let line = line.with_context(|| format!("{} says nothing", self.name))?;
        line.with_context(|| format!("{} has ended", self.name))
    }

    /// The next line of JSON.
    pub async fn answer(&mut self) -> Result<Value> {
        Ok(serde_json::from_str(&self.line().await?)?)
    }

    /// Gives a command and waits for its answer.
    pub async fn command(&mut self, line: &str) -> Result<Value> {
        let stdin = self.stdin.as_mut().context("standard input is closed")?;
        writeln!(stdin, "{line}")?;
        let answer = self.answer().await?;
        anyhow::ensure!(answer["ok"] == true, "{}: {line}: {answer}", self.name);
        Ok(answer)
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// SIGKILL, and waits until it is gone.
    pub fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Closes standard input, and waits until the program has ended by itself.
    pub async fn close(&mut self) -> Result<ExitStatus> {
        self.stdin = None;
        eventually(&format!("{} ends", self.name), ANSWER_WITHIN, async || Ok(self.child.try_wait()?)).await
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // One that has ended already is fine.
        let _ = self.kill();
    }
}
