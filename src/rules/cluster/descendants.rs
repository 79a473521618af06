//! The objects of a Cluster, sorted by the part they play.

use super::Input;
use crate::aggregate::Source;
use crate::mirror::Referenced;
use crate::rules::versions;
use crate::sorted::Sorted;
use crate::view::{Cluster, Machine, MachineDeployment, MachinePool, MachineSet, Metadata, label};

const GROUP: &str = "cluster.x-k8s.io";

/// The objects of a Cluster. All lists are empty when they could not be read.
pub struct Descendants<'a> {
    /// Its MachineDeployments.
    pub machine_deployments: Vec<&'a MachineDeployment<'a>>,
    /// Its MachinePools.
    pub machine_pools: Vec<&'a MachinePool<'a>>,
    /// Its MachineSets that belong to no MachineDeployment.
    pub stand_alone_machine_sets: Vec<&'a MachineSet<'a>>,
    /// Its control-plane Machines.
    pub control_plane_machines: Vec<&'a Machine<'a>>,
    /// All other Machines, except those of MachinePools: these do not report all conditions yet.
    pub worker_machines: Vec<&'a Machine<'a>>,
    /// Those of them that belong to nothing but the Cluster.
    pub stand_alone_worker_machines: Vec<&'a Machine<'a>>,
}

impl<'a> Descendants<'a> {
    /// Sorts the objects.
    pub fn of(input: &Input<'a>) -> Self {
        let (cluster, listed) = (input.object, input.observed.descendants_listed);
        let machines: &[_] = if listed { &input.machines } else { &[] };
        let (control_plane_machines, workers): (Vec<_>, Vec<_>) = machines.iter().copied().partition(|machine| {
            let of_cluster = machine.metadata.label(label::CLUSTER_NAME) == Some(&cluster.metadata.name);
            of_cluster && machine.is_control_plane()
        });
        let worker_machines: Vec<_> = workers.into_iter().filter(|machine| !in_pool(machine)).collect();
        let stand_alone = |metadata: &Metadata<'_>| owned_by(metadata, cluster);
        let machine_sets: &[_] = if listed { &input.machine_sets } else { &[] };
        Self {
            machine_deployments: by_age(if listed { &input.machine_deployments } else { &[] }, |md| &md.metadata),
            machine_pools: by_age(if listed { &input.machine_pools } else { &[] }, |pool| &pool.metadata),
            stand_alone_machine_sets: by_age(
                &machine_sets.iter().copied().filter(|set| stand_alone(&set.metadata)).collect::<Vec<_>>(),
                |set| &set.metadata,
            ),
            stand_alone_worker_machines: worker_machines.iter().copied().filter(|m| stand_alone(&m.metadata)).collect(),
            control_plane_machines,
            worker_machines,
        }
    }

    /// All Machines, except those of MachinePools.
    pub fn machines(&self) -> Vec<&'a Machine<'a>> {
        let all = self.control_plane_machines.iter().chain(&self.worker_machines);
        all.copied().filter(|machine| !in_pool(machine)).collect()
    }

    /// The MachineDeployments, for their conditions.
    pub fn machine_deployments(&self) -> impl Iterator<Item = Source<'a>> {
        self.machine_deployments.iter().map(|deployment| Source {
            kind: "MachineDeployment",
            name: &deployment.metadata.name,
            machine: None,
            conditions: &deployment.status.conditions,
        })
    }

    /// The MachineSets that belong to no MachineDeployment, for their conditions.
    pub fn machine_sets(&self) -> impl Iterator<Item = Source<'a>> {
        self.stand_alone_machine_sets.iter().map(|set| Source {
            kind: "MachineSet",
            name: &set.metadata.name,
            machine: None,
            conditions: &set.status.conditions,
        })
    }
}

/// The oldest first: where versions can't be compared, the order in which they are named shows.
fn by_age<'a, T>(objects: &[&'a T], metadata: fn(&'a T) -> &'a Metadata<'a>) -> Vec<&'a T> {
    let mut objects = objects.to_vec();
    objects.order_by(|a, b| versions::by_age(metadata(a), metadata(b)));
    objects
}

/// The control plane, where it has that condition: it need not have any.
pub fn reporting<'a>(control_plane: &'a Referenced<'_>, condition: &str) -> Option<Source<'a>> {
    let object = control_plane.object().filter(|_| control_plane.reports(condition))?;
    Some(Source {
        kind: &object.kind,
        name: &object.metadata.name,
        machine: None,
        conditions: control_plane.conditions(),
    })
}

fn in_pool(machine: &Machine<'_>) -> bool {
    machine.metadata.label(label::MACHINE_POOL).is_some()
}

fn owned_by(metadata: &Metadata<'_>, cluster: &Cluster<'_>) -> bool {
    metadata.owner_references.iter().any(|owner| {
        let group = owner.api_version.split_once('/').map_or("", |(group, _)| group);
        group == GROUP && owner.kind == "Cluster" && owner.name == cluster.metadata.name
    })
}

#[cfg(test)]
mod tests {
    use super::owned_by;
    use crate::view::{Cluster, Metadata};
    use capi_policy_json::read;

    #[test]
    fn only_the_cluster_itself_owns() {
        let cluster: Cluster<'_> = read(r#"{"metadata": {"name": "c1"}}"#).expect("a Cluster");
        for (group, kind, name, owned) in [
            ("cluster.x-k8s.io/v1beta2", "Cluster", "c1", true),
            ("cluster.x-k8s.io/v1beta2", "Cluster", "c2", false),
            ("cluster.x-k8s.io/v1beta2", "MachineSet", "c1", false),
            ("example.com/v1", "Cluster", "c1", false),
            ("v1", "Cluster", "c1", false),
        ] {
            let owner = format!(r#"{{"apiVersion": "{group}", "kind": "{kind}", "name": "{name}"}}"#);
            let text = format!(r#"{{"ownerReferences": [{owner}]}}"#);
            let metadata: Metadata<'_> = read(&text).expect("metadata");
            assert_eq!(owned_by(&metadata, &cluster), owned, "{owner}");
        }
    }
}
