use crate::command::{NOW, fleet, run};
use serde_json::Value;

const ROLLOUT: &[&str] = &["md/blue-workers", "--set", "spec.template.spec.version=v1.33.0"];

fn plan(arguments: &[&str]) -> Value {
    let run = run(&[&["plan", "-f", &fleet(), "--now", NOW, "-o", "json"], arguments].concat());
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}\n{}", run.stdout, run.stderr))
}

fn names(machines: &Value) -> Vec<&str> {
    let machines = machines.as_array().into_iter().flatten();
    machines.filter_map(|machine| machine["machine"].as_str().or(machine.as_str())).collect()
}

#[test]
fn a_rollout_names_the_machines_in_order_and_what_stays_available() {
    let plan = plan(ROLLOUT);
    let owner = &plan["owners"][0];
    assert_eq!((plan["owners"].as_array().map(Vec::len), &owner["owner"]["name"]), (Some(1), &"blue-workers".into()));
    assert_eq!(owner["done"], true, "{owner}");
    let expected = ["9kqzd", "1", "h7w4c", "2fl8s", "nx5rb", "vp3jm"].map(|end| format!("blue-workers-7d9c5-{end}"));
    assert_eq!(names(&owner["replaced"]), expected);
    assert_eq!((&owner["machines"]["after"], &owner["available"]["after"]), (&5.into(), &5.into()));
    assert_eq!(plan["end"], "2026-01-15T12:30:00Z");
    let up: Vec<_> =
        plan["steps"].as_array().into_iter().flatten().filter(|step| step["change"] == "machineUp").collect();
    assert!(up.iter().all(|step| step["machine"].is_string()) && up.len() >= 5, "{up:?}");
}

#[test]
fn slower_machines_take_longer() {
    let slow = plan(&[ROLLOUT, &["--boot", "10m"]].concat());
    assert_eq!(slow["end"], "2026-01-15T12:55:00Z");
}

#[test]
fn a_control_plane_keeps_its_quorum() {
    let plan = plan(&["kcp/blue-cp", "--set", "spec.version=v1.34.0"]);
    let owner = &plan["owners"][0];
    assert_eq!(owner["etcd"]["quorumHeld"], true);
    assert_eq!(names(&owner["replaced"]), ["blue-cp-4hx9k", "blue-cp-8w2tz", "blue-cp-qm6fv"]);
    assert_eq!(names(&owner["created"]), ["blue-cp-1", "blue-cp-2", "blue-cp-3"]);
}

#[test]
fn people_see_what_it_means_a_timeline_the_steps_and_what_was_assumed() {
    let fleet = fleet();
    let arguments = [&["plan", "-f", &fleet, "--now", NOW], ROLLOUT].concat();
    let run = run(&arguments);
    run.says(
        0,
        &[
            "MachineDeployment prod/blue-workers: done after 30m",
            "never fewer than",
            "━ available",
            "MachineSet blue-workers-1 created with 1 replicas",
            "Assumed",
            "new machines come up after 5m",
        ],
    );
}

#[test]
fn where_it_stops_and_why_is_said_and_the_exit_code_tells() {
    run(&["plan", "-f", &fleet(), "--now", NOW, "md/blue-gpu"]).says(
        1,
        &[
            "nothing happens, and it is not what it should be",
            "MachineHealthCheck prod/blue-gpu: Remediation is not allowed",
            "MHC-RA-3",
        ],
    );
}

#[test]
fn a_picture_is_an_svg_with_a_line_for_each_machine() {
    let run = run(&[&["plan", "-f", &fleet(), "--now", NOW, "-o", "svg"], ROLLOUT].concat());
    assert!(run.stdout.starts_with("<svg ") && run.stdout.trim_end().ends_with("</svg>"), "{}", run.stdout);
    assert!(run.stdout.contains(">blue-workers-1-1 (new)</text>"), "{}", run.stdout);
}

#[test]
fn what_can_not_be_planned_is_refused_with_a_remedy() {
    let refused = |arguments: &[&str], says: &str| {
        run(&[&["plan", "-f", &fleet(), "--now", NOW], arguments].concat()).says(2, &[says]);
    };
    refused(&["md/blue-workers", "--set", "replicas"], "as in spec.replicas=5");
    refused(&["--set", "spec.replicas=5"], "name a MachineDeployment");
    refused(&["md/blue-workers", "--boot", "soon"], "--boot: \"soon\" is no duration");
    refused(&["mhc/blue-workers"], "a plan is about MachineDeployments");
    refused(&["md/blue-workers", "--profile", "cluster-api-v1.13"], "plan by cluster-api-v1.14");
}
