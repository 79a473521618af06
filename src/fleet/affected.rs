//! Whose decisions read an object.

use super::control_plane::{has_role, is_static_pod};
use super::name::{ObjectRef, Subject, WorkloadCluster};
use super::object::Object;
use super::references;
use super::store::Store;
use crate::snapshot::Kind;
use crate::view::{MachineHealthCheck, Metadata, label};

/// An object whose decision reads what changed.
pub struct Affected {
    /// The object.
    pub subject: Subject,
    /// What a health check has to look at again.
    pub again: Again,
}

/// Machines of a health check whose verdicts may have changed.
pub enum Again {
    /// All of them.
    All,
    /// This one.
    Machine(String),
    /// None: only what the health check itself says may change.
    None,
}

/// How much of an object changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Something that the objects below it, or the verdicts of the health check that it is, may read.
    Frame,
    /// Only what they don't read.
    BelowFrame,
}

/// Everything whose decision reads the object, as relations are now. More than necessary does no harm.
pub fn affected(store: &Store, name: &ObjectRef, extent: Extent) -> Vec<Affected> {
    let mut search = Search { store, found: Vec::new() };
    let again = || if extent == Extent::Frame { Again::All } else { Again::None };
    search.found.extend(name.subject().map(|subject| Affected { subject, again: again() }));
    for referrer in store.referrers(name) {
        search.referrer(referrer);
    }
    let frame = extent == Extent::Frame;
    match (store.get(name), name.subject()) {
        (Some(object @ Object::Machine(machine)), Some(subject)) => {
            search.owners(object);
            search.pool(object);
            search.cluster(object);
            search.health_checks(&machine.get().metadata, &subject);
        }
        (Some(object @ Object::MachineSet(_)), Some(subject)) => {
            search.owners(object);
            search.siblings(object);
            search.cluster(object);
            if frame {
                search.machines_of(&subject);
            }
        }
        (Some(object @ Object::MachineDeployment(_)), Some(subject)) => {
            search.cluster(object);
            search.machine_sets_of(&subject);
            if frame {
                search.machines_below(&subject);
            }
        }
        (Some(Object::Cluster(_)), Some(subject)) if frame => search.of_cluster(&subject),
        (Some(object @ Object::MachinePool(_)), _) => search.cluster(object),
        (Some(Object::Node(_)), _) if name.place.workload_cluster.is_none() => {
            for machine in store.on_any_node(&name.name) {
                search.referrer(machine);
            }
        }
        (Some(Object::Node(node)), _) if has_role(node.get()) || !store.is_referred_to(name) => {
            search.control_planes(name.place.workload_cluster.as_ref());
        }
        (Some(Object::Pod(_)), _) if is_static_pod(&name.place, &name.name) => {
            search.control_planes(name.place.workload_cluster.as_ref());
        }
        (Some(Object::Other(_)), _) => search.requester(name),
        _ => {}
    }
    search.found
}

struct Search<'s> {
    store: &'s Store,
    found: Vec<Affected>,
}

impl<'s> Search<'s> {
    fn add_all(&mut self, subjects: impl IntoIterator<Item = Subject>) {
        self.found.extend(subjects.into_iter().map(|subject| Affected { subject, again: Again::All }));
    }

    /// Who names the object. What a Machine names concerns its health checks as well, since it may be its Node, and its control
    /// plane; what a Cluster names may be the control plane that MachineSets look at before they make machines.
    fn referrer(&mut self, subject: &Subject) {
        self.add_all([subject.clone()]);
        match self.store.subject(subject) {
            Some(object @ Object::Machine(machine)) => {
                self.health_checks(&machine.get().metadata, subject);
                let owner = references::controller(object).and_then(|owner| owner.subject());
                self.add_all(owner.filter(|owner| owner.kind == Kind::KubeadmControlPlane));
            }
            Some(Object::Cluster(_)) => self.of_kind(Kind::MachineSet, subject),
            _ => {}
        }
    }

    /// The KubeadmControlPlanes of a workload cluster; all of them when nobody knows which it is.
    fn control_planes(&mut self, cluster: Option<&WorkloadCluster>) {
        let kind = Kind::KubeadmControlPlane;
        let places: Vec<_> = self.store.places_of(kind.group(), kind.name()).collect();
        for place in places.into_iter().filter(|place| cluster.is_none_or(|c| c.namespace == place.namespace)) {
            let all = self.store.all(kind, &place.namespace);
            let of_cluster = all.filter(|plane| cluster.is_none_or(|c| plane.cluster_name() == Some(&c.name)));
            let named: Vec<_> = of_cluster.filter_map(Object::metadata).collect();
            self.add_all(named.into_iter().map(|plane| Subject::new(kind, &place.namespace, &plane.name)));
        }
    }

    /// The controller of a MachineSet or Machine, and that one's controller.
    fn owners(&mut self, object: &Object) {
        let Some(owner) = references::controller(object).and_then(|owner| owner.subject()) else { return };
        if let (Kind::MachineSet, Some(set)) = (owner.kind, self.store.subject(&owner)) {
            self.owners(set);
        }
        self.add_all([owner]);
    }

    /// The MachinePool that a Machine is labelled as one of.
    fn pool(&mut self, machine: &Object) {
        let pool = machine.metadata().and_then(|metadata| Some((metadata, metadata.label(label::MACHINE_POOL)?)));
        self.add_all(pool.map(|(metadata, pool)| Subject::new(Kind::MachinePool, &metadata.namespace, pool)));
    }

    fn cluster(&mut self, object: &Object) {
        if let (Some(name), Some(metadata)) = (object.cluster_name(), object.metadata()) {
            self.add_all([Subject::new(Kind::Cluster, &metadata.namespace, name)]);
        }
    }

    /// The MachineSets of the MachineDeployment that controls one of them.
    fn siblings(&mut self, set: &Object) {
        if let Some(owner) = references::controller(set).and_then(|owner| owner.subject()) {
            self.machine_sets_of(&owner);
        }
    }

    fn machine_sets_of(&mut self, deployment: &Subject) {
        let sets = self.store.controlled(deployment, Kind::MachineSet).filter_map(Object::metadata);
        let subjects: Vec<_> = sets.map(|set| Subject::new(Kind::MachineSet, &set.namespace, &set.name)).collect();
        self.add_all(subjects);
    }

    fn machines_of(&mut self, set: &Subject) {
        let machines = self.store.controlled(set, Kind::Machine).filter_map(Object::metadata);
        let subjects: Vec<_> = machines.map(|m| Subject::new(Kind::Machine, &m.namespace, &m.name)).collect();
        self.add_all(subjects);
    }

    fn machines_below(&mut self, deployment: &Subject) {
        for set in self.store.controlled(deployment, Kind::MachineSet).filter_map(Object::metadata) {
            self.machines_of(&Subject::new(Kind::MachineSet, &set.namespace, &set.name));
        }
    }

    /// The health checks that look at a machine.
    fn health_checks(&mut self, machine: &Metadata<'_>, subject: &Subject) {
        for check in self.checks_in(&subject.namespace) {
            let of_cluster = machine.label(label::CLUSTER_NAME) == Some(&check.spec.cluster_name);
            if of_cluster && check.spec.selector.matches_apart_from(label::CLUSTER_NAME, machine) {
                let subject = Subject::new(Kind::MachineHealthCheck, &subject.namespace, &check.metadata.name);
                self.found.push(Affected { subject, again: Again::Machine(machine.name.to_string()) });
            }
        }
    }

    /// Everything that belongs to a Cluster.
    fn of_cluster(&mut self, cluster: &Subject) {
        for kind in Kind::ALL {
            self.of_kind(*kind, cluster);
        }
    }

    /// The objects of a kind that belong to a Cluster.
    fn of_kind(&mut self, kind: Kind, cluster: &Subject) {
        let objects = self.store.all(kind, &cluster.namespace);
        let belonging = objects.filter(|object| object.cluster_name() == Some(&cluster.name));
        let subjects: Vec<_> = belonging.filter_map(Object::metadata).collect();
        self.add_all(subjects.into_iter().map(|m| Subject::new(kind, &m.namespace, &m.name)));
    }

    /// The health checks whose remediation requests have the kind of an object.
    fn requester(&mut self, name: &ObjectRef) {
        let namespace = &*name.place.namespace;
        let makes = |check: &&MachineHealthCheck<'_>| {
            references::request(check, &name.name).is_some_and(|request| request == *name)
        };
        let checks = self.checks_in(namespace).filter(makes);
        let subjects: Vec<_> =
            checks.map(|check| Subject::new(Kind::MachineHealthCheck, namespace, &check.metadata.name)).collect();
        self.add_all(subjects);
    }

    fn checks_in(&self, namespace: &str) -> impl Iterator<Item = &'s MachineHealthCheck<'s>> + use<'s> {
        self.store.all(Kind::MachineHealthCheck, namespace).filter_map(Object::machine_health_check)
    }
}
