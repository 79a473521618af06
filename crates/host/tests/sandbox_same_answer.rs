//! The component's `evaluator` and `json` and the library give the same answer: over every case and the whole corpus.

#[path = "../../../tests/case_file/mod.rs"]
#[allow(dead_code, reason = "only the snapshots are used here")]
mod case_file;
mod policies;
mod typed_json;

use capi_policy::{Kind, Snapshot};
use capi_policy_host::{Engine, EngineError, NativeEngine, PolicyEngine};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Far enough for every timeout to run out.
const UNTIL: &str = "2100-01-01T00:00:00Z";

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

/// Every snapshot there is, with a name.
fn snapshots() -> Vec<(String, String)> {
    let mut snapshots = Vec::new();
    for file in case_file::read_all(&tests().join("cases")) {
        for case in file.cases {
            snapshots.push((format!("{}: {}", file.name, case.note), case.snapshot().to_string()));
        }
    }
    let recorded = capi_policy_corpus::read_all(&tests().join("conformance")).expect("the corpus");
    snapshots.extend(recorded.iter().map(|case| (case.id.clone(), case.snapshot().to_string())));
    assert!(snapshots.len() > 1_000, "only {} snapshots", snapshots.len());
    snapshots
}

#[test]
fn evaluator_json_and_library_agree() {
    let component = policies::load_real();
    for (name, snapshot) in snapshots() {
        let native = outcome(NativeEngine.evaluate(&snapshot));
        assert_eq!(outcome(component.evaluate(&snapshot)), native, "{name}: json differs from the library");
        if let Some(kind) = kind(&snapshot) {
            let typed = typed(&component, kind, &snapshot).map_err(|error| error.to_string());
            assert_eq!(typed, parsed(native), "{name}: evaluator differs from json");
        }
    }
}

#[test]
fn forecasts_agree() {
    let component = policies::load_real();
    for (name, snapshot) in snapshots() {
        let native = outcome(NativeEngine.forecast(&snapshot, UNTIL));
        assert_eq!(outcome(component.forecast(&snapshot, UNTIL)), native, "{name}: json differs from the library");
        let typed = component.forecast_typed(&snapshot, UNTIL).map(|forecast| typed_json::forecast(&forecast));
        assert_eq!(typed.map_err(|error| error.to_string()), parsed(native), "{name}: evaluator differs from json");
    }
}

#[test]
fn catalogs_agree() {
    let component = policies::load_real();
    let native = NativeEngine.catalog().expect("a catalog");
    assert_eq!(component.catalog().expect("a catalog"), native);

    let native: Value = serde_json::from_str(&native).expect("JSON");
    let description = component.describe().expect("a description");
    for (field, value) in typed_json::description(&description).as_object().into_iter().flatten() {
        assert_eq!(native[field], *value, "{field}");
    }
    let tables: Value = component.tables().expect("tables").iter().map(typed_json::table).collect();
    assert_eq!(native["tables"], tables);
}

#[test]
fn a_function_refuses_another_kind() {
    let snapshot = r#"{"kind":"Machine","now":"2025-01-01T00:00:00Z","machine":{"metadata":{"name":"m"}}}"#;
    let error = policies::load_real().evaluate_machine_deployment(snapshot).expect_err("another kind");
    assert_eq!(error.to_string(), "kind: expected MachineDeployment, found Machine");
}

/// The kind that a snapshot is about. One that can't be read is the same for every function; one without an object is
/// not, so there is nothing to compare.
fn kind(snapshot: &str) -> Option<Kind> {
    Snapshot::parse(snapshot).map_or(Some(Kind::Machine), |snapshot| snapshot.kind().ok())
}

fn typed(engine: &PolicyEngine, kind: Kind, snapshot: &str) -> Result<Value, EngineError> {
    typed_json::evaluate(&mut engine.session()?, kind, snapshot)
}

fn outcome(answer: Result<String, EngineError>) -> Result<String, String> {
    answer.map_err(|error| error.to_string())
}

fn parsed(answer: Result<String, String>) -> Result<Value, String> {
    answer.map(|text| serde_json::from_str(&text).expect("JSON"))
}
