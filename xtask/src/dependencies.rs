//! Finds dependencies that `CONTRIBUTING.md` gives no reason for.

use crate::{go, run};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;

/// Go modules that are never shipped.
const OTHER_MODULES: &[&str] = &[
    "tests/upstream",
    "tests/upstream/v1.13",
    "tests/upstream/v1.14",
    "tests/testplane",
    "tests/kubectl",
    "tests/integrations/argocd",
    "tests/integrations/flux",
    "tests/integrations/prometheus",
    "xtask/modzip",
];

/// Fails when a direct dependency has no reason.
pub fn check_reasons() -> Result<()> {
    let reasons = read("CONTRIBUTING.md")?;
    let mut all = crates()?;
    for module in go::MODULES.iter().chain(OTHER_MODULES) {
        all.extend(go_modules(&read(&format!("{module}/go.mod"))?));
    }
    let package: Value = serde_json::from_str(&read("pkg/package.json")?)?;
    for list in ["dependencies", "devDependencies"] {
        all.extend(package[list].as_object().into_iter().flatten().map(|(name, _)| name.clone()));
    }
    let missing = without_reason(&all, &reasons);
    ensure!(missing.is_empty(), "CONTRIBUTING.md gives no reason for {}", missing.join(", "));
    Ok(())
}

/// Those whose name stands in no row of a table.
fn without_reason(names: &[String], text: &str) -> Vec<String> {
    let rows: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next()).collect();
    let given = |name: &str| rows.iter().any(|row| row.contains(&format!("`{name}`")));
    let mut missing: Vec<_> = names.iter().filter(|name| !given(name)).cloned().collect();
    missing.sort();
    missing.dedup();
    missing
}

/// What the crates of the workspace name, each other aside.
fn crates() -> Result<Vec<String>> {
    let output = run::command("cargo", &["metadata", "--locked", "--no-deps", "--format-version", "1"]).output()?;
    ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let dependencies = packages.flat_map(|package| package["dependencies"].as_array().into_iter().flatten());
    let foreign = dependencies.filter(|dependency| dependency["path"].is_null());
    Ok(foreign.filter_map(|dependency| Some(dependency["name"].as_str()?.to_owned())).collect())
}

/// What a `go.mod` requires directly.
fn go_modules(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.contains("// indirect") && !line.contains("=>"));
    let required = lines.filter_map(|line| line.strip_prefix("require ").or_else(|| line.strip_prefix('\t')));
    required
        .filter_map(|line| Some(line.split_whitespace().next()?.to_owned()))
        .filter(|name| {
            name != "(" && !name.starts_with("github.com/capi-policy/") && !name.starts_with("capi-policy.test/")
        })
        .collect()
}

fn read(file: &str) -> Result<String> {
    fs::read_to_string(run::root().join(file)).with_context(|| file.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{go_modules, without_reason};

    #[test]
    fn only_a_row_of_a_table_is_a_reason() {
        let names = ["serde", "kube", "tokio"].map(str::to_owned);
        let text = "We like `tokio`.\n| `serde`, `kube-runtime` | reading `kube` objects |\n";
        assert_eq!(without_reason(&names, text), ["kube", "tokio"]);
    }

    #[test]
    fn go_modules_are_those_required_directly() {
        let text = "module a\n\nrequire c v1\n\nrequire (\n\tk8s.io/api v0.35.4\n\tgo.uber.org/zap v1 // indirect\n)\n\nreplace (\n\ta => b v1\n)\n";
        assert_eq!(go_modules(text), ["c", "k8s.io/api"]);
    }
}
