//! The stateless snapshot that the decision about an object reads.

use super::object::Object;
use super::reading::Reading;
use super::references;
use crate::json::written;
use crate::progress::Mode;
use crate::snapshot::Kind;
use std::collections::BTreeSet;

/// The snapshot as JSON.
pub fn snapshot(reading: &Reading<'_>, observed: &str, mode: Mode) -> String {
    let mut text = Text::default();
    text.member("kind", &written(&reading.subject.kind));
    text.member("now", &written(&mode.now));
    text.member("profile", &written(&mode.profile));
    if mode.explain {
        text.member("explain", "true");
    }
    text.member(reading.subject.kind.field(), reading.object.text());
    if reading.subject.kind != Kind::Cluster {
        text.object("cluster", reading.cluster_object());
    }
    match reading.object {
        Object::Cluster(cluster) => {
            let cluster = cluster.get();
            let class = reading.external(references::cluster_class(cluster), None);
            let infrastructure = reading.external(references::infra_cluster(cluster), Some("InfrastructureReady"));
            let control_plane = reading.external(references::control_plane(cluster), None);
            text.optional("clusterClass", class.text());
            text.optional("infraCluster", infrastructure.text());
            text.optional("controlPlane", control_plane.text());
            text.list("machineDeployments", reading.of_cluster(Kind::MachineDeployment));
            text.list("machinePools", reading.of_cluster(Kind::MachinePool));
            text.list("machineSets", reading.of_cluster(Kind::MachineSet));
            text.list("machines", reading.of_cluster(Kind::Machine));
        }
        Object::KubeadmControlPlane(_) => {
            text.list("machines", reading.machines());
            text.list("nodes", reading.control_plane_nodes().into_iter());
            if let Some(pods) = reading.static_pods() {
                text.list("pods", pods.into_iter());
            }
            text.array("kubeadmConfigs", reading.kubeadm_configs());
            text.array("infraMachines", reading.infra_machines());
        }
        Object::MachineSet(_) => {
            let bootstrap = reading.external(references::bootstrap_template(reading.object), None);
            text.optional("controlPlane", reading.control_plane().text());
            text.optional("bootstrapTemplate", bootstrap.text());
            text.object("owningMachineDeployment", reading.deployment());
            text.list("otherMachineSets", reading.siblings());
            text.list("machines", reading.machines());
        }
        Object::MachineDeployment(_) => {
            text.list("machineSets", reading.machine_sets());
            text.list("machines", reading.machines_below());
        }
        Object::Machine(machine) => {
            let machine = machine.get();
            let (set, deployment) = reading.owners();
            let bootstrap = reading.external(references::bootstrap_config(machine), Some("BootstrapConfigReady"));
            let infrastructure = reading.external(references::infra_machine(machine), Some("InfrastructureReady"));
            text.object("owningMachineSet", set);
            text.object("owningMachineDeployment", deployment);
            text.optional("bootstrapConfig", bootstrap.text());
            text.optional("infraMachine", infrastructure.text());
            text.object("node", reading.nodes().object(&machine.status.node_ref.name));
        }
        Object::MachineHealthCheck(check) => {
            let check = check.get();
            let template = reading.external(references::template(check), None);
            text.list("machines", reading.store.all(Kind::Machine, &reading.subject.namespace));
            text.list("nodes", nodes(reading).into_iter());
            text.optional("remediationTemplate", template.text());
            text.list("remediationRequests", reading.requests(check));
        }
        Object::MachinePool(_) => {
            let bootstrap =
                reading.external(references::bootstrap_template(reading.object), Some("BootstrapConfigReady"));
            let infrastructure =
                reading.external(references::infra_template(reading.object), Some("InfrastructureReady"));
            text.optional("bootstrapConfig", bootstrap.text());
            text.optional("infraMachinePool", infrastructure.text());
            text.list("machines", reading.pool_machines());
        }
        Object::Node(_) | Object::Pod(_) | Object::Other(_) => {}
    }
    text.member("observed", observed);
    text.0 + "}"
}

/// The Nodes of the Cluster's Machines by name.
fn nodes<'s>(reading: &Reading<'s>) -> Vec<&'s Object> {
    let mut names = BTreeSet::new();
    for machine in reading.machines_of_cluster() {
        names.insert(&*machine.status.node_ref.name);
    }
    let all = reading.nodes();
    names.into_iter().filter_map(|name| all.object(name)).collect()
}

#[derive(Default)]
struct Text(String);

impl Text {
    fn member(&mut self, name: &str, value: &str) {
        let before = if self.0.is_empty() { "{\"" } else { ",\"" };
        for part in [before, name, "\":", value] {
            self.0.push_str(part);
        }
    }

    fn optional(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.member(name, value);
        }
    }

    fn object(&mut self, name: &str, object: Option<&Object>) {
        self.optional(name, object.map(Object::text));
    }

    fn list<'s>(&mut self, name: &str, objects: impl Iterator<Item = &'s Object>) {
        self.array(name, objects.map(Object::text));
    }

    fn array<'s>(&mut self, name: &str, texts: impl Iterator<Item = &'s str>) {
        let texts: Vec<_> = texts.collect();
        self.member(name, &["[", &texts.join(","), "]"].concat());
    }
}
