//! Alert rules and dashboard of `deploy/monitoring`.

use crate::run;
use anyhow::Result;

/// Checks the rules and runs their tests with promtool, which takes long to build.
pub fn test() -> Result<()> {
    let module = run::root().join("tests/integrations/prometheus");
    let promtool = run::root().join("target/tools/promtool/promtool");
    let mut build = run::command("go", &["build", "-o"]);
    build.arg(&promtool).arg("github.com/prometheus/prometheus/cmd/promtool");
    run::exec(build.current_dir(module).env("GOTOOLCHAIN", "auto"))?;
    let promtool = promtool.display().to_string();
    run::run(&promtool, &["check", "rules", "--lint=all", "--lint-fatal", "deploy/monitoring/alerts.yaml"])?;
    run::run(&promtool, &["test", "rules", "deploy/monitoring/alerts_test.yaml"])
}

#[cfg(test)]
mod tests {
    use crate::run;
    use serde_json::Value;
    use std::collections::BTreeSet;
    use std::fs;

    fn read(file: &str) -> String {
        fs::read_to_string(run::root().join(file)).expect(file)
    }

    #[test]
    fn the_operator_gets_the_same_rules() {
        let alerts: Value = serde_saphyr::from_str(&read("deploy/monitoring/alerts.yaml")).expect("YAML");
        let rule: Value = serde_saphyr::from_str(&read("deploy/monitoring/prometheus_rule.yaml")).expect("YAML");
        assert_eq!(rule["spec"], alerts);
    }

    /// Names in rules and panels are those that `watch` registers; counters and histograms get endings of their own.
    #[test]
    fn every_metric_exists() {
        let sources = read("crates/controller/src/metrics.rs") + &read("crates/controller/src/outlook.rs");
        let texts = read("deploy/monitoring/alerts.yaml") + &read("deploy/monitoring/dashboard.json");
        let names: BTreeSet<_> = texts.split("capi_policy_").skip(1).map(name).collect();
        assert!(names.len() > 10, "{names:?}");
        for name in names {
            let bare = ["_total", "_bucket"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
            assert!(sources.contains(&format!("(\"{bare}\",")), "watch serves no metric {bare}");
        }
    }

    /// The name that a text starts with.
    fn name(text: &str) -> &str {
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        text.split_at(end).0
    }
}
