//! The policy's bill of materials in CycloneDX, from `Cargo.lock` and cargo's own view of the dependencies.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    description: Option<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    kind: Option<String>,
}

/// What the artifact is made of, macros included. No time and no random number: the same sources give the same bytes.
pub fn cyclone_dx(root: &Path) -> Result<Vec<u8>> {
    let metadata = metadata(root)?;
    let lock = fs::read_to_string(root.join("Cargo.lock")).context("Cargo.lock")?;
    let checksums = checksums(&lock);
    let policy = metadata.packages.iter().find(|package| package.name == "capi-policy").context("no capi-policy")?;
    let edges = edges(&metadata);
    let reached = reached(&policy.id, &edges);
    let mut packages: Vec<_> = metadata.packages.iter().filter(|package| reached.contains(&*package.id)).collect();
    packages.sort_by_key(|package| package.url());
    let urls: BTreeMap<&str, String> = packages.iter().map(|package| (&*package.id, package.url())).collect();
    let dependencies: Vec<_> = packages
        .iter()
        .map(|package| {
            let on: BTreeSet<_> = edges[&*package.id].iter().filter_map(|id| urls.get(id)).collect();
            json!({ "ref": package.url(), "dependsOn": on })
        })
        .collect();
    let components: Vec<_> = packages
        .iter()
        .filter(|package| package.id != policy.id)
        .map(|package| package.component(&checksums))
        .collect();
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": policy.component(&checksums) },
        "components": components,
        "dependencies": dependencies,
    });
    let mut text = serde_json::to_vec_pretty(&bill)?;
    text.push(b'\n');
    Ok(text)
}

fn metadata(root: &Path) -> Result<Metadata> {
    let output = Command::new("cargo")
        .args(["metadata", "--locked", "--format-version", "1", "--features", "capi-policy/component"])
        .args(["--filter-platform", "wasm32-unknown-unknown"])
        .current_dir(root)
        .output()?;
    ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// What each package needs, tests aside.
fn edges(metadata: &Metadata) -> BTreeMap<&str, Vec<&str>> {
    let shipped =
        |dependency: &&Dependency| dependency.dep_kinds.iter().any(|kind| kind.kind.as_deref() != Some("dev"));
    let nodes = metadata.resolve.nodes.iter();
    nodes
        .map(|node| (&*node.id, node.deps.iter().filter(shipped).map(|dependency| &*dependency.pkg).collect()))
        .collect()
}

fn reached<'a>(from: &'a str, edges: &BTreeMap<&'a str, Vec<&'a str>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(id) = open.pop() {
        if reached.insert(id) {
            open.extend(edges.get(id).into_iter().flatten());
        }
    }
    reached
}

/// Checksums of `Cargo.lock` by `name version`.
fn checksums(lock: &str) -> BTreeMap<String, String> {
    let field = |block: &str, name: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \""))?;
        Some(line.trim_end_matches('"').to_owned())
    };
    lock.split("[[package]]")
        .filter_map(|block| {
            let key = format!("{} {}", field(block, "name")?, field(block, "version")?);
            Some((key, field(block, "checksum")?))
        })
        .collect()
}

impl Package {
    fn url(&self) -> String {
        format!("pkg:cargo/{}@{}", self.name, self.version)
    }

    fn component(&self, checksums: &BTreeMap<String, String>) -> Value {
        let mut component = json!({
            "type": "library",
            "bom-ref": self.url(),
            "name": self.name,
            "version": self.version,
            "purl": self.url(),
        });
        if let Some(description) = &self.description {
            component["description"] = json!(description.trim());
        }
        if let Some(license) = &self.license {
            component["licenses"] = json!([{ "expression": license.replace('/', " OR ") }]);
        }
        if let Some(checksum) = checksums.get(&format!("{} {}", self.name, self.version)) {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
        }
        component
    }
}
