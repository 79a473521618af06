//! Component in; whether it is a policy that this host can run, out.

use crate::error::EngineError;
use semver::{Version, VersionReq};
use wasmtime::component::Component;

const PACKAGE: &str = "capi:policy/";

/// The versions of the WIT package that this host runs, as `wit/world.wit` says.
const FITS: &str = "^0.2.0";

/// Fails unless the component imports nothing and exports a version of the policy's interfaces that fits. Gives the names
/// of its exports.
pub fn check(component: &Component) -> Result<Vec<String>, EngineError> {
    let (kind, engine) = (component.component_type(), component.engine());
    let exports: Vec<String> = kind.exports(engine).map(|(name, _)| name.to_owned()).collect();
    let mut versions = exports.iter().filter_map(|name| version(name));
    let found = versions.next().ok_or_else(|| EngineError::NotAPolicy {
        detail: "it exports no interface of capi:policy; build one with `cargo xtask artifact`".to_owned(),
        source: None,
    })?;
    if !fits(found) {
        return Err(EngineError::IncompatibleVersion { found: found.to_owned(), fits: fitting() });
    }
    let imports: Vec<_> = kind.imports(engine).map(|(name, _)| name.to_owned()).collect();
    if !imports.is_empty() {
        let detail = format!("a policy imports nothing, but it imports {}", imports.join(", "));
        return Err(EngineError::NotAPolicy { detail, source: None });
    }
    Ok(exports)
}

/// `0.2.0` of `capi:policy/json@0.2.0`.
fn version(export: &str) -> Option<&str> {
    export.strip_prefix(PACKAGE)?.split_once('@').map(|(_, version)| version)
}

fn fits(found: &str) -> bool {
    let required = VersionReq::parse(FITS);
    Version::parse(found).is_ok_and(|found| required.is_ok_and(|required| required.matches(&found)))
}

fn fitting() -> String {
    format!("{FITS} (0.2.0 and later, before 0.3.0)")
}
