//! What was compared, condition by condition.

use anyhow::{Result, ensure};
use capi_policy::Kind;
use capi_policy::table::{EVERY_KIND, RowDescription, TableDescription};
use capi_policy_e2e::upstream::profile;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The conditions that are never compared, and why.
const NOT_COMPARED: &[(&str, &[&str], &str)] = &[
    ("Cluster", &["RemoteConnectionProbe"], "each program probes the workload cluster for itself"),
    ("Cluster", &["ControlPlaneInitialized"], "once it is true it stays so, and it is before anything is quiet"),
    ("Cluster", &["TopologyReconciled"], "no cluster here is made from a ClusterClass"),
    ("KubeadmControlPlane", &["Available", "EtcdClusterHealthy"], "only Cluster API's controller talks to etcd"),
    (
        "KubeadmControlPlane",
        &["CertificatesAvailable"],
        "watch reads no Secrets with private keys, and keeps what is stored",
    ),
    ("Machine", &["EtcdMemberHealthy"], "only Cluster API's controller talks to etcd"),
    (
        "Machine",
        &["OwnerRemediated"],
        "machines that have it are about to be deleted, and what is compared has to be quiet",
    ),
    ("Machine", &["ExternallyRemediated"], "no health check here has a remediation template"),
    (
        "MachinePool",
        &[
            "Available",
            "BootstrapConfigReady",
            "Deleting",
            "InfrastructureReady",
            "MachinesReady",
            "MachinesUpToDate",
            "Remediating",
            "ScalingDown",
            "ScalingUp",
        ],
        "Cluster API declares it and does not set it",
    ),
];
/// Conditions that these kinds decide about their Machines.
const OF_MACHINES: &[(&str, &[&str])] = &[
    (
        "KubeadmControlPlane",
        &[
            "APIServerPodHealthy",
            "ControllerManagerPodHealthy",
            "EtcdMemberHealthy",
            "EtcdPodHealthy",
            "NodeKubeadmLabelsAndTaintsSet",
            "OwnerRemediated",
            "SchedulerPodHealthy",
            "UpToDate",
        ],
    ),
    ("MachineHealthCheck", &["ExternallyRemediated", "HealthCheckSucceeded", "NodeHealthy", "OwnerRemediated"]),
    ("MachinePool", &["UpToDate"]),
    ("MachineSet", &["OwnerRemediated"]),
];

/// What has been compared so far.
#[derive(Default)]
pub struct Tally {
    steps: usize,
    /// How often each condition and status field was, by kind.
    compared: BTreeMap<(String, String), u64>,
}

impl Tally {
    /// Adds what `/differences` reports after a step.
    pub fn add(&mut self, report: &Value) {
        self.steps += 1;
        for (kind, by_name) in report["comparedByKind"].as_object().into_iter().flatten() {
            for (name, number) in by_name.as_object().into_iter().flatten() {
                *self.compared.entry((kind.clone(), name.clone())).or_default() += number.as_u64().unwrap_or(0);
            }
        }
    }

    /// Every condition that the policy decides was compared, or there is a reason why not.
    pub fn check(&self) -> Result<()> {
        let decided = decided_conditions();
        for (kind, condition) in &decided {
            let compared = self.compared.get(&(kind.clone(), condition.clone())).copied().unwrap_or(0);
            println!("{compared:>8} {kind} {condition}");
        }
        let compared = |entry: &(String, String)| self.compared.contains_key(entry);
        let excused = NOT_COMPARED.iter().flat_map(|(kind, names, _)| names.iter().map(move |name| (kind, name)));
        let excused = excused.map(|(kind, name)| ((*kind).to_owned(), (*name).to_owned()));
        let excused: BTreeSet<_> = excused.collect();
        let forgotten: Vec<_> = decided.iter().filter(|entry| !compared(entry) && !excused.contains(entry)).collect();
        ensure!(forgotten.is_empty(), "never compared, and nobody says why: {forgotten:?}");
        let stale: Vec<_> = excused.iter().filter(|entry| compared(entry) || !decided.contains(entry)).collect();
        ensure!(stale.is_empty(), "listed as never compared, but compared or not decided at all: {stale:?}");
        Ok(())
    }
}

/// Every condition that the profile's tables decide, with the kind that has it.
fn decided_conditions() -> BTreeSet<(String, String)> {
    let profile = profile();
    let mut decided = BTreeSet::new();
    for table in capi_policy::catalog::tables().iter().filter(|table| sets_a_condition(table, &profile)) {
        let of_machines =
            OF_MACHINES.iter().any(|(kind, names)| *kind == table.kind && names.contains(&table.condition));
        let kinds = match table.kind {
            EVERY_KIND => Kind::ALL.iter().map(|kind| kind.name()).collect(),
            _ if of_machines => vec!["Machine"],
            kind => vec![kind],
        };
        decided.extend(kinds.into_iter().map(|kind| (kind.to_owned(), table.condition.to_owned())));
    }
    decided
}

fn sets_a_condition(table: &TableDescription, profile: &str) -> bool {
    let rows = table.rows.iter().filter(|row| row.profiles.is_empty() || row.profiles.contains(&profile));
    let outcome = |row: &RowDescription| {
        let other = row.others.iter().find(|other| other.profile == profile);
        other.map_or_else(|| row.then.status.clone(), |other| other.then.status.clone())
    };
    rows.map(outcome).any(|status| !status.is_empty())
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let compared: u64 = self.compared.values().sum();
        write!(f, "{} steps, {compared} conditions and status fields compared", self.steps)
    }
}
