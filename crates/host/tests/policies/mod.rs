//! The policies that the tests run: the real one, and hostile ones made from `tests/hostile/`.

#![allow(dead_code, reason = "each test file uses its part")]

use capi_policy_host::{Cache, EngineError, Limits, Options, PolicyEngine};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// A snapshot that every policy gets.
pub const SNAPSHOT: &str =
    r#"{"now":"2025-01-01T00:00:00Z","machineDeployment":{"metadata":{"name":"md-0","generation":3}}}"#;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The file of the real policy.
pub fn real() -> PathBuf {
    let file = root().join("dist/capi_policy.wasm");
    assert!(file.is_file(), "dist/capi_policy.wasm is missing: run `cargo xtask artifact`");
    file
}

/// The real policy, as users run it, but without a cache.
pub fn load_real() -> PolicyEngine {
    PolicyEngine::load(real(), &uncached(Limits::default())).expect("the policy")
}

/// Limits that a test reaches quickly.
pub fn tight() -> Limits {
    Limits {
        timeout: Some(Duration::from_millis(200)),
        memory_bytes: 8 << 20,
        answer_bytes: 64 << 10,
        concurrency: 4,
        ..Limits::default()
    }
}

/// Options without a cache.
pub fn uncached(limits: Limits) -> Options {
    Options { limits, cache: Cache::Off }
}

/// The bytes of a component that is written out in `tests/hostile/`.
pub fn component(name: &str) -> Vec<u8> {
    wat::parse_str(text(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The bytes of a component around a hostile core module of `tests/hostile/`.
pub fn hostile(name: &str) -> Vec<u8> {
    let mut module = wat::parse_str(text(name) + &text("rest_of_the_world")).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(root().join("wit")).expect("wit/");
    let world = resolve.select_world(&[package], Some("policy")).expect("a world");
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8, false).expect("metadata");
    let mut encoder = ComponentEncoder::default();
    encoder.module(&module).and_then(ComponentEncoder::encode).unwrap_or_else(|error| panic!("{name}: {error:#}"))
}

/// Loads a hostile policy under tight limits.
pub fn load_hostile(name: &str) -> Result<PolicyEngine, EngineError> {
    PolicyEngine::from_bytes(&hostile(name), &uncached(tight()))
}

fn text(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/hostile/{name}.wat"));
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
