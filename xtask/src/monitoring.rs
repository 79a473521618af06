//! Alert rules and dashboard of `deploy/monitoring`.

use crate::{e2e, run};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const RULES: &str = "deploy/monitoring/alerts.yaml";
/// What a real `watch` has served, and when.
const SERVED: &str = "target/monitoring/served.json";
const SERVED_TEST: &str = "target/monitoring/served_test.json";

/// What fires half an hour later, if nothing changes. An observer always differs from what nobody writes, so that alert is left out.
const FIRING: &str = r#"ALERTS{alertstate="firing",alertname!="CapiPolicyDifferences"}"#;
const EXPECTED: &[&str] = &[
    r#"ALERTS{alertname="RemediationBlocked",alertstate="firing",name="blocked",namespace="monitoring",severity="critical"}"#,
    r#"ALERTS{alertname="RemediationAboutToBeBlocked",alertstate="firing",name="soon",namespace="monitoring",severity="warning"}"#,
];

/// Checks the rules and runs their tests with promtool, which takes long to build; then on what a real `watch` serves.
pub fn test() -> Result<()> {
    let module = run::root().join("tests/integrations/prometheus");
    let promtool = run::root().join("target/tools/promtool/promtool");
    let mut build = run::command("go", &["build", "-o"]);
    build.arg(&promtool).arg("github.com/prometheus/prometheus/cmd/promtool");
    run::exec(build.current_dir(module).env("GOTOOLCHAIN", "auto"))?;
    let promtool = promtool.display().to_string();
    run::run(&promtool, &["check", "rules", "--lint=all", "--lint-fatal", RULES])?;
    run::run(&promtool, &["test", "rules", "deploy/monitoring/alerts_test.yaml"])?;
    e2e::serve_metrics()?;
    let served: Value = serde_json::from_slice(&fs::read(run::root().join(SERVED)).context(SERVED)?)?;
    let rules = fs::read_to_string(run::root().join(RULES)).context(RULES)?;
    fs::write(run::root().join(SERVED_TEST), served_test(&served, &rules)?.to_string())?;
    run::run(&promtool, &["test", "rules", SERVED_TEST])
}

/// A test of the rules, in promtool's format, on what was served: as it was then, for half an hour.
fn served_test(served: &Value, rules: &str) -> Result<Value> {
    let (at, metrics) = (served["at"].as_i64().context("at")?, served["metrics"].as_str().context("metrics")?);
    let name = |sample: &str| sample.split(['{', ' ']).next().unwrap_or_default().to_owned();
    let samples = metrics.lines().filter(|line| !line.starts_with('#') && rules.contains(&name(line)));
    let series = samples.filter_map(|sample| sample.rsplit_once(' ')).map(|(series, value)| {
        // promtool's clock starts at zero, when this was served.
        let value = match value.parse::<i64>() {
            Ok(time) if name(series).ends_with("_timestamp_seconds") => (time - at).to_string(),
            _ => value.to_owned(),
        };
        json!({ "series": series, "values": format!("{value}x40") })
    });
    let expected: Vec<_> = EXPECTED.iter().map(|labels| json!({ "labels": labels, "value": 1 })).collect();
    let checks = json!([
        { "expr": FIRING, "eval_time": "4m", "exp_samples": [] },
        { "expr": FIRING, "eval_time": "30m", "exp_samples": expected },
    ]);
    let test = json!({ "interval": "1m", "input_series": series.collect::<Vec<_>>(), "promql_expr_test": checks });
    let rules = Path::new("../..").join(RULES);
    Ok(json!({ "rule_files": [rules], "evaluation_interval": "1m", "tests": [test] }))
}

#[cfg(test)]
mod tests {
    use super::served_test;
    use crate::run;
    use serde_json::{Value, json};
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

    #[test]
    fn what_was_served_goes_on() {
        let metrics = "# TYPE a gauge\na_timestamp_seconds{name=\"x\"} 990\na_total 3\nother 1\n# EOF\n";
        let test =
            served_test(&json!({ "at": 1000, "metrics": metrics }), "a_timestamp_seconds a_total").expect("a test");
        let series = json!([
            { "series": "a_timestamp_seconds{name=\"x\"}", "values": "-10x40" },
            { "series": "a_total", "values": "3x40" },
        ]);
        assert_eq!(test["tests"][0]["input_series"], series);
    }

    /// The tests of the rules show when each alert fires, and when it does not yet.
    #[test]
    fn every_alert_is_tested_both_ways() {
        let alerts: Value = serde_saphyr::from_str(&read("deploy/monitoring/alerts.yaml")).expect("YAML");
        let rules = alerts["groups"].as_array().expect("groups").iter().filter_map(|group| group["rules"].as_array());
        let alerts: BTreeSet<_> = rules.flatten().filter_map(|rule| rule["alert"].as_str()).collect();
        let tests: Value = serde_saphyr::from_str(&read("deploy/monitoring/alerts_test.yaml")).expect("YAML");
        let tests =
            tests["tests"].as_array().expect("tests").iter().filter_map(|test| test["alert_rule_test"].as_array());
        let tests: Vec<_> = tests.flatten().collect();
        for fires in [true, false] {
            let of = tests.iter().filter(|test| test["exp_alerts"].is_array() == fires);
            let tested: BTreeSet<_> = of.filter_map(|test| test["alertname"].as_str()).collect();
            let missing: Vec<_> = alerts.difference(&tested).collect();
            assert!(
                missing.is_empty(),
                "no test in which it {} of {missing:?}",
                if fires { "fires" } else { "does not" }
            );
        }
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
