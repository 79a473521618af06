//! A MachineSet as its MachineDeployment wants it: labels, annotations and specification, complete.

use super::Input;
use super::planner::Set;
use crate::outcome::Json;
use crate::view::{MachineSet, annotation, label, label::UNIQUE};
use capi_policy_json::Raw;

/// Annotations of a MachineDeployment that its MachineSets don't get.
const NOT_COPIED: &[&str] = &[
    "kubectl.kubernetes.io/last-applied-configuration",
    "cluster.x-k8s.io/conversion-data",
    annotation::REVISION,
    annotation::REVISION_HISTORY,
    DESIRED_REPLICAS,
    MAX_REPLICAS,
];
const DESIRED_REPLICAS: &str = "machinedeployment.clusters.x-k8s.io/desired-replicas";
const MAX_REPLICAS: &str = "machinedeployment.clusters.x-k8s.io/max-replicas";

/// Fields of a template that change in place.
const IN_PLACE: &[&str] = &["deletion", "minReadySeconds", "readinessGates", "taints"];

/// Members of an object, changed one by one.
type Members = Vec<(String, Json)>;

/// The whole MachineSet.
pub fn desired(input: &Input<'_>, set: &Set<'_>, max_surge: i64) -> Json {
    let metadata = object([("annotations", annotations(input, set, max_surge)), ("labels", labels(input, set))]);
    object([("metadata", metadata), ("spec", spec(input, set))])
}

/// Whether applying the MachineSet changes its specification.
pub fn changes(input: &Input<'_>, set: &Set<'_>, stored: &MachineSet<'_>) -> bool {
    let now = Json::copy(stored.spec.text);
    let known = ["clusterName", "deletion", "machineNaming", "replicas", "selector", "template"];
    let now = members(now).into_iter().filter(|(name, _)| known.contains(&&**name)).collect();
    without_empty(Json::Object(now)) != without_empty(spec(input, set))
}

fn annotations(input: &Input<'_>, set: &Set<'_>, max_surge: i64) -> Json {
    let deployment = input.object;
    let wanted = deployment.spec.replicas.unwrap_or(0);
    let copied = deployment.metadata.annotations.all();
    let copied = copied.into_iter().filter(|(key, _)| !NOT_COPIED.contains(&&**key));
    let numbers =
        [(DESIRED_REPLICAS, wanted.to_string()), (MAX_REPLICAS, wanted.saturating_add(max_surge).to_string())];
    let own = set.annotations.iter().map(|(key, value)| (*key, value.clone())).chain(numbers);
    let own = own.map(|(key, value)| (key.to_owned(), value));
    Json::object(copied.chain(own).map(|(key, value)| (key, Json::Text(value))))
}

fn labels(input: &Input<'_>, set: &Set<'_>) -> Json {
    let name = Json::from(&*input.object.metadata.name);
    let mut labels = members(template_labels(input, set));
    labels.push((label::DEPLOYMENT_NAME.to_owned(), name));
    Json::object(labels)
}

fn template_labels(input: &Input<'_>, set: &Set<'_>) -> Json {
    let mut labels = members(of_deployment(input, &["template", "metadata", "labels"]));
    labels.push((UNIQUE.to_owned(), Json::Text(unique_label(input, set))));
    Json::object(labels)
}

/// What tells the machines of a MachineSet from those of others.
fn unique_label(input: &Input<'_>, set: &Set<'_>) -> String {
    match set.stored {
        Some(stored) => stored.metadata.label(UNIQUE).map(ToString::to_string).unwrap_or_default(),
        None => format!("{}-<random>", hash(input.object.spec.text.text())),
    }
}

/// FNV-1a, 32 bits.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn spec(input: &Input<'_>, set: &Set<'_>) -> Json {
    let mut selector = members(of_deployment(input, &["selector"]));
    let mut match_labels = members(of_deployment(input, &["selector", "matchLabels"]));
    match_labels.push((UNIQUE.to_owned(), Json::Text(unique_label(input, set))));
    selector.push(("matchLabels".to_owned(), Json::object(match_labels)));
    without_empty(object([
        ("clusterName", of_deployment(input, &["clusterName"])),
        ("deletion", object([("order", of_deployment(input, &["deletion", "order"]))])),
        ("machineNaming", of_deployment(input, &["machineNaming"])),
        ("replicas", Json::Whole(set.wanted())),
        ("selector", Json::object(selector)),
        ("template", template(input, set)),
    ]))
}

fn template(input: &Input<'_>, set: &Set<'_>) -> Json {
    let path = ["template", "spec"];
    let own = set.stored.map_or_else(|| of_deployment(input, &path), |stored| below(stored.spec.text, &path));
    let kept = members(own).into_iter().filter(|(name, _)| !IN_PLACE.contains(&&**name));
    let taken = IN_PLACE.iter().map(|name| ((*name).to_owned(), of_deployment(input, &["template", "spec", name])));
    let annotations = of_deployment(input, &["template", "metadata", "annotations"]);
    let metadata = object([("annotations", annotations), ("labels", template_labels(input, set))]);
    object([("metadata", metadata), ("spec", Json::object(kept.chain(taken)))])
}

fn of_deployment(input: &Input<'_>, path: &[&str]) -> Json {
    below(input.object.spec.text, path)
}

fn below(value: Raw<'_>, path: &[&str]) -> Json {
    let found = path.iter().try_fold(value, |value, name| value.member(name));
    found.map_or(Json::Null, Json::copy)
}

fn members(value: Json) -> Members {
    match value {
        Json::Object(members) => members,
        _ => Vec::new(),
    }
}

fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
    Json::object(members.map(|(name, value)| (name.to_owned(), value)))
}

/// API servers don't store what is empty.
fn without_empty(value: Json) -> Json {
    match value {
        Json::Object(members) => {
            let members = members.into_iter().map(|(name, value)| (name, without_empty(value)));
            Json::Object(members.filter(|(_, value)| !is_empty(value)).collect())
        }
        Json::List(items) => Json::List(items.into_iter().map(without_empty).collect()),
        other => other,
    }
}

fn is_empty(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::Text(text) => text.is_empty(),
        Json::List(items) => items.is_empty(),
        Json::Object(members) => members.is_empty(),
        _ => false,
    }
}
