use crate::command::{NOW, fleet, run};

#[test]
fn a_cluster_is_drawn_with_its_health_checks() {
    let run = run(&["tree", "-f", &fleet(), "--now", NOW, "blue"]);
    run.says(
        0,
        &[
            "Cluster blue",
            "control plane: KubeadmControlPlane",
            "workers: MachineDeployment",
            "health check: MachineHealthCheck blue-gpu",
        ],
    );
}

#[test]
fn each_line_has_condition_row_deadline_and_what_would_flip_it() {
    let trees = run(&["tree", "-f", &fleet(), "--now", NOW, "-o", "json", "prod/blue"]).json();
    let children = trees[0]["children"].as_array().expect("children");
    let checks = || children.iter().filter(|child| child["kind"] == "MachineHealthCheck");
    let check = checks().find(|child| child["name"] == "blue-gpu").expect("a health check");
    assert_eq!((&check["condition"], &check["status"]), (&"RemediationAllowed".into(), &"False".into()));
    assert_eq!(check["row"], "MHC-RA-3");
    let flips = check["flips"].as_str().expect("what would flip it");
    assert!(flips.contains("allowed again when 2 more machines are healthy"), "{flips}");
    let workers = checks().find(|child| child["name"] == "blue-workers").expect("a health check");
    assert_eq!(workers["deadline"], "2026-01-15T12:02:01Z");
    let machines: Vec<_> = workers["children"].as_array().expect("machines").iter().collect();
    assert_eq!(machines.len(), 5, "every machine has a line of its own: {machines:?}");
}

#[test]
fn a_cluster_that_is_not_there_is_named_with_those_that_are() {
    run(&["tree", "-f", &fleet(), "--now", NOW, "violet"])
        .says(2, &["no Cluster is called violet; there is:", "Cluster prod/blue"]);
}
