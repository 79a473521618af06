//! Measures how many lines of `src` and `json` the tests reach.

use crate::run;
use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// At least this many lines of a hundred have to be reached.
const WANTED: f64 = 97.0;

/// The parts that are looked at: what the policy is made of. The bindings exist in WebAssembly only, where the host's tests
/// reach them.
const PARTS: &[&str] = &["src", "json/src"];
const ELSEWHERE: &str = "src/bindings/";

/// Lines that could be reached, and lines that were.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Lines {
    all: u64,
    reached: u64,
}

/// Runs the tests of the policy and prints the coverage of each part, and the files below what is wanted.
pub fn coverage() -> Result<()> {
    ensure_tools()?;
    let what = ["llvm-cov", "--locked", "--json", "--summary-only"];
    let packages = ["--package", "capi-policy", "--package", "capi-policy-json", "--package", "capi-policy-fuzz"];
    let report = run::output(&mut run::command("cargo", &[&what[..], &packages].concat()))?;
    let report: Value = serde_json::from_str(&report).context("what cargo llvm-cov says")?;
    let mut too_low = Vec::new();
    for part in PARTS {
        let files = files_of(&report, part);
        let total = files.iter().fold(Lines::default(), |sum, (_, lines)| sum.plus(*lines));
        println!("{part}: {:.2} % of {} lines", total.percent(), total.all);
        for (file, lines) in files.iter().filter(|(_, lines)| lines.percent() < WANTED) {
            println!("  {file}: {:.2} %, {} lines not reached", lines.percent(), lines.all - lines.reached);
        }
        if total.percent() < WANTED {
            too_low.push(*part);
        }
    }
    ensure!(too_low.is_empty(), "less than {WANTED} % of the lines of {}", too_low.join(" and "));
    Ok(())
}

impl Lines {
    fn plus(self, other: Self) -> Self {
        Self { all: self.all + other.all, reached: self.reached + other.reached }
    }

    #[allow(clippy::cast_precision_loss, reason = "no source has that many lines")]
    fn percent(self) -> f64 {
        if self.all == 0 { 100.0 } else { self.reached as f64 * 100.0 / self.all as f64 }
    }
}

/// The files below a folder of the repository, with their lines.
fn files_of(report: &Value, part: &str) -> Vec<(String, Lines)> {
    let root = format!("{}/", run::root().display());
    let files = report["data"][0]["files"].as_array().into_iter().flatten();
    files
        .filter_map(|file| {
            let name = file["filename"].as_str()?.strip_prefix(&root)?;
            let wanted = name.starts_with(&format!("{part}/")) && !name.starts_with(ELSEWHERE);
            let lines = &file["summary"]["lines"];
            let lines = Lines { all: lines["count"].as_u64()?, reached: lines["covered"].as_u64()? };
            wanted.then(|| (name.to_owned(), lines))
        })
        .collect()
}

fn ensure_tools() -> Result<()> {
    run::run("rustup", &["--quiet", "component", "add", "llvm-tools"])?;
    if run::succeeds("cargo", &["llvm-cov", "--version"]) {
        return Ok(());
    }
    run::say("cargo-llvm-cov is missing, installing it");
    run::run("cargo", &["install", "--locked", "cargo-llvm-cov"])
}

#[cfg(test)]
mod tests {
    use super::{Lines, files_of};
    use crate::run::root;
    use serde_json::json;

    #[test]
    fn a_report_is_read_by_part() {
        let file = |name: &str, count: u64, covered: u64| json!({ "filename": format!("{}/{name}", root().display()), "summary": { "lines": { "count": count, "covered": covered } } });
        let report = json!({ "data": [{ "files": [
            file("src/text.rs", 200, 198), file("src/bindings/browser.rs", 50, 0), file("json/src/raw.rs", 10, 10)
        ] }] });
        let lines = Lines { all: 200, reached: 198 };
        assert_eq!(files_of(&report, "src"), [("src/text.rs".to_owned(), lines)]);
        assert!((lines.percent() - 99.0).abs() < 1e-9);
    }
}
