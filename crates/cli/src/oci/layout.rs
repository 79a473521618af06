//! The CNCF layout for WebAssembly in registries: what config and manifest say.
//!
//! Written out here: the crate that wraps it stamps the present into the config, so that the same component would get
//! another digest with every push.

use super::digest;
use anyhow::{Context, Result, bail};
use oci_client::manifest::{OciDescriptor, OciImageManifest};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Media type of the config.
pub const CONFIG_TYPE: &str = "application/vnd.wasm.config.v0+json";
/// Media type of the layer.
pub const LAYER_TYPE: &str = "application/wasm";

/// Content that is not what its digest says, and what to do about it.
pub const CHANGED: &str = "refused: the content was changed in the registry or on the way; pull it again, or push it again from \
    where it was built";

/// What a registry is told about a policy.
pub struct Facts {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Interfaces it exports.
    pub exports: Vec<String>,
}

/// The config of a component.
pub fn config(component: &[u8], facts: &Facts) -> Result<Vec<u8>> {
    let config = json!({
        "created": "1970-01-01T00:00:00Z",
        "architecture": "wasm",
        "os": "wasip2",
        "layerDigests": [digest(component)],
        "component": { "exports": facts.exports, "imports": [] },
    });
    Ok(serde_json::to_vec(&config)?)
}

/// The annotations of the manifest.
pub fn annotations(facts: &Facts) -> BTreeMap<String, String> {
    let annotation = |name: &str, value: &str| (format!("org.opencontainers.image.{name}"), value.to_owned());
    BTreeMap::from([
        annotation("title", &facts.name),
        annotation("version", &facts.version),
        annotation("licenses", "Apache-2.0"),
    ])
}

/// The one layer of a manifest.
pub fn layer(manifest: &[u8]) -> Result<OciDescriptor> {
    let manifest: OciImageManifest =
        serde_json::from_slice(manifest).context("the manifest is not that of a single artifact")?;
    if manifest.config.media_type != CONFIG_TYPE {
        bail!("not a WebAssembly artifact: the config is {}, expected {CONFIG_TYPE}", manifest.config.media_type);
    }
    match <[OciDescriptor; 1]>::try_from(manifest.layers) {
        Ok([layer]) if layer.media_type == LAYER_TYPE => Ok(layer),
        Ok([layer]) => bail!("the layer is {}, expected {LAYER_TYPE}", layer.media_type),
        Err(layers) => bail!("expected one layer, found {}", layers.len()),
    }
}

/// The digest of what a registry stores, which is what gets signed: nothing but the manifest that was pushed, whatever the
/// registry calls it.
pub fn stored(pushed: &OciImageManifest, stored: &[u8]) -> Result<String> {
    let found: Value = serde_json::from_slice(stored).context("the registry's manifest")?;
    if found != serde_json::to_value(pushed)? {
        bail!(
            "refused: the registry stores another manifest than was pushed, so nothing is signed; push to one that you trust"
        );
    }
    Ok(digest(stored))
}

/// Refuses bytes that are not those of the layer.
pub fn verify(layer: &OciDescriptor, component: &[u8]) -> Result<()> {
    let found = digest(component);
    if found != layer.digest {
        bail!("{CHANGED}: its digest is {found}, but the manifest says {}", layer.digest);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{OciImageManifest, annotations, digest, stored};
    use crate::oci::Facts;

    #[test]
    fn only_what_was_pushed_has_a_digest_to_sign() {
        let facts = |version: &str| Facts { name: "p".to_owned(), version: version.to_owned(), exports: Vec::new() };
        let manifest = |version| OciImageManifest {
            annotations: Some(annotations(&facts(version))),
            ..OciImageManifest::default()
        };
        let bytes = serde_json::to_vec_pretty(&manifest("1.0.0")).expect("JSON");
        assert_eq!(stored(&manifest("1.0.0"), &bytes).expect("the same"), digest(&bytes));
        let refused = stored(&manifest("1.0.1"), &bytes).expect_err("another").to_string();
        assert!(refused.contains("nothing is signed; push to one that you trust"), "{refused}");
    }
}
