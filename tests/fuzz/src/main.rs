//! The plain driver: `capi-policy-fuzz run TARGET SECONDS FINDINGS`, and `capi-policy-fuzz seeds TARGET FOLDER` for
//! libFuzzer to start with.

#![forbid(unsafe_code)]

use capi_policy_fuzz::{Target, driver, seeds, target, words};
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// Any number will do; the same one gives the same inputs.
const SEED: u64 = 0x2026_0101_1200_0000;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    let outcome = match *words {
        ["run", name, seconds, folder] => known(name).and_then(|target| run(target, seconds, Path::new(folder))),
        ["seeds", name, folder] => known(name).and_then(|target| write_seeds(target, Path::new(folder))),
        _ => Err("usage: capi-policy-fuzz run TARGET SECONDS FINDINGS | seeds TARGET FOLDER".to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn known(name: &str) -> Result<&'static Target, String> {
    target(name).ok_or_else(|| format!("no target {name:?}"))
}

fn run(target: &Target, seconds: &str, folder: &Path) -> Result<(), String> {
    let seconds = seconds.parse().map_err(|error| format!("{seconds}: {error}"))?;
    let report = driver::run(target, &seeds(target), driver::Limit::Time(Duration::from_secs(seconds)), SEED);
    for (i, (input, said)) in report.findings.iter().enumerate() {
        let file = folder.join(format!("{}-{i}", target.name));
        write(&file, input)?;
        println!("{}: {said}", file.display());
    }
    let rate = report.executions / report.took.as_secs().max(1);
    println!("stat::number_of_executed_units: {}", report.executions);
    println!("stat::average_exec_per_sec: {rate}");
    if report.findings.is_empty() { Ok(()) } else { Err(format!("{} findings", report.findings.len())) }
}

/// Seeds as files, and the words as a dictionary of libFuzzer's.
fn write_seeds(target: &Target, folder: &Path) -> Result<(), String> {
    for (i, seed) in seeds(target).iter().enumerate() {
        write(&folder.join(format!("seed-{i:04}")), seed)?;
    }
    let lines: Vec<_> = words().iter().map(|word| format!("\"{}\"\n", word.escape_default())).collect();
    write(&folder.with_extension("dict"), lines.concat().replace("\\n", "\\x0a").as_bytes())
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    let folder = file.parent().unwrap_or(file);
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    fs::write(file, bytes).map_err(|error| format!("{}: {error}", file.display()))
}
