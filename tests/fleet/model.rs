//! A fleet without any index: objects in a map, every relation and everything that was not read found by looking through all
//! of them. What the policy's fleet decides is compared with what this one does.

#[path = "relations.rs"]
mod relations;

use relations::{Referred, cluster_name, condition, controls, deny, field, label, named_by, put, text};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const CLUSTER_NAME: &str = "cluster.x-k8s.io/cluster-name";
const CLUSTER_NAMESPACE: &str = "cluster.x-k8s.io/cluster-namespace";
const POOL_NAME: &str = "cluster.x-k8s.io/pool-name";
const ROLE: &str = "node-role.kubernetes.io/control-plane";
const CENTURY: i64 = 3_155_760_000;

/// Kind, namespace and name; the workload cluster of a Node or Pod, as `namespace/name`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id {
    /// The kind.
    pub kind: String,
    /// The namespace.
    pub namespace: String,
    /// The name.
    pub name: String,
    /// The workload cluster, where it is known.
    pub cluster: Option<String>,
}

/// Objects, what was listed, and what was reported.
#[derive(Default)]
pub struct Model {
    /// The objects.
    pub objects: BTreeMap<Id, Value>,
    /// Kinds that are completely listed, or not; of Nodes and Pods for each workload cluster.
    pub marks: BTreeMap<(String, Option<String>), bool>,
    /// What does not exist and is referred to.
    pub missing: BTreeSet<Id>,
    /// A kind is complete when there is an object of it and no mark.
    pub present_is_complete: bool,
    /// Reports about everything, workload clusters (`namespace/name`) and objects (`kind namespace/name`), by their names.
    pub reports: BTreeMap<String, Value>,
}

/// The name of an object.
pub fn id(object: &Value) -> Id {
    let text = |path| text(object, path).to_owned();
    let annotation = |name: &str| object.pointer("/metadata/annotations").and_then(|all| all[name].as_str());
    let (kind, name) = (text("/kind"), text("/metadata/name"));
    let cluster = annotation(CLUSTER_NAME)
        .filter(|name| !name.is_empty() && ["Node", "Pod"].contains(&&*kind))
        .map(|name| format!("{}/{name}", annotation(CLUSTER_NAMESPACE).unwrap_or_default()));
    Id { kind, namespace: text("/metadata/namespace"), name, cluster }
}

impl Model {
    /// Puts an object there.
    pub fn upsert(&mut self, object: Value) {
        self.missing.remove(&id(&object));
        self.objects.insert(id(&object), object);
        self.forget_missing();
    }

    /// Takes an object away.
    pub fn remove(&mut self, id: &Id) {
        self.objects.remove(id);
        self.reports.remove(&format!("{} {}/{}", id.kind, id.namespace, id.name));
        self.missing.insert(id.clone());
        self.forget_missing();
    }

    fn forget_missing(&mut self) {
        let named: BTreeSet<_> = self.objects.values().flat_map(named_by).collect();
        self.missing.retain(|id| named.contains(id));
    }

    /// The snapshot of an object, as JSON; nothing if it is not there.
    #[allow(clippy::too_many_lines, reason = "one arm for each kind: which objects its decision reads")]
    pub fn snapshot(&self, kind: &str, namespace: &str, name: &str, now: &str, profile: &str) -> Option<Value> {
        let object = self.find(kind, namespace, name)?;
        let mut snapshot = json!({ "kind": kind, "now": now, "profile": profile, field(kind): object });
        let mut observed = json!({ "remoteConditionsGracePeriodSeconds": CENTURY,
            "remoteConnectionGracePeriodSeconds": CENTURY, "controlPlaneContractVersion": "v1beta2" });
        for (of_type, reason, message) in
            [("Deleting", "deletingReason", "deletingMessage"), ("Updating", "updatingReason", "updatingMessage")]
        {
            if let Some(stored) = condition(object, of_type).filter(|stored| stored["status"] == "True") {
                observed[reason] = json!(text(stored, "/reason"));
                observed[message] = json!(text(stored, "/message"));
            }
        }
        let workload = format!("{namespace}/{}", cluster_name(object).unwrap_or_default());
        let cluster = cluster_name(object).and_then(|name| self.find("Cluster", namespace, name));
        put(&mut snapshot, "cluster", cluster.cloned());
        let mut put = |field: &str, value: Option<Value>| put(&mut snapshot, field, value);
        let lists = |kinds: &[&str]| kinds.iter().all(|kind| self.complete(kind, None));
        match kind {
            "Cluster" => {
                let class = text(object, "/spec/topology/classRef/name");
                put("clusterClass", self.find("ClusterClass", namespace, class).cloned());
                let infrastructure = self.referred(object, "/spec/infrastructureRef");
                put(
                    "infraCluster",
                    infrastructure.seen(object, "InfrastructureReady", &mut observed, "infraClusterNotFound"),
                );
                let control_plane = self.referred(object, "/spec/controlPlaneRef");
                put("controlPlane", control_plane.seen(object, "", &mut observed, "controlPlaneNotFound"));
                for (field, kind) in [
                    ("machineDeployments", "MachineDeployment"),
                    ("machinePools", "MachinePool"),
                    ("machineSets", "MachineSet"),
                    ("machines", "Machine"),
                ] {
                    let of_cluster = |other: &&Value| cluster_name(other) == Some(name);
                    put(field, Some(self.all(kind, namespace).filter(of_cluster).cloned().collect()));
                }
                deny(&mut observed, lists(&["MachineDeployment", "MachineSet", "Machine"]), "descendantsListed");
                self.probe(cluster, &workload, now, &mut observed);
            }
            "KubeadmControlPlane" => {
                let machines = self.owned("Machine", object);
                let members = machines.iter().filter(|machine| {
                    condition(machine, "EtcdMemberHealthy").is_some_and(|stored| stored["status"] != "Unknown")
                });
                let node = |machine: &Value| text(machine, "/status/nodeRef/name").to_owned();
                let name = |machine: &&Value| node(machine);
                let members: Vec<_> = members.map(|m| json!({ "name": name(m), "isLearner": false })).collect();
                if !members.is_empty() {
                    observed["etcdMembers"] = json!(members);
                    observed["etcdMembersAndMachinesAreMatching"] = json!(true);
                }
                let own: BTreeSet<_> = machines.iter().map(|machine| node(machine)).collect();
                put("nodes", Some(self.control_plane_nodes(object, &workload, &own).into_iter().cloned().collect()));
                if self.complete("Pod", Some(&workload)) && self.complete("Node", Some(&workload)) {
                    let components = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"];
                    let nodes = own.iter().filter(|node| !node.is_empty());
                    let names = nodes.flat_map(|node| components.map(|component| format!("{component}-{node}")));
                    let pods = names.filter_map(|name| self.of_workload("Pod", "kube-system", &workload, &name));
                    put("pods", Some(pods.cloned().collect()));
                }
                let referred = |path: &str| machines.iter().map(|m| self.referred(m, path)).collect::<Vec<_>>();
                let (configs, infrastructure) =
                    (referred("/spec/bootstrap/configRef"), referred("/spec/infrastructureRef"));
                let unread = machines.iter().zip(configs.iter().zip(&infrastructure));
                let unread = unread.filter(|(_, (a, b))| [a, b].iter().any(|r| matches!(r, Referred::NotRead(_))));
                let unread: Vec<_> = unread.map(|(machine, _)| text(machine, "/metadata/name")).collect();
                if !unread.is_empty() {
                    observed["machinesNotCompared"] = json!(unread);
                }
                put("kubeadmConfigs", Some(configs.into_iter().filter_map(Referred::found).collect()));
                put("infraMachines", Some(infrastructure.into_iter().filter_map(Referred::found).collect()));
                put("machines", Some(json!(machines)));
                self.templates(object, "/spec/machineTemplate/spec", &mut observed);
                self.probe(cluster, &workload, now, &mut observed);
            }
            "MachineDeployment" => {
                self.templates(object, "/spec/template/spec", &mut observed);
                let sets = self.owned("MachineSet", object);
                put("machines", Some(sets.iter().flat_map(|set| self.owned("Machine", set)).cloned().collect()));
                put("machineSets", Some(json!(sets)));
                deny(&mut observed, lists(&["MachineSet"]), "machineSetsListed");
                deny(&mut observed, lists(&["Machine"]), "machinesListed");
            }
            "MachineSet" => {
                let deployment = self.owner("MachineDeployment", object);
                let sets = deployment.map(|deployment| self.owned("MachineSet", deployment)).unwrap_or_default();
                let others = sets.into_iter().filter(|set| text(set, "/metadata/name") != name);
                put("otherMachineSets", Some(others.cloned().collect()));
                self.templates(object, "/spec/template/spec", &mut observed);
                put("bootstrapTemplate", self.referred(object, "/spec/template/spec/bootstrap/configRef").found());
                let control_plane = cluster.map(|cluster| self.referred(cluster, "/spec/controlPlaneRef"));
                if cluster.is_some_and(|cluster| cluster.pointer("/spec/controlPlaneRef").is_some())
                    && matches!(control_plane, Some(Referred::Nothing))
                {
                    observed["controlPlaneNotFound"] = json!(true);
                }
                put("controlPlane", control_plane.and_then(Referred::found));
                put("owningMachineDeployment", deployment.cloned());
                put("machines", Some(json!(self.owned("Machine", object))));
                deny(&mut observed, lists(&["Machine"]), "machinesListed");
            }
            "MachinePool" => {
                let pool = |machine: &&Value| {
                    let controlled = machine.pointer("/metadata/ownerReferences").and_then(Value::as_array);
                    let free = controlled.is_none_or(Vec::is_empty) || controls(object, machine);
                    let labels = machine.pointer("/metadata/labels");
                    free && labels.is_some_and(|labels| labels[POOL_NAME] == name)
                        && cluster_name(machine) == cluster_name(object)
                };
                put("machines", Some(self.all("Machine", namespace).filter(pool).cloned().collect()));
                let bootstrap = self.referred(object, "/spec/template/spec/bootstrap/configRef");
                put(
                    "bootstrapConfig",
                    bootstrap.seen(object, "BootstrapConfigReady", &mut observed, "bootstrapConfigNotFound"),
                );
                let infrastructure = self.referred(object, "/spec/template/spec/infrastructureRef");
                put(
                    "infraMachinePool",
                    infrastructure.seen(object, "InfrastructureReady", &mut observed, "infraMachineNotFound"),
                );
                deny(&mut observed, lists(&["Machine"]), "machinesListed");
            }
            "Machine" => {
                let set = self.owner("MachineSet", object);
                put("owningMachineSet", set.cloned());
                put("owningMachineDeployment", set.and_then(|set| self.owner("MachineDeployment", set)).cloned());
                let bootstrap = self.referred(object, "/spec/bootstrap/configRef");
                put(
                    "bootstrapConfig",
                    bootstrap.seen(object, "BootstrapConfigReady", &mut observed, "bootstrapConfigNotFound"),
                );
                let infrastructure = self.referred(object, "/spec/infrastructureRef");
                put(
                    "infraMachine",
                    infrastructure.seen(object, "InfrastructureReady", &mut observed, "infraMachineNotFound"),
                );
                let node = text(object, "/status/nodeRef/name");
                put("node", self.node(&workload, node).cloned());
                if !node.is_empty() && self.unread_node(&workload, node) {
                    observed["nodeGetError"] = json!("ClusterNotConnected");
                }
                self.probe(cluster, &workload, now, &mut observed);
            }
            _ => {
                let machines: Vec<_> = self.all("Machine", namespace).collect();
                let named = |machine: &&&Value| {
                    let name = cluster_name(object).unwrap_or_default();
                    label(machine) == Some(name) || text(machine, "/spec/clusterName") == name
                };
                let on_nodes: Vec<_> = machines.iter().filter(named).map(|m| text(m, "/status/nodeRef/name")).collect();
                let nodes: BTreeMap<_, _> =
                    on_nodes.iter().filter_map(|name| Some((*name, self.node(&workload, name)?))).collect();
                put("nodes", Some(nodes.values().copied().cloned().collect()));
                deny(&mut observed, lists(&["Machine"]), "machinesListed");
                let unread: Vec<_> =
                    on_nodes.iter().filter(|name| !name.is_empty() && self.unread_node(&workload, name)).collect();
                if !unread.is_empty() {
                    if self.has_nodes(&workload) {
                        observed["nodeReadErrors"] = json!(unread);
                    } else {
                        observed["workloadClusterConnected"] = json!(false);
                    }
                }
                let places = ["/spec/remediation/templateRef", "/spec/remediationTemplate"];
                if let Some(place) = places.into_iter().find(|place| !text(object, &format!("{place}/name")).is_empty())
                {
                    put("remediationTemplate", self.referred(object, place).found());
                    let kind = text(object, &format!("{place}/kind"));
                    let request = kind.strip_suffix("Template").unwrap_or(kind);
                    let requests =
                        machines.iter().filter_map(|m| self.find(request, namespace, text(m, "/metadata/name")));
                    put("remediationRequests", Some(requests.cloned().collect()));
                }
                put("machines", Some(json!(machines)));
            }
        }
        let about = [String::new(), workload, format!("{kind} {namespace}/{name}")];
        for (fact, value) in about.iter().filter_map(|about| self.reports.get(about)?.as_object()).flatten() {
            if !value.is_null() {
                observed[fact] = value.clone();
            }
        }
        snapshot["observed"] = observed;
        Some(snapshot)
    }

    fn complete(&self, kind: &str, cluster: Option<&str>) -> bool {
        let mark = |cluster: Option<&str>| self.marks.get(&(kind.to_owned(), cluster.map(ToOwned::to_owned))).copied();
        let present = || match cluster {
            Some(cluster) => self.has(kind, cluster),
            None => self.objects.keys().any(|id| id.kind == kind),
        };
        mark(cluster).or_else(|| mark(None)).unwrap_or_else(|| self.present_is_complete && present())
    }

    fn is_missing(&self, kind: &str, namespace: &str, name: &str, cluster: Option<&str>) -> bool {
        let (kind, namespace, name) = (kind.to_owned(), namespace.to_owned(), name.to_owned());
        self.missing.contains(&Id { kind, namespace, name, cluster: cluster.map(ToOwned::to_owned) })
    }

    fn unread_node(&self, workload: &str, name: &str) -> bool {
        let known = self.complete("Node", Some(workload)) || self.is_missing("Node", "", name, Some(workload));
        !known && self.node(workload, name).is_none()
    }

    fn probe(&self, cluster: Option<&Value>, workload: &str, now: &str, observed: &mut Value) {
        let answers = |cluster| condition(cluster, "RemoteConnectionProbe").is_some_and(|c| c["status"] == "True");
        if cluster.is_some_and(answers) || self.has_nodes(workload) {
            observed["healthCheckingState"] = json!({ "lastProbeTime": now, "lastProbeSuccessTime": now });
        }
    }

    fn has_nodes(&self, workload: &str) -> bool {
        self.has("Node", workload)
    }

    fn has(&self, kind: &str, workload: &str) -> bool {
        self.objects.keys().any(|id| id.kind == kind && id.cluster.as_deref().is_none_or(|cluster| cluster == workload))
    }

    fn node(&self, workload: &str, name: &str) -> Option<&Value> {
        self.of_workload("Node", "", workload, name)
    }

    fn of_workload(&self, kind: &str, namespace: &str, workload: &str, name: &str) -> Option<&Value> {
        let named = |cluster: Option<String>| {
            let (kind, namespace, name) = (kind.to_owned(), namespace.to_owned(), name.to_owned());
            self.objects.get(&Id { kind, namespace, name, cluster })
        };
        named(Some(workload.to_owned())).or_else(|| named(None))
    }

    /// With the role, without a Machine, or of one of the control plane's own Machines.
    fn control_plane_nodes(&self, plane: &Value, workload: &str, own: &BTreeSet<String>) -> Vec<&Value> {
        let cluster = cluster_name(plane).unwrap_or_default();
        let of_cluster = |m: &&Value| label(m) == Some(cluster) || text(m, "/spec/clusterName") == cluster;
        let machines = self.all("Machine", text(plane, "/metadata/namespace")).filter(of_cluster);
        let taken: BTreeSet<_> = machines.map(|machine| text(machine, "/status/nodeRef/name")).collect();
        let concerns = |id: &Id, node: &Value| {
            let role = node.pointer("/metadata/labels").is_some_and(|labels| labels.get(ROLE).is_some());
            id.cluster.as_deref() == Some(workload) && (role || own.contains(&id.name) || !taken.contains(&*id.name))
        };
        let mut nodes = BTreeMap::new();
        for name in own.iter().filter(|name| !name.is_empty()) {
            nodes.extend(self.node(workload, name).map(|node| (name.as_str(), node)));
        }
        let of_kind = self.objects.iter().filter(|(id, node)| id.kind == "Node" && concerns(id, node));
        nodes.extend(of_kind.map(|(id, node)| (id.name.as_str(), node)));
        nodes.into_values().collect()
    }

    /// Templates that are named and do not exist.
    fn templates(&self, object: &Value, spec: &str, observed: &mut Value) {
        for (path, fact) in [
            ("bootstrap/configRef", "bootstrapTemplateNotFound"),
            ("infrastructureRef", "infrastructureTemplateNotFound"),
        ] {
            let path = format!("{spec}/{path}");
            let names = ["kind", "name"].iter().all(|part| !text(object, &format!("{path}/{part}")).is_empty());
            if names && matches!(self.referred(object, &path), Referred::Nothing) {
                observed[fact] = json!(true);
            }
        }
    }

    fn find(&self, kind: &str, namespace: &str, name: &str) -> Option<&Value> {
        let (kind, namespace, name) = (kind.to_owned(), namespace.to_owned(), name.to_owned());
        self.objects.get(&Id { kind, namespace, name, cluster: None })
    }

    fn all<'m>(&'m self, kind: &'m str, namespace: &'m str) -> impl Iterator<Item = &'m Value> {
        let found = move |(id, _): &(&Id, &Value)| id.kind == kind && id.namespace == namespace;
        self.objects.iter().filter(found).map(|(_, object)| object)
    }

    fn owned<'m>(&'m self, kind: &'m str, owner: &'m Value) -> Vec<&'m Value> {
        let of_owner = |object: &&Value| controls(owner, object);
        self.all(kind, text(owner, "/metadata/namespace")).filter(of_owner).collect()
    }

    fn owner<'m>(&'m self, kind: &'m str, object: &'m Value) -> Option<&'m Value> {
        self.all(kind, text(object, "/metadata/namespace")).find(|owner| controls(owner, object))
    }

    fn referred(&self, object: &Value, path: &str) -> Referred {
        let (kind, name) = (text(object, &format!("{path}/kind")), text(object, &format!("{path}/name")));
        if kind.is_empty() || name.is_empty() {
            return Referred::Nothing;
        }
        match self.find(kind, text(object, "/metadata/namespace"), name) {
            Some(found) => Referred::Found(found.clone()),
            None if self.complete(kind, None)
                || self.is_missing(kind, text(object, "/metadata/namespace"), name, None) =>
            {
                Referred::Nothing
            }
            None => Referred::NotRead(kind.to_owned()),
        }
    }
}
