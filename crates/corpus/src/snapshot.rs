//! A recorded input as a snapshot: objects stay where they are, facts move into `observed`.

use crate::{Case, families};
use serde_json::{Map, Value, json};

/// Fields of an input that hold objects. Everything else is a fact.
const OBJECTS: &[&str] = &[
    "bootstrapConfig",
    "bootstrapTemplate",
    "cluster",
    "clusterClass",
    "controlPlane",
    "infraCluster",
    "infraMachine",
    "infraMachinePool",
    "infraMachines",
    "kubeadmConfigs",
    "kubeadmControlPlane",
    "machine",
    "machineDeployment",
    "machineDeployments",
    "machineHealthCheck",
    "machinePool",
    "machinePools",
    "machineSet",
    "machineSets",
    "machines",
    "node",
    "nodes",
    "otherMachineSets",
    "owningMachineDeployment",
    "pods",
    "owningMachineSet",
    "remediationRequests",
    "remediationTemplate",
];

/// Facts that have another name in a snapshot.
const RENAMED: &[(&str, &str)] = &[
    ("bootstrapConfigIsNotFound", "bootstrapConfigNotFound"),
    ("bootstrapObjectNotFound", "bootstrapTemplateNotFound"),
    ("controlPlaneIsNotFound", "controlPlaneNotFound"),
    ("getAndAdoptMachineSetsForDeploymentSucceeded", "machineSetsListed"),
    ("getAndAdoptMachinesForMachineSetSucceeded", "machinesListed"),
    ("getDescendantsSucceeded", "descendantsListed"),
    ("infraClusterIsNotFound", "infraClusterNotFound"),
    ("infraMachineIsNotFound", "infraMachineNotFound"),
    ("infraMachineTemplateIsNotFound", "infrastructureTemplateNotFound"),
    ("infrastructureObjectNotFound", "infrastructureTemplateNotFound"),
    ("nodeGetErrors", "nodeReadErrors"),
];

pub fn of(case: &Case) -> Value {
    let mut snapshot = Map::new();
    let family = families::named(&case.kind);
    snapshot.insert("kind".to_owned(), json!(family.map_or(&*case.kind, |family| family.kind)));
    snapshot.insert("now".to_owned(), json!(case.now));
    snapshot.insert("profile".to_owned(), json!(case.profile));
    let assumed = family.map_or(&[][..], |family| family.assumed);
    let mut observed: Map<String, Value> = assumed.iter().map(|fact| ((*fact).to_owned(), json!(false))).collect();
    for (field, value) in case.input.as_object().into_iter().flatten() {
        if OBJECTS.contains(&&**field) {
            snapshot.insert(field.clone(), value.clone());
        } else {
            let name = RENAMED.iter().find(|(recorded, _)| recorded == field).map_or(&**field, |(_, name)| name);
            observed.insert(name.to_owned(), value.clone());
        }
    }
    families::owners::prepare(case, &mut snapshot, &mut observed);
    snapshot.insert("observed".to_owned(), Value::Object(observed));
    if let Some(family) = family {
        (family.adjust)(&mut snapshot);
    }
    Value::Object(snapshot)
}
