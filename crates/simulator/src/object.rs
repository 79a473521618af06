//! Reading and changing Kubernetes objects that are kept as JSON.

use capi_policy::fleet::{ObjectRef, WorkloadCluster};
use capi_policy::time::Time;
use serde_json::{Map, Value, json};

/// Cluster API's group and the version that decisions read.
pub const CLUSTER_API: &str = "cluster.x-k8s.io/v1beta2";

/// The name by which the fleet knows an object. A Node belongs to `cluster`, else to the one that its annotations name.
pub fn reference(object: &Value, cluster: Option<WorkloadCluster>) -> ObjectRef {
    let (kind, metadata) = (text(object, "/kind"), &object["metadata"]);
    let (name, namespace) = (text(metadata, "/name"), text(metadata, "/namespace"));
    let group = group_of(text(object, "/apiVersion"));
    if kind == "Node" && group.is_empty() {
        let annotated = || {
            let name = annotation(object, "cluster.x-k8s.io/cluster-name")?;
            let namespace = annotation(object, "cluster.x-k8s.io/cluster-namespace").unwrap_or_default();
            Some(WorkloadCluster::new(namespace, name))
        };
        return ObjectRef::node(cluster.or_else(annotated), name);
    }
    ObjectRef::new((group, kind), namespace, name)
}

/// `cluster.x-k8s.io` of `cluster.x-k8s.io/v1beta2`.
pub fn group_of(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}

/// The value at a path of names: what `Value::pointer` finds there, without looking for escapes and places in lists.
pub fn at<'o>(object: &'o Value, path: &str) -> Option<&'o Value> {
    path.split('/').skip(1).try_fold(object, |value, name| value.as_object()?.get(name))
}

/// The text at a path; empty where there is none.
pub fn text<'o>(object: &'o Value, path: &str) -> &'o str {
    at(object, path).and_then(Value::as_str).unwrap_or_default()
}

/// The whole number at a path; 0 where there is none.
pub fn number(object: &Value, path: &str) -> i64 {
    at(object, path).and_then(Value::as_i64).unwrap_or(0)
}

/// The moment at a path.
pub fn time(object: &Value, path: &str) -> Option<Time> {
    Time::parse(text(object, path))
}

/// An annotation.
pub fn annotation<'o>(object: &'o Value, key: &str) -> Option<&'o str> {
    object["metadata"]["annotations"].get(key)?.as_str()
}

/// A label.
pub fn label<'o>(object: &'o Value, key: &str) -> Option<&'o str> {
    object["metadata"]["labels"].get(key)?.as_str()
}

/// Whether the object has a deletion timestamp.
pub fn in_deletion(object: &Value) -> bool {
    at(object, "/metadata/deletionTimestamp").is_some_and(|time| !time.is_null())
}

/// The owner reference of the object's controller.
pub fn controller(object: &Value) -> Option<&Value> {
    let owners = at(object, "/metadata/ownerReferences")?.as_array()?;
    owners.iter().find(|owner| owner["controller"] == true)
}

/// A condition of the object.
pub fn condition<'o>(object: &'o Value, condition_type: &str) -> Option<&'o Value> {
    let stored = at(object, "/status/conditions")?.as_array()?;
    stored.iter().find(|condition| condition["type"] == condition_type)
}

/// Whether a condition has this status.
pub fn has(object: &Value, condition_type: &str, status: &str) -> bool {
    condition(object, condition_type).is_some_and(|condition| condition["status"] == status)
}

/// As JSON. Quicker than `to_string`, which passes every piece through a formatter.
pub fn written(object: &Value) -> String {
    serde_json::to_string(object).unwrap_or_default()
}

/// The object at a path, made where there is none.
pub fn member<'o>(object: &'o mut Value, path: &[&str]) -> &'o mut Map<String, Value> {
    let mut value = object;
    for name in path {
        value = members(value).entry(*name).or_insert(Value::Null);
    }
    members(value)
}

/// The members of a value, which becomes an object where it is none.
fn members(value: &mut Value) -> &mut Map<String, Value> {
    if !value.is_object() {
        *value = json!({});
    }
    match value {
        Value::Object(members) => members,
        _ => unreachable!("made an object above"),
    }
}

/// Sets an annotation.
pub fn annotate(object: &mut Value, key: &str, value: &str) {
    member(object, &["metadata", "annotations"]).insert(key.to_owned(), json!(value));
}

/// Removes an annotation.
pub fn remove_annotation(object: &mut Value, key: &str) {
    member(object, &["metadata", "annotations"]).remove(key);
}

/// Stores a condition in place of the one of its type.
pub fn set_condition(object: &mut Value, condition: Value) {
    let stored = member(object, &["status"]).entry("conditions").or_insert(json!([]));
    let Value::Array(stored) = stored else { return };
    match stored.iter_mut().find(|stored| stored["type"] == condition["type"]) {
        Some(known) => *known = condition,
        None => stored.push(condition),
    }
}

/// Removes a condition.
pub fn remove_condition(object: &mut Value, condition_type: &str) {
    if let Some(Value::Array(stored)) = object.pointer_mut("/status/conditions") {
        stored.retain(|stored| stored["type"] != condition_type);
    }
}

/// A condition that changed at that moment.
pub fn new_condition(condition_type: &str, status: &str, reason: &str, message: &str, since: Time) -> Value {
    json!({
        "type": condition_type, "status": status, "reason": reason, "message": message,
        "lastTransitionTime": since.to_string(),
    })
}

/// Stores a condition; its time stays while the status stays.
pub fn update_condition(object: &mut Value, mut wanted: Value) {
    if let Some(stored) =
        condition(object, text(&wanted, "/type")).filter(|stored| stored["status"] == wanted["status"])
    {
        wanted["lastTransitionTime"] = stored["lastTransitionTime"].clone();
    }
    set_condition(object, wanted);
}
