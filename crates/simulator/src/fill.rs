//! What the input does not have, taken to be as the Machines report it, with a sentence for each such assumption.

use crate::object::{self, CLUSTER_API, member, new_condition, text, time};
use crate::state::State;
use crate::{control_plane, machine};
use capi_policy::fleet::{ObjectRef, Place, Scope};
use capi_policy::time::Time;
use capi_policy::{Error, Kind};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Where a provider's object stands in for the condition that mirrors it.
const MIRRORED: &[(&str, &str)] =
    &[("/spec/infrastructureRef", "InfrastructureReady"), ("/spec/bootstrap/configRef", "BootstrapConfigReady")];

/// Adds what is missing; the answer is what was assumed.
pub fn fill(state: &mut State) -> Result<Vec<String>, Error> {
    let mut assumptions = clusters(state)?;
    assumptions.extend(objects_of_machines(state)?);
    assumptions.extend(members_of_etcd(state)?);
    complete(state);
    Ok(assumptions)
}

/// From here on what is not there does not exist, also when the last object of a kind goes.
fn complete(state: &mut State) {
    let always = [Kind::MachineSet, Kind::Machine].map(|kind| (kind.group().to_owned(), kind.name().to_owned()));
    let present = state.objects().map(|(name, _)| (name.place.group.clone(), name.place.kind.clone()));
    let kinds: BTreeSet<_> = present.chain(always).collect();
    for (group, kind) in &kinds {
        state.fleet().mark(&Scope::of((group, kind)), true);
    }
}

fn machines(state: &State) -> Vec<(ObjectRef, Value)> {
    state.of_kind(Kind::Machine).map(|(name, object)| (name.clone(), object.clone())).collect()
}

fn clusters(state: &mut State) -> Result<Vec<String>, Error> {
    let clusters: BTreeSet<_> = machines(state).iter().map(|(_, object)| machine::workload_cluster(object)).collect();
    let mut assumptions = Vec::new();
    for cluster in clusters.into_iter().filter(|cluster| !cluster.name.is_empty()) {
        let kind = (Kind::Cluster.group(), Kind::Cluster.name());
        if state.get(&ObjectRef::new(kind, &cluster.namespace, &cluster.name)).is_some() {
            continue;
        }
        let initialized = new_condition("ControlPlaneInitialized", "True", "Initialized", "", Time::ZERO);
        let done = json!({ "infrastructureProvisioned": true, "controlPlaneInitialized": true });
        state.put(
            json!({
                "apiVersion": CLUSTER_API, "kind": Kind::Cluster.name(),
                "metadata": { "name": cluster.name, "namespace": cluster.namespace }, "spec": {},
                "status": { "initialization": done, "conditions": [initialized] },
            }),
            None,
        )?;
        assumptions.push(format!("Cluster {} is provisioned and initialized: it is not in the input", cluster.name));
    }
    Ok(assumptions)
}

/// Where some objects of a kind are in the input, those that are not do not exist.
fn objects_of_machines(state: &mut State) -> Result<Vec<String>, Error> {
    let present: BTreeSet<Place> = state.objects().map(|(name, _)| name.place.clone()).collect();
    let any_nodes = present.iter().any(Place::is_of_nodes);
    let mut assumed: BTreeSet<String> = BTreeSet::new();
    for (_, object) in machines(state) {
        for (path, mirror) in MIRRORED {
            let Some(reference) = object::at(&object, path).filter(|reference| !text(reference, "/name").is_empty())
            else {
                continue;
            };
            let referenced = machine::referenced(&object, reference);
            if !present.contains(&referenced.place) {
                state.put(mirrored(&object, reference, mirror), None)?;
                assumed.insert(referenced.place.kind);
            }
        }
        let node = text(&object, "/status/nodeRef/name");
        let deleted = object::condition(&object, "NodeReady").is_some_and(|ready| ready["reason"] == "NodeDeleted");
        if !node.is_empty() && !any_nodes && !deleted {
            state.put(node_of(&object, node), Some(machine::workload_cluster(&object)))?;
            assumed.insert("Node".to_owned());
        }
    }
    let sentence =
        |kind: String| format!("{kind} objects are as the Machines' conditions report them: none is in the input");
    Ok(assumed.into_iter().map(sentence).collect())
}

fn mirrored(machine: &Value, reference: &Value, mirror: &str) -> Value {
    let mut object = machine::cloned(machine, reference, &Value::Null);
    member(&mut object, &["metadata"]).remove("annotations");
    let up = !text(machine, "/status/nodeRef/name").is_empty();
    let since = time(machine, "/metadata/creationTimestamp").unwrap_or(Time::ZERO);
    if let Some(stored) = object::condition(machine, mirror) {
        if object::has(machine, mirror, "True") {
            machine::make_ready(&mut object, text(machine, "/spec/providerID"), since);
        }
        let mut ready = stored.clone();
        ready["type"] = json!("Ready");
        object::set_condition(&mut object, ready);
    } else if up {
        machine::make_ready(&mut object, text(machine, "/spec/providerID"), since);
    }
    object
}

fn node_of(machine: &Value, name: &str) -> Value {
    let since = time(machine, "/metadata/creationTimestamp").unwrap_or(Time::ZERO);
    let reported = object::condition(machine, "NodeReady").or_else(|| object::condition(machine, "NodeHealthy"));
    let mut ready = reported.cloned().unwrap_or_else(|| new_condition("Ready", "True", "Kubelet", "", since));
    ready["type"] = json!("Ready");
    let fine = ["MemoryPressure", "DiskPressure", "PIDPressure"];
    let fine = fine.map(|kind| new_condition(kind, "False", "Kubelet", "", since));
    let conditions: Vec<Value> = [ready].into_iter().chain(fine).collect();
    machine::node(machine, name, text(machine, "/spec/providerID"), &conditions, since)
}

/// A Machine whose member was inspected has one; the first one leads.
fn members_of_etcd(state: &mut State) -> Result<Vec<String>, Error> {
    let owners: Vec<_> = state.of_kind(Kind::KubeadmControlPlane).map(|(name, _)| name.clone()).collect();
    let mut assumptions = Vec::new();
    for owner in owners {
        let Some(subject) = owner.subject() else { continue };
        if state.observed(&subject).is_some_and(|observed| observed.get("etcdMembers").is_some()) {
            continue;
        }
        let inspected = |machine: &&Value| {
            object::condition(machine, "EtcdMemberHealthy").is_some_and(|member| member["status"] != "Unknown")
        };
        let machines = state.controlled(&owner, Kind::Machine).map(|(_, machine)| machine).filter(inspected);
        let members: Vec<_> = machines.map(|machine| text(machine, "/status/nodeRef/name").to_owned()).collect();
        for member in &members {
            control_plane::join(state, &subject, member)?;
        }
        if let Some(first) = members.first() {
            let count = members.len();
            assumptions.push(format!(
                "etcd of {} has the {count} members that the Machines report, and {first} leads: nobody asked etcd",
                owner.name
            ));
        }
    }
    Ok(assumptions)
}
