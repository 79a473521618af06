//! The control plane and the controllers that the tests on a cluster run against.

use crate::run;
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::Command;

const VERSION: &str = "k8s.io/component-base/version";

/// Builds the control plane into `target/testplane`.
pub fn build() -> Result<()> {
    let flags = format!(
        "-s -w -X {VERSION}.gitVersion=v1.36.3 -X {VERSION}.gitMajor=1 -X {VERSION}.gitMinor=36 -X {VERSION}.gitTreeState=clean"
    );
    go_build("testplane", &flags)
}

/// Builds Cluster API's controllers into `target/testplane`.
pub fn build_upstream() -> Result<()> {
    go_build("upstream", "-s -w")
}

fn go_build(name: &str, flags: &str) -> Result<()> {
    let output = format!("../../target/testplane/{name}");
    run::run("go", &["build", "-C", &format!("tests/{name}"), "-o", &output, "-ldflags", flags, "."])
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
