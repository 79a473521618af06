//! How fast fleets are simulated: `capi-policy simulate` on large fleets with a zone outage.

use super::markdown;
use super::targets::{Bound, Target};
use crate::run;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::process::{Child, Stdio};
use std::time::Duration;

const FOLDER: &str = "target/bench-simulations";

/// Clusters with machines in three zones, one of which is cut off; machines die all the time.
struct Load {
    name: &'static str,
    clusters: u32,
    machines_each: u32,
    hours: u32,
    threads: u32,
}

const DAY: Load = Load { name: "day", clusters: 20, machines_each: 500, hours: 24, threads: 1 };
const TENTH: Load = Load { name: "tenth", clusters: 50, machines_each: 2_000, hours: 1, threads: 2 };
const MILLION: Load = Load { name: "million", clusters: 500, machines_each: 2_000, hours: 1, threads: 2 };
const QUICK: Load = Load { name: "quick", clusters: 2, machines_each: 500, hours: 6, threads: 1 };

/// What a simulation took.
#[derive(Clone, Copy)]
struct Used {
    processor_seconds: f64,
    peak_gigabytes: f64,
}

impl Load {
    fn scenario(&self) -> String {
        let Self { clusters, machines_each, hours, .. } = self;
        let name = self.name;
        format!(
            "\
name: {name}
horizon: {hours}h
clusters: {clusters}
zones: [a, b, c]
machineDeployments:
  workers: {{ replicas: {machines_each} }}
healthChecks:
  workers:
    of: workers
    nodeStartupTimeout: 20m
    unhealthyLessThanOrEqualTo: 40%
    unhealthyNodeConditions: [{{ type: Ready, status: Unknown, timeout: 5m }}]
infrastructure:
  boot: {{ min: 3m, median: 5m, p90: 8m, max: 15m }}
  deathsPerDay: 5%
incidents:
  - zoneCutOff: {{ at: 10m, for: 45m, zone: a }}
"
        )
    }

    fn machine_days(&self) -> f64 {
        f64::from(self.clusters) * f64::from(self.machines_each) * f64::from(self.hours) / 24.0
    }

    fn measure(&self) -> Result<Used> {
        let scenario = run::root().join(FOLDER).join(format!("{}.yaml", self.name));
        fs::write(&scenario, self.scenario())?;
        let scenario = scenario.to_str().context("a path that is no text")?;
        let threads = self.threads.to_string();
        let program = run::root().join("target/release/capi-policy");
        let program = program.to_str().context("a path that is no text")?;
        let mut command = run::command(program, &["simulate", scenario, "--threads", &threads, "-o", "csv"]);
        run::say(&format!("simulating {} machines over {} h", self.clusters * self.machines_each, self.hours));
        watch(command.stdout(Stdio::null()).spawn()?)
    }
}

/// Reads what the process has used until it ends: a tenth of a second of many is not seen.
fn watch(mut process: Child) -> Result<Used> {
    let mut used = Used { processor_seconds: 0.0, peak_gigabytes: 0.0 };
    loop {
        if let Some(now) = usage(process.id()) {
            used = now;
        }
        if let Some(status) = process.try_wait()? {
            ensure!(status.success(), "capi-policy simulate failed ({status})");
            return Ok(used);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn usage(process: u32) -> Option<Used> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in brackets, may hold spaces. Linux counts in hundredths of a second.
    let fields: Vec<_> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let hundredths = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes = peak.trim().trim_end_matches("kB").trim().parse::<f64>().ok()?;
    Some(Used { processor_seconds: hundredths / 100.0, peak_gigabytes: kilobytes / 1e6 })
}

/// Simulates and gives the figures as a table.
pub fn table(quick: bool) -> Result<String> {
    let build = ["build", "--locked", "--release", "--package", "capi-policy-cli", "--bin", "capi-policy"];
    run::run("cargo", &build)?;
    fs::create_dir_all(run::root().join(FOLDER))?;
    let target = |what, bound, unit, value| Target { what, bound, unit, measured: vec![Some(value)] };
    if quick {
        let used = QUICK.measure()?;
        return Ok(format!(
            "{} machine-days a second of processor time\n",
            markdown::number(QUICK.machine_days() / used.processor_seconds)
        ));
    }
    let (day, tenth, million) = (DAY.measure()?, TENTH.measure()?, MILLION.measure()?);
    Ok(markdown::single(&[
        target("10,000 machines in 20 clusters over a day, one core", Bound::AtMost(60.0), " s", day.processor_seconds),
        target(
            "the same as machine-days a second",
            Bound::AtLeast(DAY.machine_days() / 60.0),
            "",
            DAY.machine_days() / day.processor_seconds,
        ),
        target(
            "a million machines in 500 clusters, an hour with an outage: peak memory",
            Bound::AtMost(8.0),
            " GB",
            million.peak_gigabytes,
        ),
        target(
            "processor time of the same over that of a tenth of the clusters",
            Bound::AtMost(11.0),
            "",
            million.processor_seconds / tenth.processor_seconds,
        ),
    ]) + &format!(
        "\nThe million takes {} of processor time, {} machine-days a second.\n",
        markdown::time(million.processor_seconds * 1e6),
        markdown::number(MILLION.machine_days() / million.processor_seconds)
    ))
}

#[cfg(test)]
mod tests {
    use super::{DAY, MILLION};

    #[test]
    fn loads_are_as_large_as_promised() {
        assert_eq!([DAY, MILLION].map(|load| load.clusters * load.machines_each), [10_000, 1_000_000]);
        assert!((DAY.machine_days() - 10_000.0).abs() < 1e-9);
    }

    #[test]
    fn the_use_of_this_very_process_can_be_read() {
        let used = super::usage(std::process::id()).expect("/proc");
        assert!(used.peak_gigabytes > 0.0 && used.processor_seconds >= 0.0);
    }
}
