//! What a controller would have found out beside the objects: what was not read, and what stored conditions tell of the rest.

use super::completeness::Presence;
use super::name::{ObjectRef, Place, Subject, WorkloadCluster};
use super::object::Object;
use super::reading::Reading;
use super::references;
use crate::error::Error;
use crate::json::written;
use crate::observed::Observed;
use crate::snapshot::Kind;
use crate::time::Time;
use crate::view::{Cluster, ConditionsExt, Machine};
use capi_policy_json::Raw;
use serde::Serialize;
use std::collections::BTreeMap;

/// Nobody reports probes of the workload cluster, so time alone never makes one overdue: a hundred years.
const GRACE_SECONDS: i64 = 3_155_760_000;

/// Flows that only a running controller knows about; their last word is in the condition they keep.
const REPORTED: &[(&str, &str, &str)] =
    &[("Deleting", "deletingReason", "deletingMessage"), ("Updating", "updatingReason", "updatingMessage")];

/// What hosts reported, as JSON like a snapshot's `observed`.
#[derive(Default)]
pub struct Reports {
    all: String,
    by_cluster: Vec<(WorkloadCluster, String)>,
    by_subject: BTreeMap<Subject, String>,
}

/// What a report is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Every object.
    All,
    /// Every object of a workload cluster.
    WorkloadCluster(WorkloadCluster),
    /// One object.
    Object(Subject),
}

impl Reports {
    /// Takes a report in place of the one before; whether it differs.
    pub fn take(&mut self, audience: &Audience, facts: &str) -> Result<bool, Error> {
        crate::snapshot::read::<Observed<'_>>(facts)?;
        let before = match audience {
            Audience::All => std::mem::replace(&mut self.all, facts.to_owned()),
            Audience::WorkloadCluster(cluster) => {
                let known = self.by_cluster.iter().position(|(known, _)| known == cluster);
                let before = known.map(|at| self.by_cluster.swap_remove(at).1).unwrap_or_default();
                self.by_cluster.push((cluster.clone(), facts.to_owned()));
                before
            }
            Audience::Object(subject) => self.by_subject.insert(subject.clone(), facts.to_owned()).unwrap_or_default(),
        };
        Ok(before != facts)
    }

    /// Forgets what was reported about an object.
    pub fn forget(&mut self, subject: &Subject) {
        self.by_subject.remove(subject);
    }

    /// What was reported that concerns an object, from the widest audience to the narrowest.
    fn about<'r>(&'r self, reading: &Reading<'_>) -> impl Iterator<Item = &'r str> {
        let all = Some(&self.all).filter(|all| !all.is_empty());
        let of_cluster = |(known, _): &&(WorkloadCluster, String)| *known == reading.workload_cluster();
        let cluster = self.by_cluster.iter().find(of_cluster).map(|(_, facts)| facts);
        let subject = if self.by_subject.is_empty() { None } else { self.by_subject.get(reading.subject) };
        [all, cluster, subject].into_iter().flatten().map(String::as_str)
    }
}

/// `observed` of the object's snapshot, as JSON: what the fleet finds out, then what hosts reported.
pub fn observed(reading: &Reading<'_>, reports: &Reports, now: Time) -> String {
    let mut facts = Facts::default();
    facts.derive(reading, now);
    for report in reports.about(reading) {
        facts.overlay(report);
    }
    facts.text()
}

/// Members of a JSON object.
#[derive(Default)]
struct Facts(Vec<(String, String)>);

impl Facts {
    fn set(&mut self, name: &str, value: &impl Serialize) {
        self.0.push((name.to_owned(), written(value)));
    }

    /// Says no, where that is so; a fact that nobody mentions is a yes.
    fn deny_unless(&mut self, holds: bool, name: &str) {
        if !holds {
            self.set(name, &false);
        }
    }

    fn overlay(&mut self, report: &str) {
        let members = capi_policy_json::read::<Raw<'_>>(report).ok().and_then(Raw::members).unwrap_or_default();
        for (name, value) in members.into_iter().filter(|(_, value)| !value.is_null()) {
            self.0.retain(|(known, _)| *known != *name);
            self.0.push((name.to_string(), value.text().to_owned()));
        }
    }

    fn text(self) -> String {
        let members: Vec<_> = self.0.into_iter().map(|(name, value)| written(&name) + ":" + &value).collect();
        ["{", &members.join(","), "}"].concat()
    }

    fn derive(&mut self, reading: &Reading<'_>, now: Time) {
        self.set("remoteConditionsGracePeriodSeconds", &GRACE_SECONDS);
        self.set("remoteConnectionGracePeriodSeconds", &GRACE_SECONDS);
        self.set("controlPlaneContractVersion", &"v1beta2");
        self.flows(reading.object);
        match reading.object {
            Object::Cluster(cluster) => self.of_cluster(reading, cluster.get(), now),
            Object::KubeadmControlPlane(_) => {
                self.etcd_members(reading);
                self.templates(reading);
                self.not_compared(reading);
                self.probes(reading, reading.cluster(), now);
            }
            Object::Machine(machine) => self.of_machine(reading, machine.get(), now),
            Object::MachineDeployment(_) => {
                self.deny_unless(reading.is_listed(Kind::MachineSet), "machineSetsListed");
                self.deny_unless(reading.is_listed(Kind::Machine), "machinesListed");
                self.templates(reading);
            }
            Object::MachineHealthCheck(_) => {
                self.deny_unless(reading.is_listed(Kind::Machine), "machinesListed");
                self.unread_nodes(reading);
            }
            Object::MachineSet(_) => {
                self.deny_unless(reading.is_listed(Kind::Machine), "machinesListed");
                self.templates(reading);
                if reading.is_missing(reading.cluster().and_then(references::control_plane)) {
                    self.set("controlPlaneNotFound", &true);
                }
            }
            Object::MachinePool(_) => {
                let bootstrap = references::bootstrap_template(reading.object);
                let infrastructure = references::infra_template(reading.object);
                self.provisioning(reading, bootstrap, infrastructure);
                self.deny_unless(reading.is_listed(Kind::Machine), "machinesListed");
            }
            Object::Node(_) | Object::Pod(_) | Object::Other(_) => {}
        }
    }

    fn flows(&mut self, object: &Object) {
        for (condition_type, reason, message) in REPORTED {
            let stored = object.conditions().and_then(|conditions| conditions.of_type(condition_type));
            if let Some(stored) = stored.filter(|stored| stored.status == "True") {
                self.set(reason, &&*stored.reason);
                self.set(message, &&*stored.message);
            }
        }
    }

    fn of_cluster(&mut self, reading: &Reading<'_>, cluster: &Cluster<'_>, now: Time) {
        let infrastructure = reading.is_not_read(references::infra_cluster(cluster), Some("InfrastructureReady"));
        self.deny_unless(!infrastructure, "infraClusterNotFound");
        let control_plane = reading.is_not_read(references::control_plane(cluster), None);
        self.deny_unless(!control_plane, "controlPlaneNotFound");
        let descendants = [Kind::MachineDeployment, Kind::MachineSet, Kind::Machine];
        self.deny_unless(descendants.into_iter().all(|kind| reading.is_listed(kind)), "descendantsListed");
        self.probes(reading, Some(cluster), now);
    }

    fn of_machine(&mut self, reading: &Reading<'_>, machine: &Machine<'_>, now: Time) {
        self.provisioning(reading, references::bootstrap_config(machine), references::infra_machine(machine));
        if reading.is_not_read(references::node(machine), None) {
            self.set("nodeGetError", &"ClusterNotConnected");
        }
        self.probes(reading, reading.cluster(), now);
    }

    /// What a Machine or MachinePool is made from; its conditions may say what was last seen of it.
    fn provisioning(&mut self, reading: &Reading<'_>, bootstrap: Option<ObjectRef>, infrastructure: Option<ObjectRef>) {
        let bootstrap = reading.is_not_read(bootstrap, Some("BootstrapConfigReady"));
        self.deny_unless(!bootstrap, "bootstrapConfigNotFound");
        let infrastructure = reading.is_not_read(infrastructure, Some("InfrastructureReady"));
        self.deny_unless(!infrastructure, "infraMachineNotFound");
    }

    /// The workload cluster answered: its Nodes were read, or its Cluster says so.
    fn probes(&mut self, reading: &Reading<'_>, cluster: Option<&Cluster<'_>>, now: Time) {
        let probed = cluster.is_some_and(|cluster| cluster.status.conditions.has("RemoteConnectionProbe", "True"));
        if probed || !reading.nodes().is_empty() {
            #[derive(Serialize)]
            #[serde(rename_all = "camelCase")]
            struct Probes {
                last_probe_time: Time,
                last_probe_success_time: Time,
            }
            self.set("healthCheckingState", &Probes { last_probe_time: now, last_probe_success_time: now });
        }
    }

    /// Without any Node there is no connection; else those count as unreadable that nobody read.
    fn unread_nodes(&mut self, reading: &Reading<'_>) {
        let place = Place::of_nodes(Some(reading.workload_cluster()));
        if reading.completeness.is_complete(reading.store, &place) {
            return;
        }
        let named = reading.machines_of_cluster().map(|machine| &*machine.status.node_ref.name);
        let named = named.filter(|name| !name.is_empty());
        let unread: Vec<_> = named
            .filter(|name| {
                let node = ObjectRef { place: place.clone(), name: (*name).to_owned() };
                reading.completeness.presence(reading.store, &node) == Presence::NotRead
            })
            .collect();
        if unread.is_empty() {
            return;
        }
        if reading.nodes().is_empty() {
            self.set("workloadClusterConnected", &false);
        } else {
            self.set("nodeReadErrors", &unread);
        }
    }

    /// Templates that machines are made of and that don't exist.
    fn templates(&mut self, reading: &Reading<'_>) {
        for (template, fact) in [
            (references::bootstrap_template(reading.object), "bootstrapTemplateNotFound"),
            (references::infra_template(reading.object), "infrastructureTemplateNotFound"),
        ] {
            if reading.is_missing(template) {
                self.set(fact, &true);
            }
        }
    }

    /// Where nobody read what a Machine was made from, nobody knows whether it is up to date.
    fn not_compared(&mut self, reading: &Reading<'_>) {
        let machines = reading.machines_not_compared();
        if !machines.is_empty() {
            self.set("machinesNotCompared", &machines);
        }
    }

    /// A Machine whose member of etcd was inspected has one, named like its Node.
    fn etcd_members(&mut self, reading: &Reading<'_>) {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Member<'a> {
            name: &'a str,
            is_learner: bool,
        }
        let inspected = |machine: &&Machine<'_>| {
            let stored = machine.status.conditions.of_type("EtcdMemberHealthy");
            stored.is_some_and(|stored| stored.status != "Unknown")
        };
        let machines = reading.machines().filter_map(Object::machine).filter(inspected);
        let members: Vec<_> =
            machines.map(|machine| Member { name: &machine.status.node_ref.name, is_learner: false }).collect();
        if !members.is_empty() {
            self.set("etcdMembers", &members);
            self.set("etcdMembersAndMachinesAreMatching", &true);
        }
    }
}
