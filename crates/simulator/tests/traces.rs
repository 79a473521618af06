//! Golden rollouts of Cluster API's own planner, from their first state to their end.

mod fleet;

use capi_policy::Kind;
use capi_policy::outcome::{Evaluation, OwnerStep};
use capi_policy_corpus::Case;
use capi_policy_simulator::{Simulation, State, Steady};
use fleet::{CLUSTER, NAMESPACE, cluster, condition, now, simulation};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// In these traces nobody but the controllers does anything after the first state, and each of them gets its turn: with
/// `OnDelete` a user deletes machines, and `random` leaves turns out.
fn is_undisturbed(trace: &[Case]) -> bool {
    let on_delete = |step: &Case| step.input["machineDeployment"]["spec"]["rollout"]["strategy"]["type"] == "OnDelete";
    !trace.iter().any(|step| on_delete(step) || step.id.contains("random"))
}

/// A trace's steps have its id and a number of their own.
fn traces() -> Vec<Vec<Case>> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/v1.14/MachineDeploymentTrace.jsonl.gz");
    let steps = capi_policy_corpus::read(&path).expect("traces");
    let id = |step: &Case| step.id.rsplit_once('-').map(|(id, _)| id.to_owned());
    steps.chunk_by(|a, b| id(a) == id(b)).map(<[Case]>::to_vec).collect()
}

/// What the planner decided: replicas and annotations of each MachineSet, and its notes.
#[derive(Debug, PartialEq)]
struct Planned {
    sets: BTreeMap<String, (i64, BTreeMap<String, String>)>,
    notes: BTreeMap<String, Vec<String>>,
}

/// Annotations that are no part of the traces.
const NOT_TRACED: &[&str] =
    &["machinedeployment.clusters.x-k8s.io/desired-replicas", "machinedeployment.clusters.x-k8s.io/max-replicas"];

#[test]
fn undisturbed_rollouts_are_planned_as_they_went() {
    let traces = traces();
    let undisturbed: Vec<_> = traces.iter().filter(|trace| is_undisturbed(trace)).collect();
    for trace in &undisturbed {
        assert_eq!(ours(trace), recorded(trace), "{}", trace[0].id);
    }
    assert_eq!(undisturbed.len(), 18, "of {}", traces.len());
}

/// The recorded steps that change anything.
fn recorded(trace: &[Case]) -> Vec<Planned> {
    let changing = trace.iter().filter(|step| {
        let before: BTreeMap<_, _> = list(&step.input["machineSets"])
            .iter()
            .map(|set| {
                (
                    text(&set["metadata"]["name"]),
                    (set["spec"]["replicas"].clone(), texts(&set["metadata"]["annotations"])),
                )
            })
            .collect();
        list(&step.expected["machineSets"])
            .iter()
            .any(|set| before.get(&text(&set["name"])) != Some(&(set["replicas"].clone(), texts(&set["annotations"]))))
    });
    changing
        .map(|step| Planned {
            sets: list(&step.expected["machineSets"])
                .iter()
                .map(|set| {
                    (text(&set["name"]), (set["replicas"].as_i64().expect("a number"), texts(&set["annotations"])))
                })
                .collect(),
            notes: step.expected["notes"]
                .as_object()
                .expect("notes")
                .iter()
                .map(|(set, notes)| (set.clone(), list(notes).iter().map(text).collect()))
                .collect(),
        })
        .collect()
}

/// The steps that a plan from the first state takes.
fn ours(trace: &[Case]) -> Vec<Planned> {
    let input = &trace[0].input;
    let known = list(&input["machineSets"]).len();
    let mut simulation = start(trace);
    let mut planned = Vec::new();
    let mut kept = Kept::default();
    simulation
        .run(now().plus(3_600), &mut |state, subject, evaluation| {
            if subject.kind == Kind::MachineDeployment {
                planned.extend(decided(state, evaluation, known, &mut kept));
            }
        })
        .expect("decisions");
    planned
}

/// Annotations of MachineSets: in the traces they stay, unless the planner overwrites them.
type Kept = BTreeMap<String, BTreeMap<String, String>>;

fn decided(state: &mut State, evaluation: &Evaluation, known: usize, kept: &mut Kept) -> Option<Planned> {
    let new = kept.keys().filter(|name| name.starts_with("md-")).count() + 1;
    let actual = |name: &str| if name == "<new>" { format!("md-{new}") } else { name.to_owned() };
    let traced = |name: &str| match actual(name).strip_prefix("md-").and_then(|number| number.parse::<usize>().ok()) {
        Some(number) => format!("ms{}", known + number),
        None => name.to_owned(),
    };
    let (mut planned, mut changes) = (Planned { sets: BTreeMap::new(), notes: BTreeMap::new() }, false);
    for step in evaluation.owner_actions.iter().flat_map(|action| &action.steps) {
        let OwnerStep::ApplyMachineSet { machine_set, created, from, replicas, notes, .. } = step else { continue };
        let object = fleet::object(Kind::MachineSet, &actual(machine_set));
        let Some(stored) = state.get(&object) else { continue };
        let before = kept.get(&object.name).cloned();
        let mut annotations = before.clone().unwrap_or_default();
        annotations.extend(texts(&stored["metadata"]["annotations"]));
        changes |= *created || from != replicas || before.as_ref() != Some(&annotations);
        kept.insert(object.name, annotations.clone());
        let written = annotations.into_iter().filter(|(key, _)| !NOT_TRACED.contains(&&**key));
        let written = written.map(|(key, value)| (key, value.split(',').map(&traced).collect::<Vec<_>>().join(",")));
        let name = traced(machine_set);
        let notes = notes.iter().skip(usize::from(*created));
        let notes: Vec<_> = notes.map(|note| note.split(' ').map(&traced).collect::<Vec<_>>().join(" ")).collect();
        if !notes.is_empty() {
            planned.notes.insert(name.clone(), notes);
        }
        planned.sets.insert(name, (*replicas, written.collect()));
    }
    if changes {
        for (name, annotations) in kept {
            let set = fleet::object(Kind::MachineSet, name);
            state.edit(&set, |set| set["metadata"]["annotations"] = json!(annotations)).expect("a MachineSet");
        }
    }
    changes.then_some(planned)
}

/// The first state with what the traces leave out: owners, the Cluster, and Nodes that are ready at once.
fn start(trace: &[Case]) -> Simulation<Steady> {
    let input = &trace[0].input;
    let mut deployment = object(&input["machineDeployment"], "MachineDeployment");
    deployment["spec"]["clusterName"] = json!(CLUSTER);
    let mut objects = vec![cluster(), deployment];
    for set in list(&input["machineSets"]) {
        let mut set = object(set, "MachineSet");
        set["metadata"]["ownerReferences"] = json!([fleet::owner("cluster.x-k8s.io", "MachineDeployment", "md")]);
        set["metadata"]["labels"]["machine-template-hash"] = set["metadata"]["name"].clone();
        set["spec"]["clusterName"] = json!(CLUSTER);
        objects.push(set);
    }
    for machine in list(&input["machines"]) {
        let mut machine = object(machine, "Machine");
        let set = text(&machine["metadata"]["ownerReferences"][0]["name"]);
        machine["metadata"]["ownerReferences"] = json!([fleet::owner("cluster.x-k8s.io", "MachineSet", &set)]);
        machine["spec"]["clusterName"] = json!(CLUSTER);
        let name = machine["metadata"]["name"].clone();
        machine["spec"]["infrastructureRef"] =
            json!({ "apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "DockerMachine", "name": name });
        machine["spec"]["bootstrap"]["dataSecretName"] = json!("s");
        machine["status"] = json!({
            "nodeRef": { "name": name }, "initialization": { "infrastructureProvisioned": true, "bootstrapDataSecretCreated": true },
            "conditions": [condition("InfrastructureReady", true), condition("BootstrapConfigReady", true), condition("NodeReady", true)],
        });
        objects.push(machine);
    }
    let mut simulation = simulation(objects, Steady { boot_seconds: 0, drain_seconds: 0, update_seconds: 0 });
    let sets: Vec<_> = (1..9).flat_map(|i| [format!("ms{i}"), format!("md-{i}")]).collect();
    let can = if trace[0].input["canUpdateInPlace"] == true { sets } else { Vec::new() };
    let deployment = fleet::subject(Kind::MachineDeployment, "md");
    simulation
        .state
        .observe(&deployment, |observed| {
            *observed = json!({ "featureGates": { "inPlaceUpdates": true }, "canUpdateInPlace": can });
        })
        .expect("facts");
    simulation
}

/// A template that makes machines which are ready at once, in all versions alike.
fn object(traced: &Value, kind: &str) -> Value {
    let mut object = traced.clone();
    object["apiVersion"] = json!("cluster.x-k8s.io/v1beta2");
    object["kind"] = json!(kind);
    let name = text(&object["metadata"]["name"]);
    object["metadata"]["name"] = json!(name);
    object["metadata"]["namespace"] = json!(NAMESPACE);
    object["metadata"]["uid"] = json!(format!("uid-{name}"));
    object["metadata"]["generation"] = json!(1);
    if kind != "Machine" {
        object["spec"]["template"]["spec"]["infrastructureRef"] =
            json!({ "apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "DockerMachineTemplate", "name": "t" });
        object["spec"]["template"]["spec"]["bootstrap"]["dataSecretName"] = json!("s");
    }
    object
}

/// The traces' MachineSets delete machines in the order of their numbers, real ones in the order of their names: with two
/// digits both are the same. Lists of machines are sorted by name.
fn two_digits(text: &str) -> String {
    let number = |name: &str| name.strip_prefix('m').and_then(|number| number.parse::<u8>().ok());
    let words = text.split(' ').map(|word| {
        let mut names: Vec<_> = word
            .split(',')
            .map(|name| number(name).map_or_else(|| name.to_owned(), |number| format!("m{number:02}")))
            .collect();
        if word.split(',').all(|name| number(name).is_some()) {
            names.sort_unstable();
        }
        names.join(",")
    });
    words.collect::<Vec<_>>().join(" ")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> String {
    two_digits(value.as_str().unwrap_or_default())
}

fn texts(value: &Value) -> BTreeMap<String, String> {
    value.as_object().into_iter().flatten().map(|(key, value)| (key.clone(), text(value))).collect()
}
