//! Programs that speak a line of JSON at a time, and where they are.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

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
    lines: Lines<BufReader<ChildStdout>>,
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
            .kill_on_drop(true)
            .spawn()
            .with_context(|| program.display().to_string())?;
        let stdout = child.stdout.take().context("no standard output")?;
        let stdin = child.stdin.take();
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { child, stdin, lines: BufReader::new(stdout).lines(), name })
    }

    /// The next line of JSON.
    pub async fn answer(&mut self) -> Result<Value> {
        let line = tokio::time::timeout(ANSWER_WITHIN, self.lines.next_line()).await;
        let line = line.with_context(|| format!("{} says nothing", self.name))??;
        let line = line.with_context(|| format!("{} has ended", self.name))?;
        Ok(serde_json::from_str(&line)?)
    }

    /// Gives a command and waits for its answer.
    pub async fn command(&mut self, line: &str) -> Result<Value> {
        let stdin = self.stdin.as_mut().context("standard input is closed")?;
        stdin.write_all(format!("{line}\n").as_bytes()).await?;
        let answer = self.answer().await?;
        anyhow::ensure!(answer["ok"] == true, "{}: {line}: {answer}", self.name);
        Ok(answer)
    }

    /// Its process id.
    pub fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// SIGKILL, and waits until it is gone.
    pub async fn kill(&mut self) -> Result<()> {
        Ok(self.child.kill().await?)
    }

    /// Closes standard input, and waits until the program has ended by itself.
    pub async fn close(&mut self) -> Result<()> {
        self.stdin = None;
        tokio::time::timeout(ANSWER_WITHIN, self.child.wait())
            .await
            .with_context(|| format!("{} does not end", self.name))??;
        Ok(())
    }
}
