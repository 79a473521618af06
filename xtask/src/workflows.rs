//! The workflows in `.github`: their syntax, and that they call nothing but `cargo xtask`.

use crate::{run, tools};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;

const ACTIONLINT: &str = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";
const FOLDER: &str = ".github/workflows";

/// Lints every workflow.
pub fn test() -> Result<()> {
    let lint = tools::go("actionlint", ACTIONLINT)?;
    run::run(&lint, &["-shellcheck=", "-pyflakes="])?;
    let folder = run::root().join(FOLDER);
    for entry in folder.read_dir().context(FOLDER)? {
        let path = entry?.path();
        let text = fs::read_to_string(&path)?;
        let workflow: Value = serde_saphyr::from_str(&text).with_context(|| path.display().to_string())?;
        let others = other_commands(&workflow);
        ensure!(others.is_empty(), "{} runs something else than `cargo xtask`: {others:?}", path.display());
    }
    Ok(())
}

/// What a workflow runs that is no command of xtask.
fn other_commands(workflow: &Value) -> Vec<String> {
    let jobs = workflow["jobs"].as_object().into_iter().flatten();
    let steps = jobs.flat_map(|(_, job)| job["steps"].as_array().into_iter().flatten());
    let lines = steps.filter_map(|step| step["run"].as_str()).flat_map(str::lines).map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("cargo xtask ")).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::other_commands;
    use serde_json::json;

    #[test]
    fn other_commands_are_named() {
        let steps = json!([{ "uses": "actions/checkout@v5" }, { "run": "cargo xtask test\ncurl example.com" }]);
        assert_eq!(other_commands(&json!({ "jobs": { "a": { "steps": steps } } })), ["curl example.com"]);
    }
}
