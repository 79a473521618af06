//! The fuzz targets of `tests/fuzz`, one after the other: under libFuzzer, or under the plain driver where that is missing.

use crate::run;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::PathBuf;

/// Options of `cargo xtask fuzz`.
#[derive(clap::Args)]
pub struct Options {
    /// How long to run each target: 60s, 10m
    #[arg(long, default_value = "60s", value_parser = seconds)]
    time: u64,
    /// Use the plain driver even where libFuzzer is there
    #[arg(long)]
    plain: bool,
    /// Run only these targets
    targets: Vec<String>,
}

/// How one target went.
struct Outcome {
    target: String,
    executions: String,
    rate: String,
    failed: bool,
}

/// Runs the targets and prints a line about each. Inputs that break something are below `target/fuzz/findings`.
pub fn fuzz(options: &Options) -> Result<()> {
    run::run("cargo", &["build", "--locked", "--release", "--package", "capi-policy-fuzz"])?;
    let known = targets()?;
    for name in &options.targets {
        ensure!(known.contains(name), "no target {name:?}; the targets are {}", known.join(", "));
    }
    let wanted = if options.targets.is_empty() { &known } else { &options.targets };
    let with_libfuzzer = !options.plain && libfuzzer_available();
    if !with_libfuzzer {
        run::say("the plain driver runs: inputs are mutated without looking at the code that they reach");
    }
    fs::create_dir_all(folder("findings"))?;
    let mut outcomes = Vec::new();
    for target in wanted {
        outcomes.push(if with_libfuzzer { libfuzzer(target, options.time)? } else { plain(target, options.time)? });
    }
    println!("{:<12} {:>12} {:>12}  findings", "target", "executions", "per second");
    for Outcome { target, executions, rate, failed } in &outcomes {
        let findings = if *failed { "below target/fuzz/findings" } else { "none" };
        println!("{target:<12} {executions:>12} {rate:>12}  {findings}");
    }
    let failed = outcomes.iter().filter(|outcome| outcome.failed).count();
    ensure!(failed == 0, "{failed} targets found something");
    Ok(())
}

/// The names of the targets: the folders of the saved inputs, which a test holds complete.
fn targets() -> Result<Vec<String>> {
    let folder = run::root().join("tests/fuzz/corpus");
    let entries = folder.read_dir().with_context(|| folder.display().to_string())?;
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}

fn libfuzzer_available() -> bool {
    let there = run::succeeds("rustup", &["run", "nightly", "cargo", "fuzz", "--version"]);
    if !there {
        run::say("for libFuzzer: `rustup toolchain install nightly` and `cargo install --locked cargo-fuzz`");
    }
    there
}

/// Inputs that reach something new gather below `target/fuzz/corpus`.
fn libfuzzer(target: &str, seconds: u64) -> Result<Outcome> {
    let (corpus, seeds) = (folder("corpus").join(target), folder("seeds").join(target));
    fs::create_dir_all(&corpus)?;
    let (corpus, seeds) = (corpus.display().to_string(), seeds.display().to_string());
    run::run("target/release/capi-policy-fuzz", &["seeds", target, &seeds])?;
    let time = format!("-max_total_time={seconds}");
    let dictionary = format!("-dict={seeds}.dict");
    let findings = format!("-artifact_prefix={}/{target}-", folder("findings").display());
    let build = folder("build").display().to_string();
    let fuzz = ["run", "nightly", "cargo", "fuzz", "run", "--fuzz-dir", "tests/fuzz/libfuzzer", "--target-dir", &build];
    // No unsafe code, so there is nothing for an address sanitizer to find.
    let what = ["--sanitizer", "none", target, &corpus, &seeds, "--"];
    let how =
        [&*time, &dictionary, &findings, "-max_len=4096", "-len_control=0", "-print_final_stats=1", "-verbosity=0"];
    outcome(target, "rustup", &[&fuzz[..], &what, &how].concat())
}

fn plain(target: &str, seconds: u64) -> Result<Outcome> {
    let findings = folder("findings").display().to_string();
    outcome(target, "target/release/capi-policy-fuzz", &["run", target, &seconds.to_string(), &findings])
}

fn outcome(target: &str, program: &str, arguments: &[&str]) -> Result<Outcome> {
    run::say(&format!("{program} {}", arguments.join(" ")));
    let output = run::command(program, arguments).output().with_context(|| format!("could not start `{program}`"))?;
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    if !output.status.success() {
        eprintln!("{said}");
    }
    let statistic = |name: &str| {
        let value = said.lines().find_map(|line| line.strip_prefix("stat::")?.strip_prefix(name)?.strip_prefix(':'));
        value.unwrap_or("?").trim().to_owned()
    };
    Ok(Outcome {
        target: target.to_owned(),
        executions: statistic("number_of_executed_units"),
        rate: statistic("average_exec_per_sec"),
        failed: !output.status.success(),
    })
}

fn folder(name: &str) -> PathBuf {
    run::root().join("target/fuzz").join(name)
}

/// `90`, `90s` or `10m`.
fn seconds(text: &str) -> Result<u64, String> {
    let (number, factor) = match text.strip_suffix('m') {
        Some(minutes) => (minutes, 60),
        None => (text.strip_suffix('s').unwrap_or(text), 1),
    };
    let number: u64 = number.parse().map_err(|_| format!("expected a time like 60s or 10m, found {text:?}"))?;
    Ok(number.saturating_mul(factor))
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn times_are_seconds_or_minutes() {
        assert_eq!((seconds("90"), seconds("60s"), seconds("10m")), (Ok(90), Ok(60), Ok(600)));
        assert!(seconds("an hour").is_err());
    }
}
