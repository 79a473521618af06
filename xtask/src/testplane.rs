//! The control plane and the controllers that the tests on a cluster run against.

use crate::run;
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// The release of Cluster API whose controllers run in tests, unless another is named: a folder of `tests/upstream`.
pub const NEWEST: &str = "v1.14";
/// The one before it.
pub const PREVIOUS: &str = "v1.13";

const VERSION: &str = "k8s.io/component-base/version";

/// Builds the control plane into `target/testplane`.
pub fn build() -> Result<()> {
    run::exec(&mut testplane("go", &[]))
}

/// Builds the controllers of a release of Cluster API.
pub fn build_upstream(release: &str) -> Result<PathBuf> {
    run::exec(&mut upstream("go", &[], release))?;
    Ok(run::root().join("target/testplane").join(upstream_name(release)))
}

/// Builds kubectl, in the release of the control plane.
pub fn build_kubectl() -> Result<PathBuf> {
    run::exec(&mut go_build("go", &[], "tests/kubectl", "kubectl", "-s -w"))?;
    Ok(run::root().join("target/testplane/kubectl"))
}

fn testplane(program: &str, before: &[&str]) -> Command {
    let flags = format!(
        "-s -w -X {VERSION}.gitVersion=v1.36.3 -X {VERSION}.gitMajor=1 -X {VERSION}.gitMinor=36 -X {VERSION}.gitTreeState=clean"
    );
    go_build(program, before, "tests/testplane", "testplane", &flags)
}

fn upstream(program: &str, before: &[&str], release: &str) -> Command {
    go_build(program, before, &module(release), &upstream_name(release), "-s -w")
}

fn upstream_name(release: &str) -> String {
    format!("upstream-{release}")
}

/// The Go module with the controllers of a release.
fn module(release: &str) -> String {
    format!("tests/upstream/{release}")
}

fn go_build(program: &str, before: &[&str], folder: &str, name: &str, flags: &str) -> Command {
    let output = run::root().join("target/testplane").join(name).display().to_string();
    let build = ["build", "-C", folder, "-o", &output, "-ldflags", flags, "."];
    run::command(program, &[before, &build[..]].concat())
}

/// Both builds under way, on what others leave of the processor. Whoever needs them builds them once more, which then takes
/// seconds, and tells what is wrong if something is.
pub struct Ahead(Vec<Child>);

impl Ahead {
    /// Starts them, where that is possible.
    pub fn start() -> Self {
        let gently = ["-n", "10", "go"];
        let builds = [testplane("nice", &gently), upstream("nice", &gently, NEWEST)];
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
pub fn cluster_api(release: &str) -> Result<PathBuf> {
    let module = &module(release);
    run::run("go", &["-C", module, "mod", "download", "sigs.k8s.io/cluster-api"])?;
    let arguments = ["-C", module, "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/cluster-api"];
    let output = run::command("go", &arguments).output().context("could not start `go`")?;
    anyhow::ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim()))
}

/// Builds and starts a control plane with the CRDs of Cluster API; it prints its kubeconfig and stays until Ctrl-D.
pub fn start() -> Result<()> {
    build()?;
    let module = cluster_api(NEWEST)?;
    let mut plane = Command::new(run::root().join("target/testplane/testplane"));
    plane.args([
        "--log-file",
        "target/testplane/testplane.log",
        "--crd-groups",
        "cluster.x-k8s.io,controlplane.cluster.x-k8s.io",
    ]);
    for folder in ["core/config", "controlplane/kubeadm/config"] {
        plane.arg("--crd-dir").arg(module.join(folder).join("crd/bases"));
    }
    run::exec(plane.current_dir(run::root()))
}
