//! Rollouts and remediations from beginning to end.

mod fleet;

use capi_policy_simulator::Simulation;
use fleet::{
    STEADY, cluster, control_plane, control_plane_machine, health_check, machine, machine_deployment, machine_set, now,
    owner, simulation,
};
use serde_json::{Value, json};

fn lines<M: capi_policy_simulator::Model>(simulation: &mut Simulation<M>) -> Vec<String> {
    simulation.run(now().plus(86_400), &mut |_, _, _| {}).expect("decisions");
    let steps = simulation.take_steps();
    steps.iter().map(|step| format!("{:>5} {}", step.time.since(now()), step.change.line())).collect()
}

fn workers(old: &str, healthy: impl Fn(usize) -> bool, count: usize) -> Vec<Value> {
    let set = owner("cluster.x-k8s.io", "MachineSet", "md-old");
    (1..=count).map(|i| machine(&format!("m{i}"), &set, old, healthy(i))).collect()
}

#[test]
fn a_surge_of_one_replaces_one_machine_after_the_other() {
    let mut objects =
        vec![cluster(), machine_deployment(2, "v1.34.0", &json!(1), &json!(0)), machine_set("md-old", 2, "v1.33.0")];
    objects.extend(workers("v1.33.0", |_| true, 2));
    let lines = lines(&mut simulation(objects, STEADY));
    let expected = [
        "    0 MachineSet md-1 created with 1 replicas",
        "    0 machine md-1-1 created",
        "  300 machine md-1-1 is up",
        "  300 MachineSet md-old scaled from 2 to 1",
        "  300 machine m1 deleted",
        "  360 machine m1 is gone",
        "  360 MachineSet md-1 scaled from 1 to 2",
        "  360 machine md-1-2 created",
        "  660 machine md-1-2 is up",
        "  660 MachineSet md-old scaled from 1 to 0",
        "  660 machine m2 deleted",
        "  720 machine m2 is gone",
        "  720 MachineSet md-old deleted",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn an_unhealthy_machine_is_replaced() {
    let mut objects = vec![
        cluster(),
        health_check(),
        machine_deployment(2, "v1.33.0", &json!(1), &json!(0)),
        machine_set("md-old", 2, "v1.33.0"),
    ];
    objects.extend(workers("v1.33.0", |i| i != 2, 2));
    let lines = lines(&mut simulation(objects, STEADY));
    let expected = [
        "    0 machine m2 marked for remediation",
        "    0 machine m2 deleted",
        "   60 machine m2 is gone",
        "   60 machine md-old-1 created",
        "  360 machine md-old-1 is up",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_control_plane_is_rolled_out_with_its_members_of_etcd() {
    let mut objects = vec![cluster(), control_plane(3, "v1.34.0", 1)];
    objects.extend((1..=3).map(|i| control_plane_machine(&format!("cp{i}"), "v1.33.0", true)));
    let lines = lines(&mut simulation(objects, STEADY));
    let expected = [
        "    0 machine kcp-1 created",
        "  300 machine kcp-1 is up",
        "  300 etcd leadership moved from cp1 to kcp-1",
        "  300 machine cp1 deleted",
        "  360 etcd member cp1 removed",
        "  360 machine cp1 is gone",
        "  360 machine kcp-2 created",
        "  660 machine kcp-2 is up",
        "  660 machine cp2 deleted",
        "  720 etcd member cp2 removed",
        "  720 machine cp2 is gone",
        "  720 machine kcp-3 created",
        " 1020 machine kcp-3 is up",
        " 1020 machine cp3 deleted",
        " 1080 etcd member cp3 removed",
        " 1080 machine cp3 is gone",
    ];
    assert_eq!(lines, expected);
}
