//! What a process has used so far, and how much was written to a server.

use anyhow::{Context, Result};
use capi_policy_e2e::kube_objects::Kube;
use serde_json::{Value, json};
use std::fmt;
use std::path::Path;

/// Processor time and memory of a process.
#[derive(Clone, Copy)]
pub struct Usage {
    pub processor_seconds: f64,
    pub resident_kilobytes: u64,
    pub peak_kilobytes: u64,
}

impl Usage {
    pub fn of(process: u32) -> Result<Self> {
        let process = Path::new("/proc").join(process.to_string());
        let stat = std::fs::read_to_string(process.join("stat"))?;
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks: u32 = fields.iter().skip(11).take(2).filter_map(|field| field.parse::<u32>().ok()).sum();
        let status = std::fs::read_to_string(process.join("status"))?;
        let kilobytes = |field: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(field));
            let number = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
            number.with_context(|| format!("no {field} in {status}"))
        };
        Ok(Self {
            processor_seconds: f64::from(ticks) / 100.0,
            resident_kilobytes: kilobytes("VmRSS:")?,
            peak_kilobytes: kilobytes("VmHWM:")?,
        })
    }

    pub fn json(&self) -> Value {
        json!({
            "processorSeconds": self.processor_seconds,
            "residentKilobytes": self.resident_kilobytes,
            "peakKilobytes": self.peak_kilobytes,
        })
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let megabytes = |kilobytes: u64| kilobytes.div_ceil(1_000);
        let (resident, peak) = (megabytes(self.resident_kilobytes), megabytes(self.peak_kilobytes));
        write!(f, "{:.1} s of processor time, {resident} MB resident, {peak} MB at most", self.processor_seconds)
    }
}

/// How many writes of objects that matter here the server has taken since it started, refused ones too.
pub async fn writes(kube: &Kube) -> Result<usize> {
    let request = hyper::Request::get("/metrics").body(Vec::new())?;
    let text = kube.client.request_text(request).await?;
    let is_write = |line: &str| ["POST", "PUT", "PATCH", "APPLY", "DELETE"].iter().any(|verb| has(line, "verb", verb));
    // The server writes some of its own objects, Leases above all.
    let counts = |line: &str| {
        line.starts_with("apiserver_request_total{")
            && is_write(line)
            && (line.contains("cluster.x-k8s.io\"")
                || ["nodes", "events"].iter().any(|name| has(line, "resource", name)))
    };
    let numbers = text.lines().filter(|line| counts(line)).filter_map(|line| line.rsplit(' ').next());
    Ok(numbers.filter_map(|number| number.parse::<usize>().ok()).sum())
}

fn has(line: &str, label: &str, value: &str) -> bool {
    line.contains(&format!("{label}=\"{value}\""))
}
