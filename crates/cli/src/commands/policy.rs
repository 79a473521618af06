//! Which policy answers.

use crate::oci;
use anyhow::{Context, Result, bail};
use capi_policy_host::decision::Catalog;
use capi_policy_host::{Engine, Limits, NativeEngine, Options, PolicyEngine};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the artifact is when nobody says.
const DEFAULT: &str = "capi_policy.wasm";

const HELP: &str = "The policy: a file, or oci://registry/name:tag@sha256:… [default: dist/capi_policy.wasm]";

/// `--policy`.
#[derive(clap::Args, Default)]
pub struct PolicyArgs {
    #[arg(long, value_name = "FILE|oci://…", env = "CAPI_POLICY", hide_env_values = true, help = HELP)]
    policy: Option<String>,
}

/// What runs the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// The WebAssembly component in its sandbox
    Component,
    /// The library compiled into this program
    Native,
}

impl PolicyArgs {
    /// The component, ready to answer.
    pub fn load(&self) -> Result<PolicyEngine> {
        load(&self.reference()?)
    }

    /// The component with all the time it wants.
    pub fn load_without_deadline(&self) -> Result<PolicyEngine> {
        let limits = Limits { timeout: None, ..Limits::default() };
        load_with(&self.reference()?, &Options { limits, ..Options::default() })
    }

    /// The component or the library.
    pub fn engine(&self, kind: Kind) -> Result<Box<dyn Engine>> {
        Ok(match kind {
            Kind::Component => Box::new(self.load()?),
            Kind::Native => Box::new(NativeEngine),
        })
    }

    /// The reference given, or the default.
    pub fn reference(&self) -> Result<String> {
        match &self.policy {
            Some(reference) => Ok(reference.clone()),
            None => Ok(find_default()?.display().to_string()),
        }
    }
}

/// The component behind a file name or an `oci://` reference.
pub fn load(reference: &str) -> Result<PolicyEngine> {
    load_with(reference, &Options::default())
}

fn load_with(reference: &str, options: &Options) -> Result<PolicyEngine> {
    PolicyEngine::from_bytes(&bytes(reference)?, options).with_context(|| format!("policy {reference}"))
}

/// The bytes behind a file name or an `oci://` reference.
pub fn bytes(reference: &str) -> Result<Vec<u8>> {
    if reference.starts_with(oci::SCHEME) {
        return oci::pull(reference).map(|pulled| pulled.component);
    }
    fs::read(reference).with_context(|| {
        format!("policy {reference}: give a file made by `cargo xtask artifact`, or oci://registry/name:tag")
    })
}

/// What the policy behind an engine is.
pub fn catalog(engine: &dyn Engine) -> Result<Catalog> {
    serde_json::from_str(&engine.catalog()?).context("the policy's catalog")
}

/// Here, then beside the executable and above it, as in `target/release`.
fn find_default() -> Result<PathBuf> {
    let executable = env::current_exe().unwrap_or_default();
    let beside = executable.parent().map(|folder| folder.join(DEFAULT));
    let above = executable.ancestors().skip(1).map(|folder| folder.join("dist").join(DEFAULT));
    let candidates = [Path::new("dist").join(DEFAULT)].into_iter().chain(beside).chain(above);
    match candidates.into_iter().find(|path| Path::is_file(path)) {
        Some(path) => Ok(path),
        None => bail!(
            "no policy: there is no dist/{DEFAULT} here or beside the executable; build one with `cargo xtask artifact`, \
             or name one with --policy FILE, --policy oci://registry/name:tag, or the variable CAPI_POLICY"
        ),
    }
}
