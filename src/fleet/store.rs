//! Objects by kind and name, parsed once, with the indexes that relations need.

use crate::error::Error;
use crate::snapshot::read;
use crate::view::{
    Cluster, KubeadmControlPlane, Machine, MachineDeployment, MachineHealthCheck, MachineSet, Metadata, Node, Str,
};
use capi_policy_json::fields;
use std::collections::{BTreeMap, BTreeSet};
use yoke::{Yoke, Yokeable};

/// Namespace and name.
pub type Key = (String, String);

/// A view together with the text it borrows from.
pub type Kept<View> = Yoke<View, Box<str>>;

/// Objects of one kind.
pub type Objects<View> = BTreeMap<Key, Kept<View>>;

fields! {
    /// Which object a text is about.
    #[derive(Clone, Debug, Default)]
    pub struct Header<'a> requires "kind" kind {
        "kind" => kind: Str<'a>,
        "metadata" => metadata: Named<'a>,
    }

    /// Namespace and name as an object carries them.
    #[derive(Clone, Debug, Default)]
    pub struct Named<'a> requires "name" name {
        "namespace" => namespace: Str<'a>,
        "name" => name: Str<'a>,
    }
}

impl<'a> Header<'a> {
    /// Reads kind and name.
    pub fn read(text: &'a str) -> Result<Self, Error> {
        read(text)
    }

    /// Namespace and name.
    pub fn key(&self) -> Key {
        (self.metadata.namespace.to_string(), self.metadata.name.to_string())
    }
}

/// Everything a fleet holds.
#[derive(Default)]
pub struct Store {
    pub clusters: Objects<Cluster<'static>>,
    pub control_planes: Objects<KubeadmControlPlane<'static>>,
    pub health_checks: Objects<MachineHealthCheck<'static>>,
    pub machine_deployments: Objects<MachineDeployment<'static>>,
    pub machine_sets: Objects<MachineSet<'static>>,
    pub machines: Objects<Machine<'static>>,
    pub nodes: Objects<Node<'static>>,
    /// Objects of providers, by kind: their text, read when a decision needs it.
    pub others: BTreeMap<(String, Key), Box<str>>,
    /// MachineSets and Machines by the uid of their controller.
    pub owned: BTreeMap<String, BTreeSet<Key>>,
    /// Machines by the name of their Node.
    pub by_node: BTreeMap<String, BTreeSet<Key>>,
}

/// A view together with a copy of the text it borrows from.
macro_rules! keep {
    ($view:ty, $text:expr) => {
        yoke::Yoke::<$view, Box<str>>::try_attach_to_cart(Box::<str>::from($text), |text| $crate::snapshot::read(text))
    };
}
pub(super) use keep;

impl Store {
    /// Puts an object in place of what was there under its name.
    pub fn insert(&mut self, header: &Header<'_>, text: &str) -> Result<(), Error> {
        // Parsed before anything is touched: what can't be read leaves everything as it was.
        let key = header.key();
        match &*header.kind {
            "Cluster" => drop(self.clusters.insert(key, keep!(Cluster<'static>, text)?)),
            "KubeadmControlPlane" => {
                self.control_planes.insert(key.clone(), keep!(KubeadmControlPlane<'static>, text)?);
                self.others.insert((header.kind.to_string(), key), text.into());
            }
            "MachineHealthCheck" => drop(self.health_checks.insert(key, keep!(MachineHealthCheck<'static>, text)?)),
            "MachineDeployment" => drop(self.machine_deployments.insert(key, keep!(MachineDeployment<'static>, text)?)),
            "MachineSet" => {
                let set = keep!(MachineSet<'static>, text)?;
                self.remove(header);
                index(&mut self.owned, controller(&set.get().metadata), &key);
                self.machine_sets.insert(key, set);
            }
            "Machine" => {
                let machine = keep!(Machine<'static>, text)?;
                self.remove(header);
                index(&mut self.owned, controller(&machine.get().metadata), &key);
                index(&mut self.by_node, &machine.get().status.node_ref.name, &key);
                self.machines.insert(key, machine);
            }
            "Node" => drop(self.nodes.insert(key, keep!(Node<'static>, text)?)),
            kind => drop(self.others.insert((kind.to_owned(), key), text.into())),
        }
        Ok(())
    }

    /// Takes an object out.
    pub fn remove(&mut self, header: &Header<'_>) {
        let key = header.key();
        match &*header.kind {
            "Cluster" => drop(self.clusters.remove(&key)),
            "KubeadmControlPlane" => {
                self.control_planes.remove(&key);
                self.others.remove(&(header.kind.to_string(), key));
            }
            "MachineHealthCheck" => drop(self.health_checks.remove(&key)),
            "MachineDeployment" => drop(self.machine_deployments.remove(&key)),
            "MachineSet" => {
                if let Some(set) = self.machine_sets.remove(&key) {
                    unindex(&mut self.owned, controller(&set.get().metadata), &key);
                }
            }
            "Machine" => {
                if let Some(machine) = self.machines.remove(&key) {
                    unindex(&mut self.owned, controller(&machine.get().metadata), &key);
                    unindex(&mut self.by_node, &machine.get().status.node_ref.name, &key);
                }
            }
            "Node" => drop(self.nodes.remove(&key)),
            kind => drop(self.others.remove(&(kind.to_owned(), key))),
        }
    }

    /// The machines that a controller with this uid owns.
    pub fn machines_of<'s>(&'s self, uid: &str) -> impl Iterator<Item = &'s Machine<'s>> {
        let owned = self.owned.get(uid).into_iter().flatten();
        owned.filter_map(|key| self.machines.get(key)).map(Yoke::get)
    }

    /// The MachineSets that a controller with this uid owns.
    pub fn machine_sets_of<'s>(&'s self, uid: &str) -> impl Iterator<Item = &'s MachineSet<'s>> {
        let owned = self.owned.get(uid).into_iter().flatten();
        owned.filter_map(|key| self.machine_sets.get(key)).map(Yoke::get)
    }

    /// The text of a provider's object.
    pub fn other(&self, kind: &str, namespace: &str, name: &str) -> Option<&str> {
        self.others.get(&(kind.to_owned(), (namespace.to_owned(), name.to_owned()))).map(|text| &**text)
    }
}

/// The objects of one namespace, by name.
pub fn in_namespace<'s, View>(objects: &'s Objects<View>, namespace: &str) -> impl Iterator<Item = &'s Kept<View>>
where
    View: for<'a> Yokeable<'a>,
{
    entries_in_namespace(objects, namespace).map(|(_, kept)| kept)
}

/// The names of the objects of one namespace.
pub fn keys_in_namespace<'s, View>(objects: &'s Objects<View>, namespace: &str) -> impl Iterator<Item = &'s Key>
where
    View: for<'a> Yokeable<'a>,
{
    entries_in_namespace(objects, namespace).map(|(key, _)| key)
}

fn entries_in_namespace<'s, View>(
    objects: &'s Objects<View>,
    namespace: &str,
) -> impl Iterator<Item = (&'s Key, &'s Kept<View>)>
where
    View: for<'a> Yokeable<'a>,
{
    let wanted = namespace.to_owned();
    let start = (wanted.clone(), String::new());
    objects.range(start..).take_while(move |((found, _), _)| *found == wanted)
}

/// The uid of the controller that owns an object; empty when nobody does.
pub fn controller<'m>(metadata: &'m Metadata<'_>) -> &'m str {
    metadata.owner_references.iter().find(|owner| owner.controller).map_or("", |owner| &owner.uid)
}

fn index(map: &mut BTreeMap<String, BTreeSet<Key>>, by: &str, key: &Key) {
    if !by.is_empty() {
        map.entry(by.to_owned()).or_default().insert(key.clone());
    }
}

fn unindex(map: &mut BTreeMap<String, BTreeSet<Key>>, by: &str, key: &Key) {
    if let Some(keys) = map.get_mut(by) {
        keys.remove(key);
        if keys.is_empty() {
            map.remove(by);
        }
    }
}
