//! The control plane and the controllers that the tests on a cluster run against.

use crate::run;
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

const VERSION: &str = "k8s.io/component-base/version";

/// Builds the control plane into `target/testplane`.
pub fn build() -> Result<()> {
    run::exec(&mut testplane("go", &[]))
}

/// Builds Cluster API's controllers into `target/testplane`.
pub fn build_upstream() -> Result<()> {
    run::exec(&mut upstream("go", &[]))
}

fn testplane(program: &str, before: &[&str]) -> Command {
    let flags = format!(
        "-s -w -X {VERSION}.gitVersion=v1.36.3 -X {VERSION}.gitMajor=1 -X {VERSION}.gitMinor=36 -X {VERSION}.gitTreeState=clean"
    );
    go_build(program, before, "testplane", &flags)
}

fn upstream(program: &str, before: &[&str]) -> Command {
    go_build(program, before, "upstream", "-s -w")
}

fn go_build(program: &str, before: &[&str], name: &str, flags: &str) -> Command {
    let (folder, output) = (format!("tests/{name}"), format!("../../target/testplane/{name}"));
    let build = ["build", "-C", &folder, "-o", &output, "-ldflags", flags, "."];
    run::command(program, &[before, &build[..]].concat())
}

/// Both builds under way, on what others leave of the processor. Whoever needs them builds them once more, which then takes
/// seconds, and tells what is wrong if something is.
pub struct Ahead(Vec<Child>);

impl Ahead {
    /// Starts them, where that is possible.
    pub fn start() -> Self {
        let gently = ["-n", "10", "go"];
        let builds = [testplane("nice", &gently), upstream("nice", &gently)];
        let silent = |mut build: Command| build.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok();
        Self(builds.into_iter().filter_map(silent).collect())
    }

    /// Lets them end.
    pub fn wait(mut self) {
        for mut build in self.0.drain(..) {
            let _ = build.wait();
        }
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        for build in &mut self.0 {
            let _ = build.kill();
            let _ = build.wait();
        }
    }
}

/// The folder of the Cluster API module, downloaded if need be.
pub fn cluster_api() -> Result<PathBuf> {
    run::run("go", &["-C", "tests/upstream", "mod", "download", "sigs.k8s.io/cluster-api"])?;
    let arguments = ["-C", "tests/upstream", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/cluster-api"];
    let output = run::command("go", &arguments).output().context("could not start `go`")?;
    anyhow::ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim()))
}

/// Builds and starts a control plane with the CRDs of Cluster API; it prints its kubeconfig and stays until Ctrl-D.
pub fn start() -> Result<()> {
    build()?;
    let module = cluster_api()?;
    let mut plane = Command::new(run::root().join("target/testplane/testplane"));
    plane.args([
        "--log-file",
        "target/testplane/testplane.log",
        "--crd-groups",
        "cluster.x-k8s.io,controlplane.cluster.x-k8s.io",
    ]);
    for folder in ["config", "controlplane/kubeadm/config"] {
        plane.arg("--crd-dir").arg(module.join(folder).join("crd/bases"));
    }
    run::exec(plane.current_dir(run::root()))
}
