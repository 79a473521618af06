//! Reads the files of `scenarios/`.

use capi_policy_simulator::Scenario;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")
}

/// A scenario by its name.
pub fn scenario(name: &str) -> Scenario {
    let text = fs::read_to_string(folder().join(format!("{name}.yaml"))).expect(name);
    let value: Value = serde_saphyr::from_str(&text).expect(name);
    Scenario::read(&value).expect(name)
}

/// All of them, by name.
pub fn all() -> Vec<(String, Scenario)> {
    let files = fs::read_dir(folder()).expect("a folder").map(|file| file.expect("a file").path());
    let files = files.filter(|path| path.extension().is_some_and(|end| end == "yaml"));
    let mut names: Vec<_> = files.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), scenario(&name))).collect()
}
