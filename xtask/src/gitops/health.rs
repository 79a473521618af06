//! What the conditions of an object mean to a GitOps tool. The first rule that holds decides; an object for which none
//! holds is healthy.
//!
//! *Degraded* means that something worked before and does not any more, or that a health check has found it unhealthy. What
//! has not become available yet, and what is on its way to what its specification wants, is *Progressing*: tools give up
//! when they see something degraded, so an object that is just being made must not be called that.

use anyhow::{Context, Result, ensure};
use capi_policy::table::TableDescription;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;

/// What a GitOps tool reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Health {
    Healthy,
    Progressing,
    Degraded,
    Suspended,
}

impl fmt::Display for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// What a rule asks of one condition.
#[derive(Clone, Copy)]
pub enum Test {
    /// It is reported with one of these statuses.
    Is(&'static str, &'static [&'static str]),
    /// It is not reported as True; it may be missing.
    Lacks(&'static str),
    /// It is False because of this reason.
    Because(&'static str, &'static str),
    /// It is False because what it tells about was there and has been deleted: its table's reasons that end so.
    Lost(&'static str),
    /// It is False with another message than that of this row.
    FalseExcept(&'static str, &'static str),
}

use Health::{Degraded, Progressing, Suspended};
use Test::{Because, FalseExcept, Is, Lacks, Lost};

/// One rule: all tests have to hold.
pub struct Rule(pub Health, pub &'static [Test]);

/// The rules of a kind.
#[allow(clippy::struct_field_names, reason = "an object's kind is called kind everywhere")]
pub struct Kind {
    pub group: &'static str,
    pub kind: &'static str,
    /// One after the other.
    pub rules: &'static [&'static [Rule]],
}

const TRUE: &[&str] = &["True"];
const FALSE: &[&str] = &["False"];
/// Good when False: anything else is work under way, or nobody knows.
const NOT_FALSE: &[&str] = &["True", "Unknown"];
/// Good when True.
const NOT_TRUE: &[&str] = &["False", "Unknown"];

const CORE: &str = "cluster.x-k8s.io";

/// Nothing is expected of an object that goes or is paused.
#[rustfmt::skip]
const RESTS: &[Rule] = &[
    Rule(Progressing, &[Is("Deleting", TRUE)]),
    Rule(Suspended,   &[Is("Paused", TRUE)]),
];

/// Machines come, go or are replaced.
#[rustfmt::skip]
const UNDER_WAY: &[Rule] = &[
    Rule(Progressing, &[Is("Remediating", NOT_FALSE)]),
    Rule(Progressing, &[Is("RollingOut", NOT_FALSE)]),
    Rule(Progressing, &[Is("ScalingUp", NOT_FALSE)]),
    Rule(Progressing, &[Is("ScalingDown", NOT_FALSE)]),
];

/// What an owner's Machines report.
#[rustfmt::skip]
const MACHINES: &[Rule] = &[
    Rule(Progressing, &[Is("MachinesReady", NOT_TRUE)]),
    Rule(Progressing, &[Is("MachinesUpToDate", NOT_TRUE)]),
];

#[rustfmt::skip]
pub const KINDS: &[Kind] = &[
    Kind { group: CORE, kind: "Cluster", rules: &[RESTS, &[
        Rule(Degraded,    &[Lost("InfrastructureReady")]),
        Rule(Degraded,    &[Lost("ControlPlaneAvailable")]),
        Rule(Degraded,    &[Because("TopologyReconciled", "ReconcileFailed")]),
        Rule(Degraded,    &[FalseExcept("RemoteConnectionProbe", "CL-RCP-1"), Is("ControlPlaneInitialized", TRUE)]),
        Rule(Degraded,    &[Is("ControlPlaneAvailable", FALSE), Is("ControlPlaneInitialized", TRUE)]),
        Rule(Degraded,    &[Is("Available", FALSE), Is("Remediating", TRUE)]),
        Rule(Progressing, &[Lacks("Available")]),
        Rule(Progressing, &[Is("TopologyReconciled", NOT_TRUE)]),
    ], UNDER_WAY, &[
        Rule(Progressing, &[Is("ControlPlaneMachinesReady", NOT_TRUE)]),
        Rule(Progressing, &[Is("WorkerMachinesReady", NOT_TRUE)]),
        Rule(Progressing, &[Is("ControlPlaneMachinesUpToDate", NOT_TRUE)]),
        Rule(Progressing, &[Is("WorkerMachinesUpToDate", NOT_TRUE)]),
    ]]},
    Kind { group: "controlplane.cluster.x-k8s.io", kind: "KubeadmControlPlane", rules: &[RESTS, &[
        Rule(Degraded,    &[Is("Available", FALSE), Is("Initialized", TRUE)]),
        Rule(Progressing, &[Lacks("Available")]),
        Rule(Progressing, &[Is("CertificatesAvailable", NOT_TRUE)]),
        Rule(Progressing, &[Is("EtcdClusterHealthy", NOT_TRUE)]),
        Rule(Progressing, &[Is("ControlPlaneComponentsHealthy", NOT_TRUE)]),
    ], UNDER_WAY, MACHINES]},
    Kind { group: CORE, kind: "MachineDeployment", rules: &[RESTS, &[
        Rule(Degraded,    &[Is("Available", FALSE), Is("Remediating", TRUE)]),
        Rule(Progressing, &[Lacks("Available")]),
    ], UNDER_WAY, MACHINES]},
    Kind { group: CORE, kind: "MachineSet", rules: &[RESTS, &[
        Rule(Degraded,    &[Is("MachinesReady", FALSE), Is("Remediating", TRUE)]),
        Rule(Progressing, &[Lacks("MachinesReady")]),
        Rule(Progressing, &[Is("Remediating", NOT_FALSE)]),
        Rule(Progressing, &[Is("ScalingUp", NOT_FALSE)]),
        Rule(Progressing, &[Is("ScalingDown", NOT_FALSE)]),
        Rule(Progressing, &[Is("MachinesUpToDate", NOT_TRUE)]),
    ]]},
    Kind { group: CORE, kind: "Machine", rules: &[RESTS, &[
        Rule(Degraded,    &[Is("HealthCheckSucceeded", FALSE)]),
        Rule(Degraded,    &[Lost("NodeHealthy")]),
        Rule(Degraded,    &[Lost("InfrastructureReady")]),
        Rule(Progressing, &[Lacks("Available")]),
        Rule(Progressing, &[Is("Updating", NOT_FALSE)]),
    ]]},
    Kind { group: CORE, kind: "MachineHealthCheck", rules: &[&[
        Rule(Suspended,   &[Is("Paused", TRUE)]),
        Rule(Degraded,    &[Is("RemediationAllowed", FALSE)]),
        Rule(Progressing, &[Lacks("RemediationAllowed")]),
    ]]},
];

/// Kinds that get no check, and why.
#[cfg(test)]
pub const NOT_CHECKED: &[(&str, &str)] =
    &[("MachinePool", "Cluster API v1.14 sets no v1beta2 conditions on it: a check would never find it healthy")];

/// Conditions that no rule reads, and why.
#[rustfmt::skip]
pub const NOT_READ: &[(&str, &str, &str)] = &[
    ("Cluster",             "WorkersAvailable",              "part of Available"),
    ("KubeadmControlPlane", "APIServerPodHealthy",           "set on Machines; ControlPlaneComponentsHealthy aggregates it"),
    ("KubeadmControlPlane", "ControllerManagerPodHealthy",   "set on Machines; ControlPlaneComponentsHealthy aggregates it"),
    ("KubeadmControlPlane", "SchedulerPodHealthy",           "set on Machines; ControlPlaneComponentsHealthy aggregates it"),
    ("KubeadmControlPlane", "EtcdPodHealthy",                "set on Machines; ControlPlaneComponentsHealthy aggregates it"),
    ("KubeadmControlPlane", "EtcdMemberHealthy",             "set on Machines; EtcdClusterHealthy aggregates it"),
    ("KubeadmControlPlane", "NodeKubeadmLabelsAndTaintsSet", "set on Machines"),
    ("KubeadmControlPlane", "OwnerRemediated",               "set on Machines; Remediating aggregates it"),
    ("KubeadmControlPlane", "UpToDate",                      "set on Machines; MachinesUpToDate aggregates it"),
    ("MachineSet",          "OwnerRemediated",               "set on Machines; Remediating aggregates it"),
    ("Machine",             "Ready",                         "Available is Ready for at least minReadySeconds"),
    ("Machine",             "BootstrapConfigReady",          "part of Ready"),
    ("Machine",             "NodeReady",                     "part of NodeHealthy"),
    ("Machine",             "UpToDate",                      "an outdated Machine works until its owner replaces it"),
    ("MachineHealthCheck",  "HealthCheckSucceeded",          "set on Machines"),
    ("MachineHealthCheck",  "OwnerRemediated",               "set on Machines"),
    ("MachineHealthCheck",  "ExternallyRemediated",          "set on Machines"),
    ("MachineHealthCheck",  "NodeHealthy",                   "set on Machines"),
];

/// A test with what the tables know filled in: whether some condition of the object matches, or none does.
pub struct Clause {
    pub condition: &'static str,
    pub matches: bool,
    pub statuses: &'static [&'static str],
    /// Any reason when empty.
    pub reasons: Vec<String>,
    pub other_than: Option<String>,
}

/// A rule with what the tables know filled in.
pub struct Compiled {
    pub health: Health,
    pub clauses: Vec<Clause>,
}

impl Kind {
    /// Every test of its rules.
    #[cfg(test)]
    pub fn tests(&self) -> impl Iterator<Item = &'static Test> {
        self.rules.iter().copied().flatten().flat_map(|rule| rule.1)
    }

    /// Its rules, with reasons and messages out of the tables.
    pub fn compile(&self, tables: &[TableDescription]) -> Result<Vec<Compiled>> {
        let compile = |rule: &Rule| {
            let clauses = rule.1.iter().map(|test| self.clause(*test, tables)).collect::<Result<_>>()?;
            Ok(Compiled { health: rule.0, clauses })
        };
        self.rules.iter().copied().flatten().map(compile).collect()
    }

    fn clause(&self, test: Test, tables: &[TableDescription]) -> Result<Clause> {
        let is =
            |condition, statuses| Clause { condition, matches: true, statuses, reasons: Vec::new(), other_than: None };
        Ok(match test {
            Is(condition, statuses) => is(condition, statuses),
            Lacks(condition) => Clause { matches: false, ..is(condition, TRUE) },
            Because(condition, reason) => {
                Clause { reasons: self.reasons(condition, tables, |known| known == reason)?, ..is(condition, FALSE) }
            }
            Lost(condition) => Clause {
                reasons: self.reasons(condition, tables, |known| known.ends_with("Deleted"))?,
                ..is(condition, FALSE)
            },
            FalseExcept(condition, row) => {
                let rows = tables.iter().filter(|table| table.condition == condition).flat_map(|table| &table.rows);
                let row = rows.into_iter().find(|known| known.id == row).with_context(|| format!("no row {row}"))?;
                Clause { other_than: Some(row.then.message.clone()), ..is(condition, FALSE) }
            }
        })
    }

    /// The reasons of this form that rows of the condition's table give, each once.
    fn reasons(
        &self,
        condition: &str,
        tables: &[TableDescription],
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>> {
        let tables = tables.iter().filter(|table| table.kind == self.kind && table.condition == condition);
        let reasons = tables.flat_map(|table| &table.rows).map(|row| row.then.reason.clone());
        let reasons: BTreeSet<_> = reasons.filter(|reason| wanted(reason)).collect();
        ensure!(!reasons.is_empty(), "{} {condition}: no row has such a reason", self.kind);
        Ok(reasons.into_iter().collect())
    }
}

/// What the object's conditions mean.
pub fn of(rules: &[Compiled], object: &Value) -> Health {
    let metadata = &object["metadata"];
    if !metadata["deletionTimestamp"].is_null() {
        return Progressing;
    }
    let holds = |rule: &&Compiled| rule.clauses.iter().all(|clause| clause.holds(object));
    let found = rules.iter().find(holds).map_or(Health::Healthy, |rule| rule.health);
    let observed = &object["status"]["observedGeneration"];
    if found != Suspended && !observed.is_null() && *observed != metadata["generation"] {
        return Progressing;
    }
    found
}

impl Clause {
    fn holds(&self, object: &Value) -> bool {
        let conditions = object["status"]["conditions"].as_array();
        let matching = |condition: &Value| {
            let text = |name: &str| condition[name].as_str().unwrap_or_default();
            text("type") == self.condition
                && self.statuses.contains(&text("status"))
                && (self.reasons.is_empty() || self.reasons.iter().any(|reason| reason == text("reason")))
                && self.other_than.as_deref() != Some(text("message"))
        };
        conditions.is_some_and(|conditions| conditions.iter().any(matching)) == self.matches
    }
}
