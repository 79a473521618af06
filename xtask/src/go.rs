//! The Go package: the policy and the library's answers in, vet, staticcheck and its tests out.

use crate::{artifact, run, testplane, vectors};
use anyhow::{Context, Result, bail, ensure};

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
    formatted()?;
    go(&["vet", "./..."])?;
    go(&["run", STATICCHECK, "./..."])?;
    testplane::build()?;
    // Go would remember a result although the policy changed: it does not look at files outside of the module.
    go(&["test", "-count=1", "-timeout", "20m", "./..."])?;
    // Once more where goroutines share an engine. The controller has none of its own, and building all of Kubernetes' client
    // a second time takes minutes.
    go(&["test", "-race", "-short", "-count=1", "-timeout", "20m", "."])
}

fn formatted() -> Result<()> {
    let output = run::command("gofmt", &["-l", "host-example/go"]).output().context("could not start `gofmt`")?;
    let files = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success() && files.is_empty(), "to be formatted with `gofmt -w`:\n{files}");
    Ok(())
}

/// Whether Go is there.
pub fn available() -> bool {
    run::succeeds("go", &["version"])
}

fn go(arguments: &[&str]) -> Result<()> {
    run::exec(run::command("go", arguments).current_dir(run::root().join("host-example/go")))
}
