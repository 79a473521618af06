//! The life of a machine: made from a template, up with its Node, in deletion, gone.

use crate::object::{self, CLUSTER_API, annotate, group_of, label, member, new_condition, text};
use crate::state::State;
use capi_policy::fleet::{ObjectRef, WorkloadCluster};
use capi_policy::time::Time;
use capi_policy::view::{annotation, label as labels};
use capi_policy::{Error, Kind};
use serde_json::{Value, json};

/// Carries the name of a machine's MachineSet.
pub const SET_NAME: &str = "cluster.x-k8s.io/set-name";
/// Carries the name of a machine's control plane.
pub const CONTROL_PLANE_NAME: &str = "cluster.x-k8s.io/control-plane-name";
/// Conditions of a control-plane machine whose components run.
pub const COMPONENTS: &[&str] = &[
    "APIServerPodHealthy",
    "ControllerManagerPodHealthy",
    "SchedulerPodHealthy",
    "EtcdPodHealthy",
    "EtcdMemberHealthy",
    "NodeKubeadmLabelsAndTaintsSet",
];

/// Where a Machine names the provider's objects that belong to it.
const REFERENCES: &[&str] = &["/spec/infrastructureRef", "/spec/bootstrap/configRef"];

/// A Machine by namespace and name.
pub fn named(namespace: &str, name: &str) -> ObjectRef {
    ObjectRef::new((Kind::Machine.group(), Kind::Machine.name()), namespace, name)
}

/// Makes a Machine of a MachineSet.
pub fn of_machine_set(state: &mut State, set: &ObjectRef, now: Time) -> Result<Option<ObjectRef>, Error> {
    let Some(owner) = state.get(set).cloned() else { return Ok(None) };
    let template = &owner["spec"]["template"];
    let mut machine = json!({ "metadata": template["metadata"], "spec": template["spec"] });
    let own = member(&mut machine, &["metadata", "labels"]);
    own.insert(SET_NAME.to_owned(), json!(set.name));
    if let Some(deployment) = label(&owner, labels::DEPLOYMENT_NAME) {
        own.insert(labels::DEPLOYMENT_NAME.to_owned(), json!(deployment));
    }
    machine["spec"]["clusterName"] = owner["spec"]["clusterName"].clone();
    make(state, set, &owner, machine, now).map(Some)
}

/// Makes a Machine of a control plane. A machine that replaces another one says so.
pub fn of_control_plane(
    state: &mut State,
    control_plane: &ObjectRef,
    failure_domain: Option<&str>,
    now: Time,
) -> Result<Option<ObjectRef>, Error> {
    let Some(owner) = state.get(control_plane).cloned() else { return Ok(None) };
    let template = &owner["spec"]["machineTemplate"];
    let mut machine = json!({ "metadata": template["metadata"], "spec": template["spec"] });
    let own = member(&mut machine, &["metadata", "labels"]);
    own.insert(labels::CONTROL_PLANE.to_owned(), json!(""));
    own.insert(CONTROL_PLANE_NAME.to_owned(), json!(control_plane.name));
    annotate(&mut machine, annotation::KCP_CLEANUP_HOOK, "");
    if let Some(remediation) = object::annotation(&owner, annotation::REMEDIATION_IN_PROGRESS) {
        annotate(&mut machine, annotation::REMEDIATION_FOR, remediation);
    }
    let spec = member(&mut machine, &["spec"]);
    spec.insert("version".to_owned(), owner["spec"]["version"].clone());
    spec.insert("clusterName".to_owned(), json!(label(&owner, labels::CLUSTER_NAME)));
    if let Some(domain) = failure_domain.filter(|domain| !domain.is_empty()) {
        spec.insert("failureDomain".to_owned(), json!(domain));
    }
    let reference = spec.entry("bootstrap").or_insert(json!({}));
    reference["configRef"] = json!({ "apiGroup": "bootstrap.cluster.x-k8s.io", "kind": "KubeadmConfig", "name": "" });
    let machine = make(state, control_plane, &owner, machine, now)?;
    state.edit(control_plane, |owner| object::remove_annotation(owner, annotation::REMEDIATION_IN_PROGRESS))?;
    Ok(Some(machine))
}

fn make(
    state: &mut State,
    owner: &ObjectRef,
    owner_object: &Value,
    mut machine: Value,
    now: Time,
) -> Result<ObjectRef, Error> {
    let name = state.new_name(&owner.name);
    let uid = state.new_uid();
    let cluster = text(&machine, "/spec/clusterName").to_owned();
    machine["apiVersion"] = json!(CLUSTER_API);
    machine["kind"] = json!(Kind::Machine.name());
    let metadata = member(&mut machine, &["metadata"]);
    metadata.insert("name".to_owned(), json!(name));
    metadata.insert("namespace".to_owned(), json!(owner.place.namespace));
    metadata.insert("uid".to_owned(), json!(uid));
    metadata.insert("generation".to_owned(), json!(1));
    metadata.insert("creationTimestamp".to_owned(), json!(now.to_string()));
    metadata.insert("ownerReferences".to_owned(), json!([owner_reference(owner_object)]));
    if !cluster.is_empty() {
        member(&mut machine, &["metadata", "labels"]).insert(labels::CLUSTER_NAME.to_owned(), json!(cluster));
    }
    for path in REFERENCES {
        let Some(template) = object::at(&machine, path).filter(|reference| reference.is_object()).cloned() else {
            continue;
        };
        if let Some(reference) = machine.pointer_mut(path) {
            let kind = text(&template, "/kind");
            reference["kind"] = json!(kind.strip_suffix("Template").unwrap_or(kind));
            reference["name"] = json!(name);
        }
        let cloned = cloned(&machine, object::at(&machine, path).unwrap_or(&Value::Null), &template);
        state.put(cloned, None)?;
    }
    state.put(machine, None)
}

/// The reference to a controller.
pub fn owner_reference(owner: &Value) -> Value {
    json!({
        "apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": owner["metadata"]["name"],
        "uid": owner["metadata"]["uid"], "controller": true, "blockOwnerDeletion": true,
    })
}

/// The workload cluster of a Machine.
pub fn workload_cluster(machine: &Value) -> WorkloadCluster {
    let name = Some(text(machine, "/spec/clusterName")).filter(|name| !name.is_empty());
    let name = name.or_else(|| label(machine, labels::CLUSTER_NAME)).unwrap_or_default();
    WorkloadCluster::new(text(machine, "/metadata/namespace"), name)
}

/// A machine has come up: its infrastructure, bootstrap config and Node are there and ready.
pub fn boot(state: &mut State, machine: &ObjectRef, now: Time) -> Result<bool, Error> {
    let Some(object) = state.get(machine).filter(|object| !object::in_deletion(object)).cloned() else {
        return Ok(false);
    };
    let provider_id = format!("simulated:///{}/{}", machine.place.namespace, machine.name);
    for reference in references(&object) {
        state.edit(&referenced(&object, reference), |object| make_ready(object, &provider_id, now))?;
    }
    let ready = [("Ready", "True"), ("MemoryPressure", "False"), ("DiskPressure", "False"), ("PIDPressure", "False")];
    let conditions = ready.map(|(kind, status)| new_condition(kind, status, "Kubelet", "", now));
    let node = node(&object, &machine.name, &provider_id, &conditions, now);
    state.put(node, Some(workload_cluster(&object)))?;
    state.edit(machine, |object| {
        object["spec"]["providerID"] = json!(provider_id);
        let version = object["spec"]["version"].clone();
        let status = member(object, &["status"]);
        status.insert("nodeRef".to_owned(), json!({ "name": machine.name }));
        let provisioned = json!({ "infrastructureProvisioned": true, "bootstrapDataSecretCreated": true });
        status.insert("initialization".to_owned(), provisioned);
        status.insert("nodeInfo".to_owned(), json!({ "kubeletVersion": version }));
        if label(object, labels::CONTROL_PLANE).is_some() {
            for kind in COMPONENTS {
                object::set_condition(object, new_condition(kind, "True", "Healthy", "", now));
            }
        }
    })?;
    Ok(true)
}

/// The provider's objects that a Machine names.
pub fn references(machine: &Value) -> impl Iterator<Item = &Value> {
    REFERENCES
        .iter()
        .filter_map(|path| object::at(machine, path))
        .filter(|reference| !text(reference, "/name").is_empty())
}

/// The name of a provider's object.
pub fn referenced(machine: &Value, reference: &Value) -> ObjectRef {
    let group = text(reference, "/apiGroup");
    let group = if group.is_empty() { group_of(text(reference, "/apiVersion")) } else { group };
    ObjectRef::new((group, text(reference, "/kind")), text(machine, "/metadata/namespace"), text(reference, "/name"))
}

/// A provider's object of a Machine, as it is made from its template.
pub fn cloned(machine: &Value, reference: &Value, template: &Value) -> Value {
    let name = referenced(machine, reference);
    let group = Some(&name.place.group).filter(|group| !group.is_empty());
    let group_kind = format!("{}.{}", text(template, "/kind"), name.place.group);
    json!({
        "apiVersion": group.map_or("v1".to_owned(), |group| format!("{group}/v1beta2")), "kind": name.place.kind,
        "metadata": {
            "name": name.name, "namespace": name.place.namespace,
            "annotations": {
                annotation::CLONED_FROM_NAME: template["name"], annotation::CLONED_FROM_GROUP_KIND: group_kind,
            },
        },
    })
}

/// A provider's object is ready from now on.
pub fn make_ready(object: &mut Value, provider_id: &str, since: Time) {
    object["spec"]["providerID"] = json!(provider_id);
    let initialized = json!({ "provisioned": true, "dataSecretCreated": true });
    member(object, &["status"]).insert("initialization".to_owned(), initialized);
    object::update_condition(object, new_condition("Ready", "True", "Ready", "", since));
}

/// The Node of a Machine.
pub fn node(machine: &Value, name: &str, provider_id: &str, conditions: &[Value], since: Time) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Node",
        "metadata": { "name": name, "creationTimestamp": since.to_string() },
        "spec": { "providerID": provider_id },
        "status": { "conditions": conditions, "nodeInfo": { "kubeletVersion": machine["spec"]["version"] } },
    })
}

/// Asks for a machine's deletion; whether that is new.
pub fn delete(state: &mut State, machine: &ObjectRef, now: Time) -> Result<bool, Error> {
    if state.get(machine).is_none_or(object::in_deletion) {
        return Ok(false);
    }
    state.edit(machine, |object| object["metadata"]["deletionTimestamp"] = json!(now.to_string()))?;
    Ok(true)
}

/// A machine in deletion is drained. It goes, unless hooks keep it; whether it is gone.
pub fn drained(state: &mut State, machine: &ObjectRef, now: Time) -> Result<bool, Error> {
    let Some(object) = state.get(machine) else { return Ok(false) };
    let mut hooks: Vec<_> = hooks(object).collect();
    if hooks.is_empty() {
        remove(state, machine);
        return Ok(true);
    }
    hooks.sort_unstable();
    let message = format!("Waiting for pre-terminate hooks to succeed (hooks: {})", hooks.join(","));
    let waits = new_condition("Deleting", "True", "WaitingForPreTerminateHook", &message, now);
    state.edit(machine, |object| object::update_condition(object, waits))?;
    Ok(false)
}

/// Hooks that keep a machine whose Node is drained.
pub fn hooks(machine: &Value) -> impl Iterator<Item = &str> {
    let annotations = object::at(machine, "/metadata/annotations").and_then(Value::as_object);
    let keys = annotations.into_iter().flat_map(|annotations| annotations.keys());
    keys.filter_map(|key| key.strip_prefix(annotation::PRE_TERMINATE_HOOK))
}

/// Whether a machine in deletion waits for nothing but hooks.
pub fn waits_for_hooks(machine: &Value) -> bool {
    object::condition(machine, "Deleting").is_some_and(|deleting| deleting["reason"] == "WaitingForPreTerminateHook")
}

/// A machine and what belongs to it are gone.
pub fn remove(state: &mut State, machine: &ObjectRef) {
    let Some(object) = state.get(machine).cloned() else { return };
    for reference in references(&object) {
        state.remove(&referenced(&object, reference));
    }
    let node = text(&object, "/status/nodeRef/name");
    if !node.is_empty() {
        state.remove(&ObjectRef::node(Some(workload_cluster(&object)), node));
    }
    state.remove(machine);
}

/// Hands a machine to the extension that updates it to the template of its owner.
pub fn start_update(state: &mut State, machine: &ObjectRef, template: &Value) -> Result<(), Error> {
    state.edit(machine, |object| {
        annotate(object, annotation::UPDATE_IN_PROGRESS, "");
        annotate(object, annotation::PENDING_HOOKS, "UpdateMachine");
        let own = ["infrastructureRef", "bootstrap", "providerID", "clusterName"];
        for (field, value) in template.as_object().into_iter().flatten().filter(|(field, _)| !own.contains(&&***field))
        {
            member(object, &["spec"]).insert(field.clone(), value.clone());
        }
    })
}

/// A machine's in-place update is done; whether there was one.
pub fn updated(state: &mut State, machine: &ObjectRef) -> Result<bool, Error> {
    let updating = |object: &Value| object::annotation(object, annotation::UPDATE_IN_PROGRESS).is_some();
    if !state.get(machine).is_some_and(updating) {
        return Ok(false);
    }
    state.edit(machine, |object| {
        object::remove_annotation(object, annotation::UPDATE_IN_PROGRESS);
        object::remove_annotation(object, annotation::PENDING_HOOKS);
        let version = object["spec"]["version"].clone();
        member(object, &["status", "nodeInfo"]).insert("kubeletVersion".to_owned(), version);
    })?;
    Ok(true)
}

/// Hands a machine to another MachineSet.
pub fn hand_over(state: &mut State, machine: &ObjectRef, to: &str, unique_label: &str) -> Result<(), Error> {
    let set = ObjectRef::new((Kind::MachineSet.group(), Kind::MachineSet.name()), &machine.place.namespace, to);
    let Some(owner) = state.get(&set).map(owner_reference) else { return Ok(()) };
    state.edit(machine, |object| {
        let metadata = member(object, &["metadata"]);
        metadata.insert("ownerReferences".to_owned(), json!([owner]));
        let labels_of = member(object, &["metadata", "labels"]);
        labels_of.insert(labels::UNIQUE.to_owned(), json!(unique_label));
        labels_of.insert(SET_NAME.to_owned(), json!(to));
        annotate(object, annotation::UPDATE_IN_PROGRESS, "");
        annotate(object, annotation::PENDING_ACKNOWLEDGE_MOVE, "");
    })
}
