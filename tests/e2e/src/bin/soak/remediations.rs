//! What the proxy has seen in; remediations that nothing called for out.

use crate::change::{Change, LEFT_ALONE};
use anyhow::{Result, ensure};
use capi_policy_e2e::proxy::Done;
use std::collections::BTreeMap;

/// Who was remediated how often.
#[derive(Default)]
pub struct Remediations {
    /// How many writes were looked at.
    seen: usize,
    /// Machines deleted; names are not used again.
    deleted: BTreeMap<String, usize>,
    pub done: usize,
}

impl Remediations {
    /// Looks at what was done since the last time, and at the changes made meanwhile. A request comes back only when
    /// something has changed: a host that forgets, or that acts on what is long past, makes more of them.
    pub fn check(&mut self, done: &[Done], changes: &[Change]) -> Result<()> {
        let mut requests: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for done in done.iter().skip(self.seen) {
            let parts: Vec<&str> = done.path.split('/').collect();
            let (machine, cluster) = match (&*done.method, &parts[..]) {
                ("POST", [.., "namespaces", cluster, "testremediations"]) => (&*done.name, *cluster),
                ("DELETE", [.., "namespaces", cluster, "machines", machine]) => (*machine, *cluster),
                _ => continue,
            };
            self.done += 1;
            ensure!(!machine.contains(LEFT_ALONE), "{machine} was remediated and is healthy: {done:?}");
            if done.method == "DELETE" {
                let times = self.deleted.entry(machine.to_owned()).or_default();
                *times += 1;
                ensure!(*times == 1, "{machine} was deleted {times} times");
            } else {
                *requests.entry((cluster, machine)).or_default() += 1;
            }
        }
        for ((cluster, machine), times) in requests {
            let reasons = 1 + changes.iter().filter(|change| change.cluster == cluster).count();
            ensure!(times <= reasons, "{times} requests for {machine}, with {reasons} reasons at most");
        }
        self.seen = done.len();
        Ok(())
    }
}
