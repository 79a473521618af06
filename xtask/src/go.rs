//! The Go package: the policy and the library's answers in, vet, staticcheck and its tests out.

use crate::{artifact, run, testplane, vectors};
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
    testplane::build()?;
    go(&["test", "-race", "-timeout", "30m", "./..."])
}

fn available() -> bool {
    let version = Command::new("go").arg("version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

fn go(arguments: &[&str]) -> Result<()> {
    run::exec(run::command("go", arguments).current_dir(run::root().join("host-example/go")))
}
