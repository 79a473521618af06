//! The objects of a small fleet, made up.

use serde_json::{Value, json};

fn metadata(kind: &str, namespace: &str, name: &str, owner: Option<(&str, &str)>) -> Value {
    let owners: Vec<_> = owner
        .into_iter()
        .map(|(kind, name)| json!({ "kind": kind, "name": name, "uid": format!("{kind}-{namespace}-{name}"), "controller": true }))
        .collect();
    if kind == "Node" || kind == "Pod" {
        let annotations =
            json!({ "cluster.x-k8s.io/cluster-name": "c1", "cluster.x-k8s.io/cluster-namespace": namespace });
        let namespace = (kind == "Pod").then_some("kube-system");
        return json!({ "name": name, "namespace": namespace, "annotations": annotations });
    }
    json!({ "name": name, "namespace": namespace, "uid": format!("{kind}-{namespace}-{name}"), "creationTimestamp": "2026-01-01T00:00:00Z",
            "labels": { "cluster.x-k8s.io/cluster-name": "c1" }, "ownerReferences": owners })
}

/// One of the objects of a small fleet, in one of a few states.
#[allow(clippy::too_many_lines, reason = "one arm for each object of the made-up fleet")]
pub fn object(namespace: &str, which: usize, state: usize) -> Value {
    let flag = |bit: usize| if state >> bit & 1 == 1 { "True" } else { "False" };
    let at = ["2026-01-01T11:59:50Z", "2026-01-01T11:00:00Z"][state % 2];
    let message = if state >> 2 & 1 == 1 { "m" } else { "" };
    let condition = |kind: &str, bit| json!({ "type": kind, "status": flag(bit), "reason": "R", "message": message, "lastTransitionTime": at });
    let (kind, name) = match which {
        0 => ("Cluster", "c1".to_owned()),
        1 => ("MachineDeployment", "md".to_owned()),
        2 | 3 => ("MachineSet", format!("ms{which}")),
        4 => ("KubeadmControlPlane", "cp".to_owned()),
        5 => ("MachineHealthCheck", "mhc".to_owned()),
        6..=10 => ("Machine", format!("m{which}")),
        11..=15 => ("Node", format!("n{}", which - 5)),
        16..=20 => ("DockerMachine", format!("m{}", which - 10)),
        21 => ("DockerCluster", "c1".to_owned()),
        22..=26 => ("KubeadmConfig", format!("m{}", which - 16)),
        27..=32 => {
            let pods = ["etcd-n6", "kube-apiserver-n6", "kube-apiserver-n7", "kube-scheduler-n8", "kube-scheduler-n9"];
            ("Pod", pods.get(which - 27).copied().unwrap_or("coredns-n6").to_owned())
        }
        33 => ("DockerMachineTemplate", "t".to_owned()),
        35 => ("MachinePool", "mp".to_owned()),
        36 => ("DockerMachinePool", "t".to_owned()),
        _ => ("KubeadmConfigTemplate", "t".to_owned()),
    };
    let owner = match kind {
        "MachineSet" => Some(("MachineDeployment", "md")),
        "Machine" => {
            let owners = [
                Some(("MachineSet", "ms2")),
                Some(("MachineSet", "ms3")),
                Some(("KubeadmControlPlane", "cp")),
                None,
                Some(("MachinePool", "mp")),
            ];
            owners[state % 5]
        }
        _ => None,
    };
    let mut object = json!({ "kind": kind, "metadata": metadata(kind, namespace, &name, owner) });
    // A Node of which nobody knows the cluster, and a MachineSet that took the name of another.
    if kind == "Node" && which == 15 && state >> 4 & 1 == 1 {
        object["metadata"]["annotations"] = json!({});
    }
    if kind == "Pod" && which == 28 && state >> 4 & 1 == 1 {
        object["metadata"]["annotations"] = json!({});
    }
    if kind == "Node" && state >> 2 & 1 == 1 {
        object["metadata"]["labels"] = json!({ "node-role.kubernetes.io/control-plane": "" });
    }
    if kind == "KubeadmConfigTemplate" && state.is_multiple_of(2) {
        object["metadata"]["annotations"] = json!({ "machineset.cluster.x-k8s.io/skip-preflight-checks": "All" });
    }
    if kind == "MachineSet" && state >> 4 & 1 == 1 {
        object["metadata"]["uid"] = json!("another");
    }
    object["status"]["conditions"] = match kind {
        "Cluster" => json!([
            condition("InfrastructureReady", 0),
            condition("ControlPlaneInitialized", 1),
            condition("RemoteConnectionProbe", 3),
            condition("Available", 4)
        ]),
        "Node" => json!([condition("Ready", 1)]),
        _ => json!([
            condition("Ready", 0),
            condition("Available", 1),
            condition("HealthCheckSucceeded", 2),
            condition("OwnerRemediated", 3),
            condition("UpToDate", 1),
            condition("EtcdMemberHealthy", 3),
            condition("InfrastructureReady", 4),
            condition("Deleting", 4),
            condition("Initialized", 1)
        ]),
    };
    match kind {
        "Machine" => {
            object["spec"] = json!({ "clusterName": "c1", "infrastructureRef": { "kind": "DockerMachine", "name": name },
                        "bootstrap": { "configRef": { "kind": "KubeadmConfig", "name": name } }, "version": "v1.33.1" });
            if !state.is_multiple_of(3) {
                object["status"]["nodeRef"] = json!({ "name": format!("n{which}") });
            }
            if state % 3 == 2 {
                object["metadata"]["labels"]["cluster.x-k8s.io/pool-name"] = json!("mp");
            }
            if state % 7 == 4 {
                object["metadata"]["deletionTimestamp"] = json!("2026-01-01T11:30:00Z");
            }
        }
        "MachineHealthCheck" => {
            object["spec"] = json!({ "clusterName": "c1", "checks": { "unhealthyNodeConditions": [{ "type": "Ready", "status": "False", "timeoutSeconds": 60 * (state % 3) }] },
                                     "remediation": { "triggerIf": { "unhealthyLessThanOrEqualTo": state % 4 } } });
            object["status"] =
                json!({ "conditions": [{ "type": "Paused", "status": "False", "reason": "NotPaused" }] });
        }
        "Cluster" => {
            object["spec"] = json!({ "paused": state % 7 == 6, "controlPlaneRef": { "kind": "KubeadmControlPlane", "name": "cp" },
                        "infrastructureRef": { "kind": "DockerCluster", "name": "c1" },
                        "controlPlaneEndpoint": { "host": "h", "port": 6443 } });
            object["status"]["initialization"] = json!({ "infrastructureProvisioned": state % 9 != 8 });
        }
        "KubeadmControlPlane" => {
            let version = ["v1.33.1", "v1.34.0"][state % 2];
            let template = json!({ "spec": { "infrastructureRef": { "kind": "DockerMachineTemplate", "name": "t" } } });
            object["spec"] = json!({ "replicas": state % 4, "machineTemplate": template, "version": version });
            object["status"]["initialization"] = json!({ "controlPlaneInitialized": state % 5 != 4 });
            object["status"]["version"] = json!("v1.33.1");
        }
        "Pod" => {
            let phase = ["Running", "Pending", "Failed"][state % 3];
            object["status"]["phase"] = json!(phase);
        }
        "KubeadmConfig" => object["spec"] = json!({ "certificateValidityPeriodDays": state % 2 }),
        "DockerMachinePool" if state.is_multiple_of(2) => {
            object["status"]["infrastructureMachineKind"] = json!("DockerMachine");
        }
        "MachinePool" => {
            let spec = json!({ "bootstrap": { "configRef": { "kind": "KubeadmConfig", "name": "m6" } },
                "infrastructureRef": { "kind": "DockerMachinePool", "name": "t" } });
            object["spec"] = json!({ "replicas": state % 4, "clusterName": "c1", "template": { "spec": spec } });
            object["status"]["replicas"] = json!(state % 3);
        }
        "Node"
        | "DockerMachine"
        | "DockerCluster"
        | "DockerMachineTemplate"
        | "DockerMachinePool"
        | "KubeadmConfigTemplate" => {}
        _ => {
            let spec = json!({ "clusterName": "c1", "version": "v1.33.1",
                "bootstrap": { "configRef": { "kind": "KubeadmConfigTemplate", "name": "t" } },
                "infrastructureRef": { "kind": "DockerMachineTemplate", "name": "t" } });
            object["spec"] = json!({ "replicas": state % 4, "clusterName": "c1", "template": { "spec": spec } });
        }
    }
    object
}
