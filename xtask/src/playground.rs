//! The playground: built to one folder, served on loopback.

use crate::{artifact, pkg, run, vectors};
use anyhow::Result;

/// Options of `cargo xtask playground`.
#[derive(clap::Args)]
pub struct Options {
    /// The port to serve on, by default the one that links of `capi-policy simulate` name; 0 takes a free one
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Build `pkg/playground/dist` and stop
    #[arg(long)]
    build_only: bool,
}

/// Builds and serves; the server says where.
pub fn playground(options: &Options) -> Result<()> {
    build()?;
    if options.build_only {
        return Ok(());
    }
    run::exec(run::command("node", &["pkg/playground/serve.mjs"]).arg(options.port.to_string()))
}

/// Builds `pkg/playground/dist`.
pub fn build() -> Result<()> {
    pkg::build()?;
    pkg::simulator()?;
    pkg::npm(&["run", "--silent", "playground"])
}

/// The package in Node and in fresh projects, the playground in a browser; the component and the command line say what they
/// have to answer.
pub fn test() -> Result<()> {
    run::ensure_debian("chromium", &["chromium"])?;
    vectors::write()?;
    artifact::artifact()?;
    run::run("cargo", &["build", "--locked", "--profile=tested", "--package=capi-policy-cli"])?;
    build()?;
    pkg::npm(&["run", "--silent", "check"])?;
    pkg::npm(&["run", "--silent", "test"])
}
