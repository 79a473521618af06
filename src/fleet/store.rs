//! Objects by kind and name, parsed once, with the indexes that relations need.
//!
//! Names that start alike stand together, so "the Machines of a namespace" or "what this controller owns" is one stretch.

use super::places::{Index, Places};
use crate::error::Error;
use crate::snapshot::read;
use crate::view::{
    Cluster, KubeadmControlPlane, Machine, MachineDeployment, MachineHealthCheck, MachinePool, MachineSet, Metadata,
    Node, Str,
};
use capi_policy_json::fields;
use yoke::Yoke;

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

/// A view together with the text it borrows from.
pub type Kept<View> = Yoke<View, Box<str>>;

/// A view together with a copy of the text it borrows from.
macro_rules! keep {
    ($view:ty, $text:expr) => {
        yoke::Yoke::<$view, Box<str>>::try_attach_to_cart(Box::<str>::from($text), |text| $crate::snapshot::read(text))
    };
}
pub(super) use keep;

/// The kinds that have views.
macro_rules! objects {
    ($($kind:ident $($get:ident)?,)*) => {
        /// An object of the fleet.
        pub enum Object {
            $(#[doc = stringify!($kind)] $kind(Box<Kept<$kind<'static>>>),)*
            /// An object of a provider, read when a decision needs it.
            Other(Box<str>),
        }

        impl Object {
            fn read(kind: &str, text: &str) -> Result<Self, Error> {
                Ok(match kind {
                    $(stringify!($kind) => Self::$kind(Box::new(keep!($kind<'static>, text)?)),)*
                    _ => Self::Other(text.into()),
                })
            }

            /// As the API server serves it.
            pub fn text(&self) -> &str {
                match self {
                    $(Self::$kind(object) => object.backing_cart(),)*
                    Self::Other(text) => text,
                }
            }

            /// Its metadata; `None` for a provider's object.
            pub fn metadata(&self) -> Option<&Metadata<'_>> {
                match self {
                    $(Self::$kind(object) => Some(&object.get().metadata),)*
                    Self::Other(_) => None,
                }
            }

            fn is_provided(&self) -> bool {
                matches!(self, Self::Other(_) | Self::KubeadmControlPlane(_))
            }

            $($(#[doc = concat!("The ", stringify!($kind), " that it is.")]
            pub fn $get(&self) -> Option<&$kind<'_>> {
                match self {
                    Self::$kind(object) => Some(object.get()),
                    _ => None,
                }
            })?)*
        }
    };
}

objects! {
    Cluster cluster,
    KubeadmControlPlane,
    Machine machine,
    MachineDeployment machine_deployment,
    MachineHealthCheck machine_health_check,
    MachinePool machine_pool,
    MachineSet machine_set,
    Node node,
}

impl<'a> Header<'a> {
    /// Reads kind and name.
    pub fn read(text: &'a str) -> Result<Self, Error> {
        read(text)
    }

    /// Where the object stands.
    pub fn key(&self) -> String {
        key(&self.kind, &self.metadata.namespace, &self.metadata.name)
    }
}

/// Where an object stands. No name of Kubernetes has a space.
pub fn key(kind: &str, namespace: &str, name: &str) -> String {
    [kind, " ", namespace, " ", name].concat()
}

/// Everything a fleet holds.
#[derive(Default)]
pub struct Store {
    objects: Places<Object>,
    /// MachineSets and Machines by the uid of their controller: `uid key`.
    owned: Index,
    /// Machines by the name of their Node: `node key`.
    by_node: Index,
    /// Nodes by their names alone: a health check asks for as many as it has machines.
    nodes: Index,
}

impl Store {
    /// Puts an object in place of what was there under its name.
    pub fn insert(&mut self, header: &Header<'_>, text: &str) -> Result<(), Error> {
        // Parsed before anything is touched: what can't be read leaves everything as it was.
        let object = Object::read(&header.kind, text)?;
        self.remove(header);
        let key = header.key();
        let relations = relations(&object, &key);
        let place = self.objects.insert(key, object);
        for (relation, name) in relations {
            self.index(relation).insert(name.into(), place);
        }
        Ok(())
    }

    /// Takes an object out.
    pub fn remove(&mut self, header: &Header<'_>) {
        let key = header.key();
        let Some(object) = self.objects.remove(key.clone()) else { return };
        for (relation, name) in relations(&object, &key) {
            self.index(relation).remove(&Str::from(name));
        }
    }

    /// An object by its name.
    pub fn get(&self, kind: &str, namespace: &str, name: &str) -> Option<&Object> {
        self.objects.get(&key(kind, namespace, name))
    }

    /// What a reference names: an object of a provider, as a KubeadmControlPlane is one too. A reference to any other
    /// kind with a view leads nowhere.
    pub fn provided(&self, kind: &str, namespace: &str, name: &str) -> Option<&Object> {
        self.get(kind, namespace, name).filter(|object| object.is_provided())
    }

    /// Everything of a kind that a reference can name, with its name.
    pub fn provided_by<'s>(
        &'s self,
        kind: &str,
        namespace: &str,
    ) -> impl Iterator<Item = (&'s str, &'s Object)> + use<'s> {
        let objects = self.objects.starting(&[kind, " ", namespace].concat());
        objects.filter(|(_, _, object)| object.is_provided()).map(|(name, _, object)| (name, object))
    }

    /// Where a Machine is kept: a number that no other object has meanwhile.
    pub fn place_of_machine(&self, namespace: &str, name: &str) -> Option<usize> {
        self.objects.place(&key("Machine", namespace, name))
    }

    /// The objects of one kind in a namespace, by name.
    pub fn all<'s>(&'s self, kind: &str, namespace: &str) -> impl Iterator<Item = &'s Object> + use<'s> {
        self.objects.starting(&[kind, " ", namespace].concat()).map(|(_, _, object)| object)
    }

    /// The Machines of a namespace by name, each with its place.
    pub fn machines<'s>(&'s self, namespace: &str) -> impl Iterator<Item = (usize, &'s Machine<'s>)> + use<'s> {
        let machines = self.objects.starting(&["Machine ", namespace].concat());
        machines.filter_map(|(_, place, object)| Some((place, object.machine()?)))
    }

    /// The objects that a controller with this uid owns, by kind and name. Without a uid, nobody owns anything.
    pub fn owned<'s>(&'s self, uid: &str) -> impl Iterator<Item = &'s Object> + use<'s> {
        self.objects.listed(&self.owned, if uid.is_empty() { "no uid" } else { uid }).map(|(_, _, object)| object)
    }

    /// A Node by its name.
    pub fn node(&self, name: &str) -> Option<&Node<'_>> {
        self.objects.find(&self.nodes, name).and_then(Object::node)
    }

    /// The machines on a Node, each with its place.
    pub fn on_node<'s>(&'s self, name: &str) -> impl Iterator<Item = (usize, &'s Machine<'s>)> + use<'s> {
        let machines = self.objects.listed(&self.by_node, name);
        machines.filter_map(|(_, place, object)| Some((place, object.machine()?)))
    }

    fn index(&mut self, relation: Relation) -> &mut Index {
        match relation {
            Relation::Owned => &mut self.owned,
            Relation::OnNode => &mut self.by_node,
            Relation::Node => &mut self.nodes,
        }
    }
}

#[derive(Clone, Copy)]
enum Relation {
    Owned,
    OnNode,
    Node,
}

/// The names under which an object is found besides its own.
fn relations(object: &Object, key: &str) -> Vec<(Relation, String)> {
    let (metadata, node) = match object {
        Object::Machine(machine) => (&machine.get().metadata, &*machine.get().status.node_ref.name),
        Object::MachineSet(set) => (&set.get().metadata, ""),
        Object::Node(node) => {
            let metadata = &node.get().metadata;
            let named = metadata.namespace.is_empty().then(|| (Relation::Node, metadata.name.to_string()));
            return named.into_iter().collect();
        }
        _ => return Vec::new(),
    };
    let names = [(Relation::Owned, controller(metadata)), (Relation::OnNode, node)];
    let known = names.into_iter().filter(|(_, name)| !name.is_empty());
    known.map(|(relation, name)| (relation, format!("{name} {key}"))).collect()
}

/// The uid of the controller that owns an object; empty when nobody does.
pub fn controller<'m>(metadata: &'m Metadata<'_>) -> &'m str {
    metadata.owner_references.iter().find(|owner| owner.controller).map_or("", |owner| &owner.uid)
}
