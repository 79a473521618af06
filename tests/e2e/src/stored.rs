//! What is stored, to be compared between one run and another.

use crate::kube_objects::Kube;
use crate::wait::{eventually, now, within};
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How long nothing moves when all is over.
const QUIET: Duration = Duration::from_millis(500);

/// The status of each object, by kind and name.
pub type State = BTreeMap<String, Value>;

/// What objects of a namespace, or of all, say once nothing changes any more.
pub async fn settled(kube: &Kube, namespace: &str) -> Result<State> {
    let (mut last, mut since) = (BTreeMap::new(), now());
    eventually("everything has settled", within(60), async || {
        let seen = state(kube, namespace).await?;
        if seen != last {
            (last, since) = (seen, now());
        }
        Ok((since.elapsed() > QUIET).then(|| last.clone()))
    })
    .await
}

/// What two runs do not agree about, for people.
pub fn differences(without: &State, with: &State) -> String {
    let names: BTreeSet<&String> = without.keys().chain(with.keys()).collect();
    let different = names.into_iter().filter(|name| without.get(*name) != with.get(*name));
    let show =
        |name| format!("{name} with faults:\n{:#}\nwithout:\n{:#}\n", json!(with.get(name)), json!(without.get(name)));
    different.map(show).collect()
}

/// What objects of a namespace, or of all, say, times aside.
pub async fn state(kube: &Kube, namespace: &str) -> Result<State> {
    let mut state = BTreeMap::new();
    for kind in ["Cluster", "Machine", "MachineHealthCheck", "TestRemediation"] {
        for object in kube.list(kind, namespace).await? {
            let mut status = object["status"].clone();
            if let Some(conditions) = status["conditions"].as_array_mut() {
                for fields in conditions.iter_mut().filter_map(Value::as_object_mut) {
                    fields.remove("lastTransitionTime");
                }
                // Who wrote first decides about the order.
                conditions.sort_by_key(|condition| condition["type"].to_string());
            }
            if let Some(fields) = status.as_object_mut() {
                fields.remove("lastUpdated");
            }
            let name = object["metadata"]["name"].as_str().unwrap_or_default();
            state.insert(format!("{kind} {name}"), status);
        }
    }
    Ok(state)
}
