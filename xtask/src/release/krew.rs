//! The manifest with which `kubectl krew install` finds the program as a plugin.

use super::VERSION;
use super::binaries::{PLATFORMS, archive_name};
use crate::artifact::sha256;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

const PLACE: &str = "https://github.com/capi-policy/capi-policy";
const DESCRIPTION: &str =
    "    Evaluates the objects of Cluster API in the current context and shows their conditions, the row of the
    rule table behind each, when it changes by itself and what would turn it around: `kubectl capi-policy tree`,
    `explain mhc/workers`, `forecast --until 2h`, `plan md/workers --set …`. Reads only.
";

/// Writes `capi-policy.krew.yaml`, about the archives that are in the folder.
pub fn write(folder: &Path) -> Result<()> {
    let mut platforms = Vec::new();
    for platform in PLATFORMS {
        let archive = archive_name(platform);
        let content = fs::read(folder.join(&archive)).with_context(|| archive.clone())?;
        platforms.push((platform.name, sha256(&content)));
    }
    fs::write(folder.join("capi-policy.krew.yaml"), manifest(&platforms))?;
    Ok(())
}

fn manifest(platforms: &[(&str, String)]) -> String {
    let platforms = platforms.iter().map(|(architecture, sum)| {
        let name = format!("capi-policy-{VERSION}-linux-{architecture}");
        format!(
            "  - selector: {{ matchLabels: {{ os: linux, arch: {architecture} }} }}
    uri: {PLACE}/releases/download/v{VERSION}/{name}.tar.gz
    sha256: \"{sum}\"
    bin: capi-policy
    files:
      - {{ from: {name}/capi-policy, to: . }}
      - {{ from: {name}/capi_policy.wasm, to: . }}
      - {{ from: {name}/LICENSE, to: . }}
"
        )
    });
    format!(
        "apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: capi-policy
spec:
  version: v{VERSION}
  homepage: {PLACE}
  shortDescription: Why Cluster API decides what it decides, and when that changes
  description: |
{DESCRIPTION}  platforms:
{}",
        platforms.collect::<Vec<_>>().concat()
    )
}

#[cfg(test)]
mod tests {
    use super::manifest;

    #[test]
    fn every_platform_has_its_archive_and_sum() {
        let text = manifest(&[("amd64", "00".to_owned()), ("arm64", "11".to_owned())]);
        let manifest: serde_json::Value = serde_saphyr::from_str(&text).expect("YAML");
        let platforms = manifest["spec"]["platforms"].as_array().expect("platforms");
        assert_eq!(platforms.len(), 2, "{text}");
        assert_eq!(platforms[1]["selector"]["matchLabels"]["arch"], "arm64");
        assert_eq!(platforms[1]["sha256"], "11");
        let uri = platforms[1]["uri"].as_str().expect("an address");
        assert!(uri.ends_with(concat!("/capi-policy-", env!("CARGO_PKG_VERSION"), "-linux-arm64.tar.gz")), "{uri}");
        assert!(manifest["spec"]["description"].as_str().is_some_and(|text| text.contains("Reads only")), "{text}");
        // What krew's index accepts.
        assert!(manifest["spec"]["shortDescription"].as_str().is_some_and(|text| text.len() <= 80));
    }
}
