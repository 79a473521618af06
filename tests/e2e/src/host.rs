//! The program under test, started as people start it.

use crate::plane::free_port;
use crate::process::{Process, program};
use crate::wait::{eventually, within};
use crate::wrong_clock::WrongClock;
use anyhow::{Context, Result};
use http_body_util::{BodyExt, Empty};
use hyper::Request;
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Every kind that can be decided about.
const KINDS: &str = "Cluster,KubeadmControlPlane,MachineDeployment,MachineSet,MachineHealthCheck,MachinePool,Machine";

/// A running `capi-policy watch`.
pub struct Host {
    process: Process,
    address: String,
    /// Its decision log.
    pub decisions: PathBuf,
    /// What it logs.
    pub log: PathBuf,
}

impl Host {
    /// Starts one; `name` tells its files from those of others. Unless another is named, its policy is the one that keeps
    /// objects.
    pub fn start(kubeconfig: &Path, directory: &Path, name: &str, arguments: &[&str]) -> Result<Self> {
        Self::start_terse(kubeconfig, directory, name, &[&["--explain"], arguments].concat())
    }

    /// Starts one that does not write down how it came to each decision.
    pub fn start_terse(kubeconfig: &Path, directory: &Path, name: &str, arguments: &[&str]) -> Result<Self> {
        Self::launch(kubeconfig, directory, name, arguments, &[])
    }

    /// Starts one from a shell that runs a command first. Its log is lost: there may be no room for files.
    pub fn start_after(
        before: &str,
        kubeconfig: &Path,
        directory: &Path,
        name: &str,
        arguments: &[&str],
    ) -> Result<Self> {
        let script = format!("{before}; exec \"$0\" \"$@\" 2>&1");
        Self::launch(kubeconfig, directory, name, arguments, &["/bin/sh".to_owned(), "-c".to_owned(), script])
    }

    /// Starts one whose clock is wrong.
    pub fn start_with_clock(
        clock: &WrongClock,
        kubeconfig: &Path,
        directory: &Path,
        name: &str,
        arguments: &[&str],
    ) -> Result<Self> {
        Self::launch(kubeconfig, directory, name, &[&["--explain"], arguments].concat(), &clock.prefix())
    }

    fn launch(kubeconfig: &Path, directory: &Path, name: &str, arguments: &[&str], prefix: &[String]) -> Result<Self> {
        let (log, decisions) = (directory.join(format!("{name}.log")), directory.join(format!("{name}.jsonl")));
        let address = format!("127.0.0.1:{}", free_port()?);
        let mut all: Vec<String> = ["watch", "--kubeconfig"].map(str::to_owned).to_vec();
        all.push(kubeconfig.display().to_string());
        all.extend(["--listen".to_owned(), address.clone()]);
        all.extend(["--decision-log".to_owned(), decisions.display().to_string()]);
        // Here nobody else writes for the other kinds.
        if arguments.contains(&"apply") && !arguments.contains(&"--kinds") {
            all.extend(["--kinds".to_owned(), KINDS.to_owned()]);
        }
        // No release is installed here, unless a test says so.
        if !arguments.contains(&"--profile") {
            all.extend(["--profile".to_owned(), "documented".to_owned()]);
        }
        if !arguments.contains(&"--policy") {
            all.extend(["--policy".to_owned(), policy()?]);
        }
        all.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        let process = match prefix {
            [] => Process::start(&binary()?, &all, &log)?,
            [program, before @ ..] => {
                let host = [binary()?.display().to_string()];
                Process::start(Path::new(program), &[before, &host, &all].concat(), &log)?
            }
        };
        Ok(Self { process, address, decisions, log })
    }

    /// Starts one with this environment and no other, and these arguments, of which only the port is another.
    pub fn start_as(environment: &[(String, String)], mut arguments: Vec<String>, log: &Path) -> Result<Self> {
        let address = format!("127.0.0.1:{}", free_port()?);
        let mut decisions = PathBuf::new();
        for argument in &mut arguments {
            if argument.starts_with("--listen=") {
                *argument = format!("--listen={address}");
            }
            decisions = argument.strip_prefix("--decision-log=").map_or(decisions, PathBuf::from);
        }
        let environment = environment.iter().map(|(name, value)| format!("{name}={value}"));
        let mut all: Vec<String> = ["-i".to_owned()].into_iter().chain(environment).collect();
        all.push(binary()?.display().to_string());
        all.extend(arguments);
        let process = Process::start(Path::new("/usr/bin/env"), &all, log)?;
        Ok(Self { process, address, decisions, log: log.to_owned() })
    }

    /// Waits until the first lists are complete.
    pub async fn ready(&self) -> Result<()> {
        eventually("the host is ready", within(60), async || {
            Ok(self.get("/readyz").await.is_ok_and(|(status, _)| status == 200).then_some(()))
        })
        .await
    }

    /// The answer to a request: status and body.
    pub async fn get(&self, path: &str) -> Result<(u16, String)> {
        let stream = tokio::net::TcpStream::connect(&self.address).await?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        let request = Request::get(path).header("host", &self.address).body(Empty::<Bytes>::new())?;
        let response = sender.send_request(request).await?;
        let status = response.status().as_u16();
        let body = response.into_body().collect().await?.to_bytes();
        Ok((status, String::from_utf8(body.to_vec())?))
    }

    /// What `/differences` says.
    pub async fn differences(&self) -> Result<Value> {
        Ok(serde_json::from_str(&self.get("/differences").await?.1)?)
    }

    /// The sum of the metrics whose line starts so.
    pub async fn metric(&self, start: &str) -> Result<u64> {
        let (_, text) = self.get("/metrics").await?;
        let lines = text.lines().filter(|line| line.starts_with(start));
        Ok(lines.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).sum())
    }

    /// Every decision so far.
    pub fn decisions(&self) -> Result<Vec<Value>> {
        let text = std::fs::read_to_string(&self.decisions).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).with_context(|| line.to_owned())).collect()
    }

    /// Rows that have decided something so far.
    pub fn rows(&self) -> Result<BTreeSet<String>> {
        let decisions = self.decisions()?;
        let rows = decisions.iter().flat_map(|decision| decision["rows"].as_array().into_iter().flatten());
        Ok(rows.filter_map(|row| row.as_str().map(str::to_owned)).collect())
    }

    /// SIGKILL.
    pub fn kill(&mut self) -> Result<()> {
        self.process.kill()
    }

    /// SIGTERM, and waits for the end, which has to be a good one.
    pub async fn stop(&mut self) -> Result<()> {
        self.signal("TERM")?;
        self.ended().await
    }

    /// Waits for the end, whatever it is.
    pub async fn exited(&mut self) -> Result<std::process::ExitStatus> {
        self.process.close().await
    }

    /// Where it listens.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Waits for the end, which has to be a good one.
    pub async fn ended(&mut self) -> Result<()> {
        let status = self.process.close().await?;
        anyhow::ensure!(status.success(), "the host ended with {status}");
        Ok(())
    }

    /// Sends a signal by name.
    pub fn signal(&self, name: &str) -> Result<()> {
        let id = self.id().to_string();
        anyhow::ensure!(Command::new("kill").args([&format!("-{name}"), &id]).status()?.success(), "SIG{name} to {id}");
        Ok(())
    }

    /// Limits how large its files may become, or not.
    pub fn limit_files(&self, bytes: Option<u64>) -> Result<()> {
        let limit = bytes.map_or_else(|| "unlimited".to_owned(), |bytes| bytes.to_string());
        let arguments = ["--pid".to_owned(), self.id().to_string(), format!("--fsize={limit}:")];
        anyhow::ensure!(Command::new("prlimit").args(&arguments).status()?.success(), "prlimit {arguments:?}");
        Ok(())
    }

    /// Its resident memory.
    pub fn resident_kilobytes(&self) -> Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id()))?;
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        resident.trim().trim_end_matches(" kB").parse().with_context(|| format!("resident memory {resident:?}"))
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }
}

/// Runs another command of the program: exit code, and what it printed.
pub fn command(arguments: &[&str]) -> Result<(Option<i32>, String, String)> {
    let output = Command::new(binary()?).args(arguments).env("NO_COLOR", "1").output()?;
    Ok((output.status.code(), String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?))
}

/// The policy's file.
pub fn policy() -> Result<String> {
    Ok(program("CAPI_POLICY", "dist/capi_policy.wasm")?.display().to_string())
}

fn binary() -> Result<PathBuf> {
    program("CAPI_POLICY_HOST", "target/release/capi-policy")
}
