//! Fuzz targets: bytes in, a panic out when the policy breaks a promise.
//!
//! `cargo xtask fuzz` runs them, with libFuzzer where it is installed and with the driver in `main.rs` where it is not.
//! Inputs that are worth keeping are in `corpus/`, a folder for each target; `tests/replay.rs` runs them all again.

#![forbid(unsafe_code)]

mod bytes;
pub mod driver;
mod evaluation;
mod shape;
pub mod snapshot;
mod targets;

use std::fs;
use std::path::{Path, PathBuf};

/// One promise, or a few that belong together.
pub struct Target {
    /// Its name on the command line and in `corpus/`.
    pub name: &'static str,
    /// Tries one input. Panics when the promise is broken.
    pub run: fn(&[u8]),
    /// Whether inputs are text, so that snapshots are a good start, or choices for a generator.
    pub text: bool,
}

/// Every target, sorted by name.
pub const TARGETS: &[Target] = &[
    Target { name: "evaluate", run: targets::text::evaluate, text: true },
    Target { name: "fleet", run: targets::fleet::fleet, text: false },
    Target { name: "forecast", run: targets::text::forecast, text: true },
    Target { name: "json", run: targets::json::json, text: true },
    Target { name: "selector", run: targets::parsers::selector, text: false },
    Target { name: "snapshot", run: targets::structured::snapshot, text: false },
    Target { name: "threshold", run: targets::parsers::threshold, text: false },
    Target { name: "time", run: targets::parsers::time, text: true },
];

/// The target of that name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Tries one input with the target of that name.
///
/// # Panics
///
/// When a promise is broken: that is how a fuzzer hears of it.
pub fn run(name: &str, input: &[u8]) {
    let target = target(name).expect("a target");
    (target.run)(input);
}

/// The inputs of a target that are kept in the repository, with their names, sorted.
pub fn saved(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = here().join("corpus").join(target);
    let mut files: Vec<_> = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    files.iter().filter_map(|file| Some((file.file_name()?.to_str()?.to_owned(), fs::read(file).ok()?))).collect()
}

/// Words that inputs are made of: member names and values that the policy reads.
pub fn words() -> Vec<&'static str> {
    shape::words()
}

/// Inputs to start with: what is saved, recorded snapshots for targets that read text, and nothing at all.
pub fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let mut seeds: Vec<_> = saved(target.name).into_iter().map(|(_, input)| input).collect();
    seeds.push(Vec::new());
    match target.name {
        "time" => seeds.extend(targets::parsers::TIMES.iter().map(|text| text.as_bytes().to_vec())),
        "forecast" => seeds.extend(snapshots().map(|text| format!("2026-02-01T00:00:00Z\n{text}").into_bytes())),
        _ if target.text => seeds.extend(snapshots().map(String::into_bytes)),
        _ => seeds.extend(driver::noise(64, 600)),
    }
    seeds
}

/// Recorded snapshots of a size that mutations still hit something in.
fn snapshots() -> impl Iterator<Item = String> {
    let cases = capi_policy_corpus::read_all(&here().join("../conformance")).unwrap_or_default().into_iter();
    cases.map(|case| case.snapshot().to_string()).filter(|text| text.len() < 6_000).step_by(7)
}

/// The folder of this crate.
pub fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}
