//! Which objects end up in which snapshot.

use crate::command::{NOW, run_with};
use serde_json::{Value, json};

const CORE: &str = "cluster.x-k8s.io/v1beta2";

fn object(api_version: &str, kind: &str, name: &str) -> Value {
    json!({ "apiVersion": api_version, "kind": kind, "metadata": { "name": name, "namespace": "ns", "uid": format!("uid-{name}") } })
}

fn owned(mut object: Value, owner: &Value) -> Value {
    object["metadata"]["ownerReferences"] = json!([{
        "apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": owner["metadata"]["name"],
        "uid": owner["metadata"]["uid"], "controller": true,
    }]);
    object
}

fn of_cluster(mut object: Value, cluster: &str) -> Value {
    object["spec"]["clusterName"] = json!(cluster);
    object
}

fn snapshots(objects: &[Value], only: &str) -> (Value, String) {
    let list = json!({ "apiVersion": "v1", "kind": "List", "items": objects });
    let run = run_with(&list.to_string(), &["evaluate", "-f", "-", "--now", NOW, "--snapshots", only]);
    (run.json(), run.stderr)
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().filter_map(|object| object["metadata"]["name"].as_str()).collect()
}

#[test]
fn owners_are_followed_by_name_and_uid() {
    let deployment = object(CORE, "MachineDeployment", "md");
    let set = owned(object(CORE, "MachineSet", "ms"), &deployment);
    let mut earlier = set.clone();
    earlier["metadata"]["uid"] = json!("uid-of-an-earlier-ms");
    let objects = [
        owned(object(CORE, "Machine", "m1"), &set),
        owned(object(CORE, "Machine", "left-behind"), &earlier),
        object(CORE, "Machine", "nobodys"),
        owned(object(CORE, "MachineSet", "others"), &object(CORE, "MachineDeployment", "other-md")),
        set,
        deployment,
    ];
    let (snapshots, _) = snapshots(&objects, "MachineDeployment");
    assert_eq!((names(&snapshots[0]["machineSets"]), names(&snapshots[0]["machines"])), (vec!["ms"], vec!["m1"]));
    let (machine, _) = self::snapshots(&objects, "machine/m1");
    assert_eq!(machine[0]["owningMachineSet"]["metadata"]["name"], "ms");
    assert_eq!(machine[0]["owningMachineDeployment"]["metadata"]["name"], "md");
}

#[test]
fn a_health_check_gets_its_cluster_nodes_template_and_requests() {
    let mut check = of_cluster(object(CORE, "MachineHealthCheck", "mhc"), "c1");
    check["spec"]["remediation"]["templateRef"] =
        json!({ "apiVersion": "remediation.example/v1", "kind": "RebootTemplate", "name": "reboot" });
    let with_node = |name: &str, node: &str| {
        let mut machine = of_cluster(object(CORE, "Machine", name), "c1");
        machine["status"]["nodeRef"]["name"] = json!(node);
        machine
    };
    let node = |name: &str| json!({ "apiVersion": "v1", "kind": "Node", "metadata": { "name": name } });
    let mut elsewhere = with_node("m3", "n3");
    elsewhere["metadata"]["namespace"] = json!("other");
    let objects = [
        check,
        object(CORE, "Cluster", "c1"),
        object(CORE, "Cluster", "c2"),
        with_node("m1", "n1"),
        with_node("m2", "n2"),
        elsewhere,
        node("n1"),
        node("n2"),
        node("n3"),
        object("remediation.example/v1", "RebootTemplate", "reboot"),
        object("remediation.example/v1", "Reboot", "m2"),
        object("other.example/v1", "Reboot", "m1"),
    ];
    let (snapshots, notes) = snapshots(&objects, "mhc");
    let snapshot = &snapshots[0];
    assert_eq!(snapshot["cluster"]["metadata"]["name"], "c1");
    assert_eq!(names(&snapshot["machines"]), ["m1", "m2"]);
    assert_eq!(names(&snapshot["nodes"]), ["n1", "n2"]);
    assert_eq!(snapshot["remediationTemplate"]["metadata"]["name"], "reboot");
    assert_eq!(names(&snapshot["remediationRequests"]), ["m2"]);
    assert_eq!(notes, "");
}

#[test]
fn what_was_not_read_is_not_taken_for_missing() {
    let mut machine = of_cluster(object(CORE, "Machine", "m"), "c1");
    machine["spec"]["infrastructureRef"] =
        json!({ "apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "DockerMachine", "name": "m" });
    machine["status"] = json!({ "nodeRef": { "name": "n" }, "conditions": [{ "type": "InfrastructureReady", "status": "True", "reason": "Ready", "message": "" }] });
    let objects = [machine, of_cluster(object(CORE, "MachineHealthCheck", "mhc"), "c1"), object(CORE, "Cluster", "c1")];
    let (checks, notes) = snapshots(&objects, "mhc");
    assert_eq!(checks[0]["observed"]["workloadClusterConnected"], false);
    assert!(notes.contains("DockerMachine, Node"), "{notes}");
    let (machines, _) = snapshots(&objects, "machine");
    assert_eq!(machines[0]["observed"]["nodeGetError"], "ClusterNotConnected");
    assert_eq!(
        machines[0]["infraMachine"]["status"]["conditions"][0],
        json!({ "type": "Ready", "status": "True", "reason": "Ready", "message": "" })
    );
}

#[test]
fn a_cluster_gets_its_descendants_and_nobody_elses() {
    let mut cluster = object(CORE, "Cluster", "c1");
    cluster["spec"]["controlPlaneRef"] =
        json!({ "apiGroup": "controlplane.cluster.x-k8s.io", "kind": "KubeadmControlPlane", "name": "kcp" });
    let plane = object("controlplane.cluster.x-k8s.io/v1beta2", "KubeadmControlPlane", "kcp");
    let mut labelled = object(CORE, "MachineSet", "ms");
    labelled["metadata"]["labels"] = json!({ "cluster.x-k8s.io/cluster-name": "c1" });
    let objects = [
        of_cluster(object(CORE, "MachineDeployment", "md"), "c1"),
        labelled,
        of_cluster(owned(object(CORE, "Machine", "m1"), &plane), "c1"),
        of_cluster(object(CORE, "Machine", "m2"), "c2"),
        object("databases.example/v1", "Cluster", "c1"),
        plane,
        cluster,
    ];
    let (clusters, _) = snapshots(&objects, "cluster");
    assert_eq!(clusters.as_array().map(Vec::len), Some(1), "a Cluster of another group is none");
    let snapshot = &clusters[0];
    assert_eq!(snapshot["controlPlane"]["metadata"]["name"], "kcp");
    let lists = ["machineDeployments", "machineSets", "machines"].map(|field| names(&snapshot[field]));
    assert_eq!(lists, [["md"], ["ms"], ["m1"]]);
    let (planes, _) = snapshots(&objects, "kcp");
    assert_eq!(names(&planes[0]["machines"]), ["m1"]);
}

#[test]
fn of_two_objects_with_one_name_the_later_counts() {
    let mut later = object(CORE, "Machine", "m");
    later["metadata"]["generation"] = json!(7);
    let (snapshots, _) = snapshots(&[object(CORE, "Machine", "m"), later], "machine");
    assert_eq!(snapshots[0]["machine"]["metadata"]["generation"], 7);
    assert_eq!(snapshots.as_array().map(Vec::len), Some(1));
}

#[test]
fn objects_of_another_version_are_pointed_out() {
    let (_, notes) = snapshots(&[object("cluster.x-k8s.io/v1beta1", "Machine", "m")], "machine");
    assert!(notes.contains("Machine cluster.x-k8s.io/v1beta1"), "{notes}");
}
