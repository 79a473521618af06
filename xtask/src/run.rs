//! Runs commands and says what it does.

use anyhow::{Context, Result, bail};
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// A command in the root of the repository.
pub fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    // What cargo says about xtask is not about what is built now; crates that look at it would be built again each time.
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")) {
            command.env_remove(name);
        }
    }
    command
}

/// Runs a command, with its output on the terminal.
pub fn run(program: &str, arguments: &[&str]) -> Result<()> {
    exec(&mut command(program, arguments))
}

/// Runs a prepared command, with its output on the terminal.
pub fn exec(command: &mut Command) -> Result<()> {
    let line = words(command);
    say(&line);
    let status = command.status().with_context(|| format!("could not start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// What a command prints; its errors go to the terminal.
pub fn output(command: &mut Command) -> Result<String> {
    let line = words(command);
    say(&line);
    let output = command.stderr(Stdio::inherit()).output().with_context(|| format!("could not start `{line}`"))?;
    let text = String::from_utf8(output.stdout)?;
    if !output.status.success() {
        bail!("`{line}` failed ({})\n{text}", output.status);
    }
    Ok(text)
}

/// Whether a command can be run and is content.
pub fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let status = command(program, arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Whether a program is there.
fn available(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Installs Debian packages unless `program` is there.
pub fn ensure_debian(program: &str, packages: &[&str]) -> Result<()> {
    if available(program) || Path::new("/usr/bin").join(program).exists() {
        return Ok(());
    }
    say(&format!("{program} is missing, installing {}", packages.join(", ")));
    let install = [&["install", "--yes", "--no-install-recommends"], packages].concat();
    exec(&mut as_root("apt-get", &["update", "--quiet"]))?;
    exec(as_root("apt-get", &install).env("DEBIAN_FRONTEND", "noninteractive"))
}

/// A command with the rights to install; CI's machines have an ordinary user who may become root.
fn as_root(program: &str, arguments: &[&str]) -> Command {
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    if root {
        command(program, arguments)
    } else {
        command("sudo", &[&["--preserve-env", program], arguments].concat())
    }
}

/// Adds a compilation target to the toolchain.
pub fn ensure_target(target: &str) -> Result<()> {
    run("rustup", &["--quiet", "target", "add", target])
}

/// Tells the person at the terminal what happens now.
pub fn say(line: &str) {
    eprintln!("\u{2192} {line}");
}

fn words(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|argument| argument.to_string_lossy().into_owned()));
    words.join(" ")
}
