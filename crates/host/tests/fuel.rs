//! How much work each decision is, in WebAssembly instructions: the same on every machine, so growth can be seen.

#[path = "../../../tests/case_file/mod.rs"]
#[allow(dead_code, reason = "only the snapshots are used here")]
mod case_file;

use capi_policy_corpus::synthetic;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use wasmtime::component::{Component, ComponentExportIndex, Instance, InstancePre, Linker, TypedFunc};
use wasmtime::{Config, Engine, Store};

/// By how much a decision may become more expensive before somebody has to agree.
const TOLERATED_PERCENT: u64 = 5;
const ENOUGH: u64 = u64::MAX / 2;

type Evaluate = TypedFunc<(String,), (Result<String, String>,)>;
type LookAhead = TypedFunc<(String, String), (Result<String, String>,)>;

/// `benches/fuel.toml`: instructions by the name of the case.
#[derive(Deserialize, Serialize)]
struct Baseline {
    instructions: BTreeMap<String, u64>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every case, and fleets of the sizes that the benchmark has.
fn snapshots() -> BTreeMap<String, String> {
    let mut snapshots = BTreeMap::new();
    for file in case_file::read_all(&root().join("tests/cases")) {
        for case in file.cases {
            snapshots.insert(format!("{}: {}", file.name, case.note), case.snapshot().to_string());
        }
    }
    for machines in [10, 1_000, 10_000] {
        let fleets = [
            ("MachineDeployment", synthetic::machine_deployment(machines)),
            ("MachineHealthCheck", synthetic::machine_health_check(machines)),
        ];
        for (kind, snapshot) in fleets {
            snapshots.insert(format!("{kind} with {machines} machines"), snapshot.to_string());
        }
    }
    snapshots
}

/// The policy, which counts its instructions.
struct Counting {
    engine: Engine,
    policy: InstancePre<()>,
    json: ComponentExportIndex,
}

impl Counting {
    fn load() -> Self {
        let engine = Engine::new(Config::new().consume_fuel(true)).expect("an engine");
        let file = root().join("dist/capi_policy.wasm");
        let component = Component::from_file(&engine, file).expect("the policy; `cargo xtask artifact` makes it");
        let policy = Linker::<()>::new(&engine).instantiate_pre(&component).expect("no imports");
        let (_, json) = component.get_export(None, "capi:policy/json@0.2.0").expect("the interface");
        Self { engine, policy, json }
    }

    /// What a call of a fresh instance uses up.
    fn used(&self, function: &str, call: impl FnOnce(&mut Store<()>, &Instance, ComponentExportIndex)) -> u64 {
        let (_, function) = self.policy.component().get_export(Some(&self.json), function).expect("the function");
        let mut store = Store::new(&self.engine, ());
        store.set_fuel(ENOUGH).expect("fuel");
        let instance = self.policy.instantiate(&mut store).expect("an instance");
        call(&mut store, &instance, function);
        ENOUGH - store.get_fuel().expect("fuel")
    }

    fn evaluation(&self, snapshot: String) -> u64 {
        self.used("evaluate", |store, instance, function| {
            let evaluate: Evaluate = instance.get_typed_func(&mut *store, function).expect("its type");
            evaluate.call(store, (snapshot,)).expect("an answer").0.ok();
        })
    }

    fn forecast(&self, snapshot: String, until: &str) -> u64 {
        self.used("forecast", |store, instance, function| {
            let forecast: LookAhead = instance.get_typed_func(&mut *store, function).expect("its type");
            forecast.call(store, (snapshot, until.to_owned())).expect("an answer").0.expect("a forecast");
        })
    }
}

/// What a fresh instance uses up for each snapshot.
fn measure() -> BTreeMap<String, u64> {
    let policy = Counting::load();
    snapshots().into_iter().map(|(name, snapshot)| (name, policy.evaluation(snapshot))).collect()
}

/// A health check whose Nodes all could not be read, and one whose Nodes all went down a minute ago.
#[test]
fn a_bad_day_costs_as_much_a_machine_as_a_good_one() {
    let policy = Counting::load();
    let unread = |machines: usize| {
        let mut snapshot = synthetic::machine_health_check(machines);
        let names: Vec<_> = (0..machines).map(|i| synthetic::machine(i)["status"]["nodeRef"]["name"].clone()).collect();
        snapshot["observed"] = json!({ "nodeReadErrors": names });
        policy.evaluation(snapshot.to_string())
    };
    let down = |machines: usize| {
        let mut snapshot = synthetic::machine_health_check(machines);
        snapshot["machineHealthCheck"]["spec"]["remediation"] = json!({});
        for node in snapshot["nodes"].as_array_mut().expect("Nodes") {
            let ready = json!({ "type": "Ready", "status": "False", "lastTransitionTime": synthetic::NOW });
            node["status"]["conditions"] = json!([ready]);
        }
        policy.forecast(snapshot.to_string(), "2999-01-01T00:00:00Z")
    };
    for (what, of) in [("unread", &unread as &dyn Fn(usize) -> u64), ("down", &down)] {
        let (few, many) = (of(300), of(3_000));
        assert!(many <= few * 11, "{what}: {few} for 300 machines, {many} for 3,000");
    }
}

#[test]
fn no_decision_has_become_more_expensive() {
    let path = root().join("benches/fuel.toml");
    let now = measure();
    if std::env::var_os("ACCEPT_FUEL").is_some() {
        let text = toml::to_string(&Baseline { instructions: now }).expect("TOML");
        let about = "# WebAssembly instructions per decision. `cargo xtask fuel` measures and accepts them anew.\n\n";
        return fs::write(&path, format!("{about}{text}")).expect("written");
    }
    for kind in ["MachineDeployment", "MachineHealthCheck"] {
        let of = |machines: u32| now[&format!("{kind} with {machines} machines")];
        assert!(of(10_000) <= of(1_000) * 11, "{kind}: {} for 1,000 machines, {} for 10,000", of(1_000), of(10_000));
    }
    let text = fs::read_to_string(&path).expect("benches/fuel.toml; `cargo xtask fuel` makes it");
    let before = toml::from_str::<Baseline>(&text).expect("TOML").instructions;
    let grown: Vec<_> = now
        .iter()
        .filter_map(|(name, now)| match before.get(name) {
            None => Some(format!("{name}: {now}, not known before")),
            Some(before) if now * 100 > before * (100 + TOLERATED_PERCENT) => {
                Some(format!("{name}: {before} -> {now}"))
            }
            Some(_) => None,
        })
        .collect();
    assert!(
        grown.is_empty(),
        "{} decisions take over {TOLERATED_PERCENT} % more instructions; `cargo xtask fuel` accepts that:\n{}",
        grown.len(),
        grown.join("\n")
    );
}
