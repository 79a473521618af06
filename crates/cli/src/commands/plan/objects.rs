//! The objects of many snapshots, each once, in a state that a plan can start from.

use crate::question::Question;
use anyhow::{Context, Result};
use capi_policy::Kind;
use capi_policy::fleet::{Assumption, Fleet};
use capi_policy_simulator::{State, machine, object};
use serde_json::{Value, json};

/// Where snapshots have objects that are no subject of a snapshot of their own.
const OTHERS: &[&str] = &[
    "bootstrapConfig",
    "infraMachine",
    "infraCluster",
    "clusterClass",
    "controlPlane",
    "remediationTemplate",
    "remediationRequests",
    "machinePools",
];

/// Lists of objects that may have no snapshot of their own.
const LISTS: &[(&str, Kind)] = &[
    ("machineDeployments", Kind::MachineDeployment),
    ("machineSets", Kind::MachineSet),
    ("otherMachineSets", Kind::MachineSet),
    ("machines", Kind::Machine),
    ("owningMachineDeployment", Kind::MachineDeployment),
    ("owningMachineSet", Kind::MachineSet),
    ("cluster", Kind::Cluster),
];

/// Puts everything together.
pub fn state(questions: &[Question]) -> Result<State> {
    let mut fleet = Fleet::default();
    fleet.assume(Assumption::PresentKindsAreComplete);
    let mut state = State::new(fleet);
    for question in questions {
        let about = || question.label();
        let snapshot = &question.snapshot;
        for field in OTHERS {
            for found in objects(&snapshot[field]).filter(|found| found["apiVersion"].is_string()) {
                put(&mut state, found.clone()).with_context(about)?;
            }
        }
        for (field, kind) in LISTS {
            for found in objects(&snapshot[field]) {
                put(&mut state, of_kind(found, *kind)).with_context(about)?;
            }
        }
        nodes(&mut state, snapshot).with_context(about)?;
        let Some(kind) = Kind::ALL.iter().find(|kind| kind.name() == question.kind) else { continue };
        put(&mut state, of_kind(&snapshot[kind.field()], *kind)).with_context(about)?;
    }
    observed(&mut state, questions)?;
    Ok(state)
}

/// One object, or several; those of which nothing but a condition is known have no name.
fn objects(value: &Value) -> impl Iterator<Item = &Value> {
    let several = value.as_array().into_iter().flatten();
    several.chain(value.is_object().then_some(value)).filter(|found| found.pointer("/metadata/name").is_some())
}

/// An object that says what it is.
fn of_kind(found: &Value, kind: Kind) -> Value {
    let mut found = found.clone();
    if !found["kind"].is_string() {
        found["kind"] = json!(kind.name());
    }
    if !found["apiVersion"].is_string() {
        found["apiVersion"] = json!(format!("{}/v1beta2", kind.group()));
    }
    found
}

fn put(state: &mut State, found: Value) -> Result<()> {
    state.put(found, None)?;
    Ok(())
}

/// Nodes belong to the workload cluster of the Machine or health check that reads them.
fn nodes(state: &mut State, snapshot: &Value) -> Result<()> {
    let reader = [&snapshot["machine"], &snapshot["machineHealthCheck"]].into_iter().find(|reader| reader.is_object());
    let Some(cluster) = reader.map(machine::workload_cluster) else { return Ok(()) };
    for node in objects(&snapshot["node"]).chain(objects(&snapshot["nodes"])) {
        let mut node = node.clone();
        node["kind"] = json!("Node");
        node["apiVersion"] = json!("v1");
        state.put(node, Some(cluster.clone()))?;
    }
    Ok(())
}

/// What was asked of etcd itself; what was derived from conditions has no ids, and is derived again as the plan goes on.
fn observed(state: &mut State, questions: &[Question]) -> Result<()> {
    for question in questions.iter().filter(|question| question.kind == Kind::KubeadmControlPlane.name()) {
        let facts = &question.snapshot["observed"];
        let members = facts["etcdMembers"].as_array();
        if !members.is_some_and(|members| members.iter().all(|member| !object::text(member, "/id").is_empty())) {
            continue;
        }
        let subject = capi_policy::fleet::Subject::new(Kind::KubeadmControlPlane, &question.namespace, &question.name);
        state.observe(&subject, |observed| {
            for field in ["etcdMembers", "etcdLeaderID", "etcdAlarms"] {
                observed[field] = facts[field].clone();
            }
            observed["etcdMembersAndMachinesAreMatching"] = json!(true);
        })?;
    }
    Ok(())
}
