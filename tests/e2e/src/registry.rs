//! The real registry of Debian's `docker-registry`, on loopback.

use anyhow::{Context, Result};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A running registry, until it is dropped.
pub struct Registry {
    process: Child,
    /// Host and port.
    pub address: String,
}

impl Registry {
    /// Starts one with its content in a folder.
    pub fn start(folder: &Path) -> Result<Self> {
        let config = folder.join("registry.yml");
        let storage = folder.join("registry");
        let text = format!(
            "version: 0.1\nlog: {{ level: info, formatter: json }}\nstorage:\n  filesystem: {{ rootdirectory: {} }}\nhttp: {{ addr: \"127.0.0.1:0\" }}\n",
            storage.display()
        );
        std::fs::write(&config, text)?;
        let mut command = Command::new("docker-registry");
        command.arg("serve").arg(&config).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = command.spawn().context("docker-registry; install Debian's package docker-registry")?;
        let mut log = BufReader::new(process.stderr.take().context("no log")?);
        let mut line = String::new();
        let address = loop {
            line.clear();
            anyhow::ensure!(log.read_line(&mut line)? > 0, "the registry stopped");
            if let Some((_, rest)) = line.split_once("listening on ") {
                break rest.chars().take_while(|c| c.is_ascii_digit() || ".:".contains(*c)).collect();
            }
        };
        // One that can't write its log stops.
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        Ok(Self { process, address })
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
