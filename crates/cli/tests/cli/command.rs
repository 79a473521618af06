//! Runs the command and keeps what it says.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The time at which the example fleet is in trouble.
pub const NOW: &str = "2026-01-15T12:00:00Z";

/// What a run left behind.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file of the repository as text.
pub fn path(file: &str) -> String {
    root().join(file).display().to_string()
}

/// The example fleet.
pub fn fleet() -> String {
    path("examples/fleet.yaml")
}

/// The policy under test.
pub fn policy() -> String {
    let policy = path("dist/capi_policy.wasm");
    assert!(Path::new(&policy).is_file(), "no {policy}; make it with `cargo xtask artifact`");
    policy
}

/// The command with the policy under test, in a folder without one, with no word from the environment.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_capi-policy"));
    command.args(arguments).env("CAPI_POLICY", policy()).current_dir(std::env::temp_dir());
    for name in [
        "NO_COLOR",
        "CLICOLOR_FORCE",
        "http_proxy",
        "HTTP_PROXY",
        "https_proxy",
        "HTTPS_PROXY",
        "all_proxy",
        "ALL_PROXY",
    ] {
        command.env_remove(name);
    }
    command
}

/// Runs the command to its end.
pub fn run(arguments: &[&str]) -> Run {
    finish(&mut command(arguments))
}

/// Runs a prepared command to its end.
pub fn finish(command: &mut Command) -> Run {
    read(command.output().expect("the command starts"))
}

/// Runs the command with text on standard input.
pub fn run_with(input: &str, arguments: &[&str]) -> Run {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("standard input");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the command ends");
    // A command that refuses its arguments does not read.
    let _ = writer.join().expect("the writer ends");
    read(output)
}

fn read(output: Output) -> Run {
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

impl Run {
    /// The output of a run that went well, as JSON.
    pub fn json(&self) -> Value {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        serde_json::from_str(&self.stdout).expect("JSON")
    }

    /// Fails unless the run ended with this code and said all of this, on whichever stream.
    pub fn says(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{}\n{}", self.stdout, self.stderr);
        for word in words {
            assert!(
                self.stdout.contains(word) || self.stderr.contains(word),
                "{word:?} in\n{}\n{}",
                self.stdout,
                self.stderr
            );
        }
    }
}
