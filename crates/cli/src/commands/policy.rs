//! Which policy answers.

use crate::oci;
use crate::trust::{Trust, TrustArgs};
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
    #[command(flatten)]
    trust: TrustArgs,
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
        self.load_from(&self.reference()?)
    }

    /// Another component that has to be trusted in the same way.
    pub fn load_from(&self, reference: &str) -> Result<PolicyEngine> {
        engine(reference, &self.bytes(reference)?, &Options::default())
    }

    /// The bytes of a component that is trusted.
    pub fn bytes(&self, reference: &str) -> Result<Vec<u8>> {
        bytes(reference, self.trust.trust()?.as_ref())
    }

    /// `bytes`, to be called again and again.
    pub fn reader(&self) -> Result<impl Fn(&str) -> Result<Vec<u8>> + Send + Sync + use<>> {
        let trust = self.trust.trust()?;
        Ok(move |reference: &str| bytes(reference, trust.as_ref()))
    }

    /// The component with all the time it wants.
    pub fn load_without_deadline(&self) -> Result<PolicyEngine> {
        let limits = Limits { timeout: None, ..Limits::default() };
        let reference = self.reference()?;
        engine(&reference, &self.bytes(&reference)?, &Options { limits, ..Options::default() })
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
    engine(reference, &bytes(reference, None)?, &Options::default())
}

fn engine(reference: &str, component: &[u8], options: &Options) -> Result<PolicyEngine> {
    PolicyEngine::from_bytes(component, options).with_context(|| format!("policy {reference}"))
}

/// The bytes behind a file name or an `oci://` reference.
fn bytes(reference: &str, trust: Option<&Trust>) -> Result<Vec<u8>> {
    if reference.starts_with(oci::SCHEME) {
        return oci::pull(reference, trust).map(|pulled| pulled.component);
    }
    if trust.is_some() {
        bail!(
            "policy {reference}: --verify is for policies in registries, which keep signatures beside them; push the file with \
             `capi-policy push --sign KEY` and name it as oci://registry/name:tag"
        );
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
