//! The fleet of a scenario as objects, every machine of it up.

use super::check::CONTROL_PLANE;
use super::{HealthCheck, MachineDeployment, Scenario};
use crate::machine::{COMPONENTS, CONTROL_PLANE_NAME, SET_NAME};
use crate::object::{CLUSTER_API, new_condition};
use capi_policy::Kind;
use capi_policy::time::Time;
use capi_policy::view::label;
use serde_json::{Value, json};

/// The version before anybody rolls out another one.
pub const VERSION: &str = "v1.33.0";
/// What the control plane is called.
pub const CONTROL_PLANE_OBJECT: &str = "control-plane";
/// For how long everything has been there when the day begins.
const AGE: i64 = 30 * 86_400;
/// Says by which MachineDeployment a machine was made, to select it.
const POOL: &str = "pool";
const INFRASTRUCTURE: &str = "infrastructure.cluster.x-k8s.io";
const CLUSTER_INFRASTRUCTURE: &str = "SimulatedCluster";
const HOSTED_CONTROL_PLANE: &str = "SimulatedControlPlane";
const BOOTSTRAP: &str = "bootstrap.cluster.x-k8s.io";

/// The objects of one cluster. Nodes and the provider's objects are not among them: [`crate::fill`] makes them.
pub fn objects(scenario: &Scenario, cluster: u32) -> Vec<Value> {
    let maker = Maker { cluster: format!("c{}", cluster.saturating_add(1)), made: scenario.start.plus(-AGE) };
    let mut objects = vec![maker.cluster(scenario)];
    objects.extend(maker.surroundings(scenario));
    if scenario.control_plane.is_some() {
        objects.extend(maker.control_plane(scenario));
    }
    for (name, deployment) in &scenario.machine_deployments {
        objects.extend(maker.machine_deployment(name, deployment));
    }
    for (name, check) in &scenario.health_checks {
        objects.push(maker.health_check(name, check));
    }
    objects
}

/// Makes the objects of a cluster, which share a namespace of its name.
struct Maker {
    cluster: String,
    made: Time,
}

impl Maker {
    fn metadata(&self, name: &str) -> Value {
        json!({
            "name": name, "namespace": self.cluster, "uid": format!("{}-{name}", self.cluster), "generation": 1,
            "creationTimestamp": self.made.to_string(), "labels": { label::CLUSTER_NAME: self.cluster },
        })
    }

    fn condition(&self, condition_type: &str) -> Value {
        new_condition(condition_type, "True", condition_type, "", self.made)
    }

    fn cluster(&self, scenario: &Scenario) -> Value {
        let (kind, name) = match &scenario.control_plane {
            Some(_) => (Kind::KubeadmControlPlane.name(), CONTROL_PLANE_OBJECT),
            None => (HOSTED_CONTROL_PLANE, &*self.cluster),
        };
        let zones: Vec<_> = scenario.zones.iter().map(|zone| json!({ "name": zone, "controlPlane": true })).collect();
        json!({
            "apiVersion": CLUSTER_API, "kind": Kind::Cluster.name(), "metadata": self.metadata(&self.cluster),
            "spec": {
                "controlPlaneEndpoint": { "host": "192.0.2.1", "port": 6443 },
                "infrastructureRef": { "apiGroup": INFRASTRUCTURE, "kind": CLUSTER_INFRASTRUCTURE, "name": self.cluster },
                "controlPlaneRef": { "apiGroup": Kind::KubeadmControlPlane.group(), "kind": kind, "name": name },
            },
            "status": {
                "initialization": { "infrastructureProvisioned": true, "controlPlaneInitialized": true },
                "failureDomains": zones,
                "conditions": [self.condition("ControlPlaneInitialized"), self.condition("InfrastructureReady")],
            },
        })
    }

    /// The infrastructure of the cluster, and a control plane that somebody else runs where the scenario has none.
    fn surroundings(&self, scenario: &Scenario) -> Vec<Value> {
        let infrastructure = json!({
            "apiVersion": format!("{INFRASTRUCTURE}/v1beta2"), "kind": CLUSTER_INFRASTRUCTURE,
            "metadata": self.metadata(&self.cluster),
            "status": { "initialization": { "provisioned": true }, "conditions": [self.condition("Ready")] },
        });
        let hosted = json!({
            "apiVersion": format!("{}/v1beta2", Kind::KubeadmControlPlane.group()), "kind": HOSTED_CONTROL_PLANE,
            "metadata": self.metadata(&self.cluster), "spec": { "version": VERSION },
            "status": {
                "version": VERSION, "initialization": { "controlPlaneInitialized": true },
                "conditions": [self.condition("Available")],
            },
        });
        let hosted = Some(hosted).filter(|_| scenario.control_plane.is_none());
        std::iter::once(infrastructure).chain(hosted).collect()
    }

    fn template(&self, pool: &str, zone: Option<&str>) -> Value {
        let mut template = json!({
            "metadata": { "labels": { label::CLUSTER_NAME: self.cluster, POOL: pool } },
            "spec": {
                "clusterName": self.cluster, "version": VERSION,
                "bootstrap": { "configRef": { "apiGroup": BOOTSTRAP, "kind": "KubeadmConfigTemplate", "name": pool } },
                "infrastructureRef": { "apiGroup": INFRASTRUCTURE, "kind": "SimulatedMachineTemplate", "name": pool },
            },
        });
        if let Some(zone) = zone {
            template["spec"]["failureDomain"] = json!(zone);
        }
        template
    }

    fn machine_deployment(&self, name: &str, wanted: &MachineDeployment) -> Vec<Value> {
        let template = self.template(name, wanted.zone.as_deref());
        let mut deployment = json!({
            "apiVersion": CLUSTER_API, "kind": Kind::MachineDeployment.name(), "metadata": self.metadata(name),
            "spec": {
                "clusterName": self.cluster, "replicas": wanted.replicas,
                "selector": { "matchLabels": { POOL: name } }, "template": template,
                "rollout": { "strategy": { "type": "RollingUpdate", "rollingUpdate": {
                    "maxSurge": wanted.max_surge, "maxUnavailable": wanted.max_unavailable,
                } } },
            },
        });
        deployment["metadata"]["annotations"] = json!({ "machinedeployment.clusters.x-k8s.io/revision": "1" });
        if let Some(limit) = &wanted.max_in_flight {
            deployment["spec"]["remediation"] = json!({ "maxInFlight": limit });
        }
        let set_name = format!("{name}-0");
        let mut set = json!({
            "apiVersion": CLUSTER_API, "kind": Kind::MachineSet.name(), "metadata": self.metadata(&set_name),
            "spec": {
                "clusterName": self.cluster, "replicas": wanted.replicas, "template": template,
                "selector": { "matchLabels": { POOL: name, label::UNIQUE: set_name } },
            },
        });
        set["metadata"]["annotations"] = deployment["metadata"]["annotations"].clone();
        set["metadata"]["labels"][label::DEPLOYMENT_NAME] = json!(name);
        set["metadata"]["labels"][label::UNIQUE] = json!(set_name);
        set["metadata"]["ownerReferences"] = json!([crate::machine::owner_reference(&deployment)]);
        set["spec"]["template"]["metadata"]["labels"][label::UNIQUE] = json!(set_name);
        let labels = json!({
            label::CLUSTER_NAME: self.cluster, POOL: name, label::UNIQUE: set_name, label::DEPLOYMENT_NAME: name, SET_NAME: set_name,
        });
        let machines: Vec<_> = (1..=wanted.replicas)
            .map(|number| {
                let mut machine = self.machine(&format!("{set_name}-{number}"), &set, &labels);
                if let Some(zone) = &wanted.zone {
                    machine["spec"]["failureDomain"] = json!(zone);
                }
                machine
            })
            .collect();
        [deployment, set].into_iter().chain(machines).collect()
    }

    fn machine(&self, name: &str, owner: &Value, labels: &Value) -> Value {
        let conditions =
            ["InfrastructureReady", "BootstrapConfigReady", "NodeReady"].map(|each| self.condition(each)).to_vec();
        let mut machine = json!({
            "apiVersion": CLUSTER_API, "kind": Kind::Machine.name(), "metadata": self.metadata(name),
            "spec": {
                "clusterName": self.cluster, "version": VERSION, "providerID": format!("simulated:///{}/{name}", self.cluster),
                "bootstrap": { "configRef": { "apiGroup": BOOTSTRAP, "kind": "KubeadmConfig", "name": name } },
                "infrastructureRef": { "apiGroup": INFRASTRUCTURE, "kind": "SimulatedMachine", "name": name },
            },
            "status": {
                "nodeRef": { "name": name }, "nodeInfo": { "kubeletVersion": VERSION },
                "initialization": { "infrastructureProvisioned": true, "bootstrapDataSecretCreated": true },
                "conditions": conditions,
            },
        });
        machine["metadata"]["labels"] = labels.clone();
        machine["metadata"]["ownerReferences"] = json!([crate::machine::owner_reference(owner)]);
        machine
    }

    fn control_plane(&self, scenario: &Scenario) -> Vec<Value> {
        let Some(wanted) = &scenario.control_plane else { return Vec::new() };
        let conditions =
            ["Initialized", "CertificatesAvailable", "EtcdClusterHealthy", "ControlPlaneComponentsHealthy"];
        let conditions: Vec<_> = conditions.iter().map(|each| self.condition(each)).collect();
        let template = json!({ "apiGroup": INFRASTRUCTURE, "kind": "SimulatedMachineTemplate", "name": CONTROL_PLANE });
        let mut plane = json!({
            "apiVersion": format!("{}/v1beta2", Kind::KubeadmControlPlane.group()),
            "kind": Kind::KubeadmControlPlane.name(), "metadata": self.metadata(CONTROL_PLANE_OBJECT),
            "spec": {
                "replicas": wanted.replicas, "version": VERSION,
                "rollout": { "strategy": { "type": "RollingUpdate", "rollingUpdate": { "maxSurge": 1 } } },
                "machineTemplate": { "spec": { "infrastructureRef": template } },
            },
            "status": { "initialization": { "controlPlaneInitialized": true }, "conditions": conditions, "version": VERSION },
        });
        let limits = [
            ("maxRetry", wanted.max_retry.map(i64::from)),
            ("retryPeriodSeconds", wanted.retry_period.map(|span| span.0)),
            ("minHealthyPeriodSeconds", wanted.min_healthy_period.map(|span| span.0)),
        ];
        for (field, value) in limits.into_iter().filter_map(|(field, value)| Some((field, value?))) {
            plane["spec"]["remediation"][field] = json!(value);
        }
        let cluster = json!({
            "apiVersion": CLUSTER_API, "kind": Kind::Cluster.name(), "name": self.cluster,
            "uid": format!("{0}-{0}", self.cluster), "controller": true, "blockOwnerDeletion": true,
        });
        plane["metadata"]["ownerReferences"] = json!([cluster]);
        let labels = json!({
            label::CLUSTER_NAME: self.cluster, label::CONTROL_PLANE: "", CONTROL_PLANE_NAME: CONTROL_PLANE_OBJECT,
        });
        let machines: Vec<_> = (1..=wanted.replicas)
            .map(|number| {
                let mut machine = self.machine(&format!("{CONTROL_PLANE_OBJECT}-{number}"), &plane, &labels);
                let zones = scenario.zones.iter().cycle();
                if let Some(zone) = zones.clone().nth(usize::try_from(number - 1).unwrap_or(0)) {
                    machine["spec"]["failureDomain"] = json!(zone);
                }
                for component in COMPONENTS {
                    crate::object::set_condition(&mut machine, self.condition(component));
                }
                machine
            })
            .collect();
        std::iter::once(plane).chain(machines).collect()
    }

    fn health_check(&self, name: &str, check: &HealthCheck) -> Value {
        let labels = match check.of.as_deref() {
            None => json!({ label::CLUSTER_NAME: self.cluster }),
            Some(CONTROL_PLANE) => json!({ label::CONTROL_PLANE: "" }),
            Some(pool) => json!({ POOL: pool }),
        };
        let mut spec = check.spec();
        spec["clusterName"] = json!(self.cluster);
        spec["selector"] = json!({ "matchLabels": labels });
        json!({
            "apiVersion": CLUSTER_API, "kind": Kind::MachineHealthCheck.name(), "metadata": self.metadata(name), "spec": spec,
        })
    }
}
