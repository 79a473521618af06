//! The Go package: the policy and the library's answers in, vet, staticcheck and its tests out.

use crate::{artifact, run, vectors};
use anyhow::{Result, bail};
use std::process::{Command, Stdio};

const STATICCHECK: &str = "honnef.co/go/tools/cmd/staticcheck@v0.8.2";

const MISSING: &str = "Go is missing, so host-example/go can't be tested. Get Go 1.25 or newer from https://go.dev/dl/ \
    (unpack it and put its `bin` on the PATH), and a C compiler, or name the other steps: `cargo xtask test lint core …`";

/// Checks and tests the package and the controller that uses it.
pub fn test() -> Result<()> {
    if !available() {
        bail!(MISSING);
    }
    artifact::artifact()?;
    vectors::write()?;
    go(&["vet", "./..."])?;
    go(&["run", STATICCHECK, "./..."])?;
    build_testplane()?;
    go(&["test", "-race", "-timeout", "30m", "./..."])
}

fn available() -> bool {
    let version = Command::new("go").arg("version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

fn go(arguments: &[&str]) -> Result<()> {
    run::exec(run::command("go", arguments).current_dir(run::root().join("host-example/go")))
}

/// The API server that the controller is tested against. The tests build it, too; here its first build, which takes
/// minutes, counts against no test's time.
fn build_testplane() -> Result<()> {
    let stamps = ["gitVersion=v1.36.3", "gitMajor=1", "gitMinor=36", "gitTreeState=clean"];
    let stamps = stamps.map(|stamp| format!("-X k8s.io/component-base/version.{stamp}")).join(" ");
    let flags = format!("-s -w {stamps}");
    run::run(
        "go",
        &["build", "-C", "tests/testplane", "-o", "../../target/testplane/testplane", "-ldflags", &flags, "."],
    )
}
