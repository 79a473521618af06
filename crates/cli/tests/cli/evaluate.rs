use crate::command::{NOW, command, finish, fleet, path, run, run_with};
use serde_json::{Value, json};
use std::fs;

const DELETING: &str = r#"{
    "now": "2025-01-01T00:00:00Z",
    "machineDeployment": { "metadata": { "name": "md-0", "namespace": "ns", "generation": 3, "deletionTimestamp": "2025-01-01T00:00:00Z" } },
    "machineSets": [{ "metadata": { "name": "ms-1", "namespace": "ns" } }]
}"#;

fn evaluate_fleet(arguments: &[&str]) -> Value {
    run(&[&["evaluate", "-f", &fleet(), "--now", NOW, "-o", "json"], arguments].concat()).json()
}

#[test]
fn the_table_of_the_fleet_shows_what_needs_attention_and_counts_the_rest() {
    let run = run(&["evaluate", "-f", &fleet(), "--now", NOW]);
    run.says(
        0,
        &[
            "CONDITION",
            "STATUS",
            "REASON",
            "MESSAGE",
            "ROW",
            "MachineDeployment prod/blue-old",
            "MD-DEL-5",
            "Deleting 1 Machine",
            "MachineHealthCheck prod/blue-gpu",
            "TooManyUnhealthy",
            "MHC-RA-3",
            "· blue-workers-7d9c5-h7w4c  waiting",
            "unhealthy in 2m1s",
            "As they should be",
            "prod/blue-cp-4hx9k",
            "21 objects, 15 with something to look at",
        ],
    );
    assert_eq!(
        run.stderr,
        "note: objects refer to DockerMachineTemplate, KubeadmConfigTemplate and the input has none: what the objects last said \
         about them counts; add them with another -f\n"
    );
    let widest = run.stdout.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(120), "{widest:?} columns");
}

#[test]
fn colour_is_for_terminals() {
    let table = |name: &str, value: &str| {
        finish(command(&["evaluate", "-f", &fleet(), "--now", NOW]).env(name, value)).stdout.contains('\u{1b}')
    };
    assert!(!table("TERM", "xterm-256color"), "a pipe is no terminal");
    assert!(table("CLICOLOR_FORCE", "1"));
    let both =
        finish(command(&["evaluate", "-f", &fleet(), "--now", NOW]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1"));
    assert!(!both.stdout.contains('\u{1b}'));
}

#[test]
fn every_object_of_a_known_kind_is_evaluated() {
    let all = evaluate_fleet(&[]);
    let mut counts = std::collections::BTreeMap::new();
    for evaluation in all.as_array().expect("a list") {
        assert_eq!((&evaluation["now"], &evaluation["profile"]), (&json!(NOW), &json!("documented")));
        *counts.entry(evaluation["kind"].as_str().expect("a kind")).or_insert(0) += 1;
    }
    let expected = [
        ("Cluster", 1),
        ("KubeadmControlPlane", 1),
        ("Machine", 11),
        ("MachineDeployment", 3),
        ("MachineHealthCheck", 2),
        ("MachineSet", 3),
    ];
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn a_health_check_judges_its_own_machines() {
    let evaluation = &evaluate_fleet(&["mhc/blue-workers"])[0];
    let machines = evaluation["machines"].as_array().expect("machines");
    let verdicts: Vec<_> = machines.iter().map(|m| (m["name"].as_str(), m["verdict"].as_str())).collect();
    let name = |end: &str| format!("blue-workers-7d9c5-{end}");
    let expected = [
        ("2fl8s", "healthy"),
        ("9kqzd", "unhealthy"),
        ("h7w4c", "waiting"),
        ("nx5rb", "waiting"),
        ("vp3jm", "healthy"),
    ];
    let expected: Vec<_> = expected.iter().map(|(end, verdict)| (name(end), *verdict)).collect();
    assert_eq!(verdicts, expected.iter().map(|(n, v)| (Some(&**n), Some(*v))).collect::<Vec<_>>());
}

#[test]
fn profile_and_time_are_those_asked_for() {
    let asked = ["--profile", "cluster-api", "--now", "2026-01-15T13:00:00+01:00", "-o", "json", "md/blue-old"];
    let evaluation = &run(&[&["evaluate", "-f", &fleet()], &asked[..]].concat()).json()[0];
    assert_eq!((&evaluation["profile"], &evaluation["now"]), (&json!("cluster-api-v1.14"), &json!(NOW)));
    let snapshot = |arguments: &[&str]| {
        run_with(DELETING, &[&["evaluate", "-f", "-", "-o", "json"], arguments].concat()).json()[0]["now"].clone()
    };
    assert_eq!(snapshot(&[]), json!("2025-01-01T00:00:00Z"));
    assert_eq!(snapshot(&["--now", NOW]), json!(NOW));
}

#[test]
fn one_object_is_shown_with_all_its_conditions() {
    let run = run_with(DELETING, &["evaluate", "-f", "-"]);
    run.says(0, &["MachineDeployment ns/md-0", "Deleting 1 MachineSets", "MD-DEL-6", "Remediating", "NotRemediating"]);
}

#[test]
fn a_list_in_json_and_many_files_in_folders_give_the_same_answer() {
    let expected = evaluate_fleet(&[]);
    let list: Value = serde_saphyr::from_str(&fs::read_to_string(fleet()).expect("the fleet")).expect("YAML");
    let from_json = run_with(&list.to_string(), &["evaluate", "-f", "-", "--now", NOW, "-o", "json"]).json();
    assert_eq!(from_json, expected);

    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("nested")).expect("a folder");
    let items = list["items"].as_array().expect("items");
    let (first, rest) = items.split_at(items.len() / 2);
    let documents: Vec<_> = first.iter().map(|item| serde_saphyr::to_string(item).expect("YAML")).collect();
    fs::write(folder.path().join("first.yaml"), format!("---\n{}", documents.join("\n---\n"))).expect("a file");
    for (i, item) in rest.iter().enumerate() {
        fs::write(folder.path().join(format!("nested/{i}.json")), item.to_string()).expect("a file");
    }
    fs::write(folder.path().join("README.md"), "not an object").expect("a file");
    let folder = folder.path().display().to_string();
    assert_eq!(run(&["evaluate", "-f", &folder, "--now", NOW, "-o", "json"]).json(), expected);
}

#[test]
fn a_typed_list_lends_its_items_their_kind() {
    let list = json!({ "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineList", "items": [{ "metadata": { "name": "m", "namespace": "ns" } }] });
    let evaluation = &run_with(&list.to_string(), &["evaluate", "-f", "-", "-o", "json"]).json()[0];
    assert_eq!((&evaluation["kind"], &evaluation["name"]), (&json!("Machine"), &json!("m")));
}

#[test]
fn yaml_says_the_same_as_json() {
    let yaml = run(&["evaluate", "-f", &fleet(), "--now", NOW, "-o", "yaml"]);
    let value: Value = serde_saphyr::from_str(&yaml.stdout).expect("YAML");
    assert_eq!(value, evaluate_fleet(&[]));
}

#[test]
fn snapshots_go_out_and_come_back_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("snapshots.json");
    let snapshots = run(&["evaluate", "-f", &fleet(), "--now", NOW, "--snapshots"]);
    fs::write(&file, snapshots.stdout).expect("a file");
    let again = run(&["evaluate", "-f", &file.display().to_string(), "-o", "json"]).json();
    assert_eq!(again, evaluate_fleet(&[]));
}

#[test]
fn files_of_cases_can_be_evaluated() {
    run(&["evaluate", "-f", &path("tests/cases/machine_deployment/deleting.yaml"), "--all"])
        .says(0, &["MD-DEL-6", "MD-DEL-7"]);
}
