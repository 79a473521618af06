use crate::command::{policy, run};
use sha2::{Digest, Sha256};
use std::fs;

#[test]
fn a_policy_says_what_it_is() {
    let bytes = fs::read(policy()).expect("the policy");
    let hex: Vec<_> = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let facts = run(&["inspect", &policy(), "-o", "json"]).json();
    assert_eq!(facts["name"], "capi-policy");
    assert_eq!(facts["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(facts["digest"], format!("sha256:{}", hex.concat()));
    assert_eq!(facts["bytes"], bytes.len());
    assert_eq!(facts["imports"], serde_json::json!([]));
    assert_eq!(facts["profiles"], serde_json::json!(["documented", "cluster-api-v1.13", "cluster-api-v1.14"]));
    let exports: Vec<_> = facts["exports"].as_array().expect("exports").iter().filter_map(|e| e.as_str()).collect();
    for interface in ["evaluator", "json", "catalog"] {
        assert!(exports.contains(&&*format!("capi:policy/{interface}@0.2.0")), "{exports:?}");
    }
    let tables = facts["tables"].as_array().expect("tables");
    assert_eq!(tables.len(), capi_policy::catalog::tables().len());
}

#[test]
fn for_people_there_is_a_table() {
    run(&["inspect"]).says(
        0,
        &["imports      none", "digest       sha256:", "capi:policy/json@0.2.0", "MHC-RA", "RemediationAllowed"],
    );
}

#[test]
fn something_else_is_refused() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), "not wasm").expect("a file");
    run(&["inspect", &file.path().display().to_string()]).says(2, &["not a policy"]);
}
