//! What the decision about one object reads: the objects related to it, and of each whether it is there.

use super::completeness::{Completeness, Presence};
use super::name::{ObjectRef, Place, Subject, WorkloadCluster};
use super::object::Object;
use super::references;
use super::store::{OfWorkload, Store};
use crate::json::written;
use crate::snapshot::Kind;
use crate::time::Time;
use crate::view::{self, Cluster, ConditionsExt, Machine, MachineHealthCheck};
use serde::Serialize;

/// An object, and where to find what its decision reads.
#[derive(Clone, Copy)]
pub struct Reading<'s> {
    pub store: &'s Store,
    pub completeness: &'s Completeness,
    pub subject: &'s Subject,
    pub object: &'s Object,
}

/// A provider's object that another one names.
pub enum External<'s> {
    /// Nothing is named, or it does not exist.
    None,
    /// It is there.
    Found(&'s str),
    /// It was not read; this is what the object that names it last saw of it.
    LastSeen(String),
    /// It was not read, and nobody has seen it.
    NotRead,
}

impl External<'_> {
    /// The object's text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Found(text) => Some(text),
            Self::LastSeen(text) => Some(text),
            Self::None | Self::NotRead => None,
        }
    }
}

impl<'s> Reading<'s> {
    /// The Cluster that the object names.
    pub fn cluster(&self) -> Option<&'s Cluster<'s>> {
        self.cluster_object().and_then(Object::cluster)
    }

    /// The same as it is kept.
    pub fn cluster_object(&self) -> Option<&'s Object> {
        let name = self.object.cluster_name()?;
        self.store.subject(&Subject::new(Kind::Cluster, &self.subject.namespace, name))
    }

    /// The workload cluster that the object belongs to.
    pub fn workload_cluster(&self) -> WorkloadCluster {
        WorkloadCluster::new(&self.subject.namespace, self.object.cluster_name().unwrap_or_default())
    }

    /// The MachineSets that the object controls.
    pub fn machine_sets(&self) -> impl Iterator<Item = &'s Object> + use<'s> {
        self.store.controlled(self.subject, Kind::MachineSet)
    }

    /// The Machines that the object controls.
    pub fn machines(&self) -> impl Iterator<Item = &'s Object> + use<'s> {
        self.store.controlled(self.subject, Kind::Machine)
    }

    /// The Machines of the MachineSets that the object controls.
    pub fn machines_below(&self) -> impl Iterator<Item = &'s Object> + use<'s> {
        let store = self.store;
        let sets = self.machine_sets().filter_map(Object::metadata);
        sets.flat_map(move |set| {
            store.controlled(&Subject::new(Kind::MachineSet, &set.namespace, &set.name), Kind::Machine)
        })
    }

    /// The objects of a kind that belong to the Cluster which the object is.
    pub fn of_cluster(&self, kind: Kind) -> impl Iterator<Item = &'s Object> + use<'s> {
        let name = &*self.subject.name;
        self.store.all(kind, &self.subject.namespace).filter(move |object| object.cluster_name() == Some(name))
    }

    /// The Machines of the MachinePool which the object is: labelled as its own, and nobody else's.
    pub fn pool_machines(&self) -> impl Iterator<Item = &'s Object> + use<'s> {
        let (store, subject) = (self.store, self.subject);
        let uid = self.object.metadata().map_or("", |metadata| &metadata.uid);
        let of_cluster = self.object.cluster_name();
        store.all(Kind::Machine, &subject.namespace).filter(move |object| {
            let pool = object.metadata().and_then(|metadata| metadata.label(view::label::MACHINE_POOL));
            let free = references::controller(object).is_none_or(|controller| {
                controller.subject().as_ref() == Some(subject) && references::is_controlled_by(object, uid)
            });
            free && pool.is_some_and(|pool| *pool == *subject.name) && object.cluster_name() == of_cluster
        })
    }

    /// The MachineSet that controls a Machine, and the MachineDeployment that controls that.
    pub fn owners(&self) -> (Option<&'s Object>, Option<&'s Object>) {
        let set = self.store.controller_of(self.object, Kind::MachineSet);
        let deployment = set.and_then(|set| self.store.controller_of(set, Kind::MachineDeployment));
        (set, deployment)
    }

    /// The MachineDeployment that controls a MachineSet.
    pub fn deployment(&self) -> Option<&'s Object> {
        self.store.controller_of(self.object, Kind::MachineDeployment)
    }

    /// The other MachineSets of the MachineDeployment that controls a MachineSet.
    pub fn siblings(&self) -> impl Iterator<Item = &'s Object> + use<'s> {
        let deployment = self.deployment().and_then(Object::metadata);
        let owner = deployment.map(|m| Subject::new(Kind::MachineDeployment, &m.namespace, &m.name));
        let (store, own) = (self.store, &*self.subject.name);
        let sets = owner.map(|owner| store.controlled(&owner, Kind::MachineSet)).into_iter().flatten();
        sets.filter(move |set| set.metadata().is_some_and(|metadata| metadata.name != *own))
    }

    /// The Nodes of the object's workload cluster.
    pub fn nodes(&self) -> OfWorkload<'s> {
        self.store.nodes(&self.workload_cluster())
    }

    /// The remediation requests of a health check, each named like a Machine.
    pub fn requests(&self, check: &MachineHealthCheck<'_>) -> impl Iterator<Item = &'s Object> + use<'s> {
        let requests = references::request(check, "").and_then(|request| self.store.place(&request.place));
        let machines = self.store.place(&Place::of(Kind::Machine, &self.subject.namespace));
        let of_machine = move |name: &str| machines.is_some_and(|machines| machines.contains_key(name));
        requests.into_iter().flatten().filter(move |(name, _)| of_machine(name)).map(|(_, request)| request)
    }

    /// An object that is named. Where it was not read, the condition of this type may say what was last seen of it.
    pub fn external(&self, name: Option<ObjectRef>, mirrored_in: Option<&str>) -> External<'s> {
        let Some(name) = name else { return External::None };
        match self.completeness.presence(self.store, &name) {
            Presence::Found => self.store.get(&name).map_or(External::None, |object| External::Found(object.text())),
            Presence::Missing => External::None,
            Presence::NotRead => {
                let stored = self.mirror(mirrored_in);
                stored.map_or(External::NotRead, |stored| External::LastSeen(last_seen(&name.place.kind, stored)))
            }
        }
    }

    /// Whether an object that is named was not read, and no condition says what was last seen of it.
    pub fn is_not_read(&self, name: Option<ObjectRef>, mirrored_in: Option<&str>) -> bool {
        let presence = name.map(|name| self.completeness.presence(self.store, &name));
        presence == Some(Presence::NotRead) && self.mirror(mirrored_in).is_none()
    }

    fn mirror(&self, condition_type: Option<&str>) -> Option<&view::Condition<'_>> {
        self.object.conditions()?.of_type(condition_type?)
    }

    /// The control plane of the object's Cluster.
    pub fn control_plane(&self) -> External<'s> {
        self.external(self.cluster().and_then(references::control_plane), None)
    }

    /// Whether an object that is named does not exist.
    pub fn is_missing(&self, name: Option<ObjectRef>) -> bool {
        name.is_some_and(|name| self.completeness.presence(self.store, &name) == Presence::Missing)
    }

    /// Whether everything of a kind that the decision reads is there.
    pub fn is_listed(&self, kind: Kind) -> bool {
        self.completeness.is_complete(self.store, &Place::of(kind, &self.subject.namespace))
    }

    /// The Machines that belong to the object's Cluster.
    pub fn machines_of_cluster(&self) -> impl Iterator<Item = &'s Machine<'s>> + use<'s> {
        let name = self.object.cluster_name().unwrap_or_default();
        let machines = self.store.machines(&self.subject.namespace);
        machines.filter(move |machine| {
            let label = machine.metadata.label(view::label::CLUSTER_NAME);
            machine.spec.cluster_name == *name || label.is_some_and(|label| *label == *name)
        })
    }
}

/// An object of a provider with the one condition that was seen of it.
fn last_seen(kind: &str, stored: &view::Condition<'_>) -> String {
    #[derive(Serialize)]
    struct LastSeen<'a> {
        kind: &'a str,
        status: Status<'a>,
    }
    #[derive(Serialize)]
    struct Status<'a> {
        conditions: Vec<Ready<'a>>,
    }
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Ready<'a> {
        r#type: &'a str,
        status: &'a str,
        reason: &'a str,
        message: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        last_transition_time: Option<Time>,
        #[serde(skip_serializing_if = "Option::is_none")]
        observed_generation: Option<i64>,
    }
    let ready = Ready {
        r#type: "Ready",
        status: &stored.status,
        reason: &stored.reason,
        message: &stored.message,
        last_transition_time: stored.last_transition_time,
        observed_generation: stored.observed_generation,
    };
    written(&LastSeen { kind, status: Status { conditions: vec![ready] } })
}
