//! The Go modules: the policy embedded in the first of them, formatting, vet, staticcheck and their tests.

use crate::{artifact, run, testplane, vectors};
use anyhow::{Context, Result, bail, ensure};
use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};
use std::fs;
use std::io::{Read, Write};

/// Every module; the first one needs nothing but a WebAssembly runtime.
pub const MODULES: &[&str] = &[
    "go",
    "go/wasmtime",
    "go/clusterapi",
    "go/informer",
    "go/bench",
    "go/examples/provider",
    "go/examples/mhc-controller",
];

/// The policy as `go get` takes it.
const EMBEDDED: &str = "go/capi_policy.core.wasm.gz";

const STATICCHECK: &str = "honnef.co/go/tools/cmd/staticcheck@v0.8.2";

const MISSING: &str = "Go is missing, so the modules below go/ can't be tested. Get Go 1.26 or newer from https://go.dev/dl/ \
    (unpack it and put its `bin` on the PATH), and a C compiler, or name the other steps: `cargo xtask test lint core …`";

/// The policy that it has to be.
const FRESH: &str = "dist/capi_policy.core.wasm";

/// Builds the policy and embeds it into the Go module.
pub fn embed() -> Result<()> {
    artifact::artifact()?;
    let core = fs::read(run::root().join(FRESH)).context(FRESH)?;
    // Without a name and a time, so that the same policy gives the same file.
    let mut file = GzBuilder::new().write(Vec::new(), Compression::best());
    file.write_all(&core)?;
    fs::write(run::root().join(EMBEDDED), file.finish()?).context(EMBEDDED)?;
    run::say(&format!("embedded the policy into {EMBEDDED}"));
    Ok(())
}

/// Fails when the sources make another policy than the embedded one.
pub fn check_embedded() -> Result<()> {
    artifact::artifact()?;
    let fresh = fs::read(run::root().join(FRESH)).context(FRESH)?;
    let file = fs::File::open(run::root().join(EMBEDDED)).context(EMBEDDED)?;
    let mut embedded = Vec::new();
    GzDecoder::new(file).read_to_end(&mut embedded).context(EMBEDDED)?;
    ensure!(
        embedded == fresh,
        "{EMBEDDED} holds another policy than the sources make: run `cargo xtask go-embed` and commit the file"
    );
    Ok(())
}

/// Checks and tests every module.
pub fn test() -> Result<()> {
    if !available() {
        bail!(MISSING);
    }
    check_embedded()?;
    vectors::write()?;
    formatted()?;
    testplane::build()?;
    testplane::build_upstream(testplane::NEWEST)?;
    for module in MODULES {
        go(module, &["vet", "./..."])?;
        go(module, &["run", STATICCHECK, "./..."])?;
        // Go would remember a result although the policy changed: it does not look at files outside of the module.
        go(module, &["test", "-count=1", "-timeout", "20m", "./..."])?;
    }
    Ok(())
}

/// The module, whose goroutines share an engine, and the controller under the race detector, for which all of Kubernetes'
/// client is built a second time.
pub fn test_race() -> Result<()> {
    vectors::write()?;
    // Under the race detector a timer comes too late to give up a call in its middle.
    go("go", &["test", "-race", "-short", "-skip", "/fleet_given_up", "-count=1", "-timeout", "20m", "."])?;
    testplane::build()?;
    testplane::build_upstream(testplane::NEWEST)?;
    go("go/examples/mhc-controller", &["test", "-race", "-count=1", "-timeout", "20m", "./..."])
}

fn formatted() -> Result<()> {
    let output = run::command("gofmt", &["-l", "go"]).output().context("could not start `gofmt`")?;
    let files = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success() && files.is_empty(), "to be formatted with `gofmt -w`:\n{files}");
    Ok(())
}

/// Whether Go is there.
pub fn available() -> bool {
    run::succeeds("go", &["version"])
}

fn go(module: &str, arguments: &[&str]) -> Result<()> {
    run::exec(run::command("go", arguments).current_dir(run::root().join(module)))
}
