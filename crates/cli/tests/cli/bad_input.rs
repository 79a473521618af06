//! Input that can't be read: exit code 2, and a sentence that says what to do.

use crate::command::{NOW, command, finish, fleet, policy, run, run_with};
use std::fs;

fn evaluate(input: &str) -> crate::command::Run {
    run_with(input, &["evaluate", "-f", "-"])
}

#[test]
fn files_that_are_not_there_or_hold_nothing() {
    run(&["evaluate", "-f", "nowhere.yaml"]).says(2, &["error: nowhere.yaml: No such file"]);
    let folder = tempfile::tempdir().expect("a folder");
    run(&["evaluate", "-f", &folder.path().display().to_string()]).says(2, &["no objects in", "kubectl get"]);
    evaluate("").says(2, &["no objects in -"]);
    evaluate("---\n---\n").says(2, &["no objects in -"]);
}

#[test]
fn text_that_is_neither_yaml_nor_json() {
    evaluate("a: [1, 2").says(2, &["standard input is neither YAML nor JSON", "line"]);
    evaluate("{\"kind\": ").says(2, &["standard input is neither YAML nor JSON"]);
    evaluate("just words").says(2, &["document 1 is neither a Kubernetes object"]);
    evaluate("apiVersion: v1\nkind: Node\n").says(2, &["it has apiVersion, kind"]);
}

#[test]
fn objects_that_no_policy_decides_about() {
    evaluate(r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}}"#)
        .says(2, &["none of the 1 objects can be evaluated; the policy knows Cluster, KubeadmControlPlane"]);
    run(&["evaluate", "-f", &fleet(), "machine/nobody"])
        .says(2, &["nothing is called machine/nobody; there is:", "Cluster prod/blue"]);
}

#[test]
fn one_bad_object_does_not_keep_the_others_back() {
    let check = |name: &str, range: &str| {
        format!(
            r#"{{"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"MachineHealthCheck","metadata":{{"name":"{name}","namespace":"ns"}},"spec":{{"clusterName":"c","remediation":{{"triggerIf":{{"unhealthyInRange":"{range}"}}}}}}}}"#
        )
    };
    let cluster =
        r#"{"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"Cluster","metadata":{"name":"c","namespace":"ns"}}"#;
    let run = evaluate(&format!("{}\n{}\n{cluster}", check("bad", "[5-3]"), check("good", "[1-2]")));
    run.says(
        2,
        &[
            "MachineHealthCheck ns/good",
            "MachineHealthCheck ns/bad: machineHealthCheck.spec.remediation.triggerIf.unhealthyInRange: expected",
            "[5-3]",
        ],
    );
}

#[test]
fn times_that_are_none() {
    run(&["evaluate", "-f", &fleet(), "--now", "yesterday"])
        .says(2, &["\"yesterday\" is no time; write it like 2026-01-15T12:30:00Z"]);
    run(&["forecast", "-f", &fleet(), "--until", "soon"]).says(2, &["\"soon\" is neither a duration like 2h"]);
    run(&["evaluate", "-f", &fleet(), "--profile", "strict"]).says(2, &["documented, cluster-api"]);
}

#[test]
fn policies_that_are_none() {
    let evaluate = |policy: &str| run(&["evaluate", "-f", &fleet(), "--now", NOW, "--policy", policy]);
    evaluate("nowhere.wasm").says(2, &["policy nowhere.wasm: give a file made by `cargo xtask artifact`"]);
    evaluate("oci://").says(2, &["expected oci://registry/name:tag"]);
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), b"\0asm\x01\0\0\0").expect("a file");
    evaluate(&file.path().display().to_string()).says(2, &["not a policy"]);
}

#[test]
fn without_a_policy_the_error_says_where_it_was_looked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("capi-policy");
    fs::copy(env!("CARGO_BIN_EXE_capi-policy"), &program).expect("a copy");
    let mut alone = std::process::Command::new(&program);
    alone.args(["evaluate", "-f", &fleet(), "--now", NOW]).current_dir(folder.path()).env_remove("CAPI_POLICY");
    finish(&mut alone).says(2, &["no policy: there is no dist/capi_policy.wasm here", "--policy FILE", "CAPI_POLICY"]);
    fs::copy(policy(), folder.path().join("capi_policy.wasm")).expect("a copy");
    finish(&mut alone).says(0, &["21 objects"]);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child = command(&["evaluate", "-f", &fleet(), "--now", NOW, "-o", "json"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("starts");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("ends").code(), Some(0));
}
