//! An object as the fleet keeps it: its text, and for kinds with a view the view that borrows from it.

use super::name::Place;
use crate::error::Error;
use crate::view::{
    Cluster, Conditions, KubeadmControlPlane, Machine, MachineDeployment, MachineHealthCheck, MachinePool, MachineSet,
    Metadata, Node, Pod, label,
};
use yoke::Yoke;

/// A view together with the text it borrows from.
pub type Kept<View> = Yoke<View, Box<str>>;

/// The kinds that have views.
macro_rules! objects {
    ($($kind:ident $($get:ident)?,)*) => {
        /// An object of the fleet.
        pub enum Object {
            $(#[doc = stringify!($kind)] $kind(Box<Kept<$kind<'static>>>),)*
            /// An object of a provider or a ClusterClass, read when a decision needs it.
            Other(Box<str>),
        }

        impl Object {
            /// Reads an object that belongs in this place.
            pub fn read(place: &Place, text: Box<str>) -> Result<Self, Error> {
                let known = place.has_view();
                Ok(match &*place.kind {
                    $(stringify!($kind) if known => Self::$kind(Box::new(keep(text)?)),)*
                    _ => Self::Other(text),
                })
            }

            /// As the API server serves it.
            pub fn text(&self) -> &str {
                match self {
                    $(Self::$kind(object) => object.backing_cart(),)*
                    Self::Other(text) => text,
                }
            }

            /// Its metadata; `None` for an object without a view.
            pub fn metadata(&self) -> Option<&Metadata<'_>> {
                match self {
                    $(Self::$kind(object) => Some(&object.get().metadata),)*
                    Self::Other(_) => None,
                }
            }


            $($(#[doc = concat!("The ", stringify!($kind), " that it is.")]
            pub fn $get(&self) -> Option<&$kind<'_>> {
                match self {
                    Self::$kind(object) => Some(object.get()),
                    _ => None,
                }
            })?)*
        }

        $(impl Keep for $kind<'static> {
            fn keep(text: Box<str>) -> Result<Kept<Self>, Error> {
                Yoke::try_attach_to_cart(text, |text| crate::snapshot::read(text))
            }
        })*
    };
}

/// A view that can be kept with its text.
trait Keep: for<'a> yoke::Yokeable<'a> + Sized {
    fn keep(text: Box<str>) -> Result<Kept<Self>, Error>;
}

fn keep<View: Keep>(text: Box<str>) -> Result<Kept<View>, Error> {
    View::keep(text)
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
    Pod pod,
}

impl Object {
    /// The stored conditions of an object that can be decided about.
    pub fn conditions(&self) -> Option<&Conditions<'_>> {
        Some(match self {
            Self::Cluster(object) => &object.get().status.conditions,
            Self::KubeadmControlPlane(object) => &object.get().status.conditions,
            Self::Machine(object) => &object.get().status.conditions,
            Self::MachineDeployment(object) => &object.get().status.conditions,
            Self::MachineHealthCheck(object) => &object.get().status.conditions,
            Self::MachinePool(object) => &object.get().status.conditions,
            Self::MachineSet(object) => &object.get().status.conditions,
            Self::Node(_) | Self::Pod(_) | Self::Other(_) => return None,
        })
    }

    /// Whether decisions about other objects, or verdicts about other objects, read only a part of it.
    pub fn has_frame(&self) -> bool {
        matches!(
            self,
            Self::Cluster(_) | Self::MachineDeployment(_) | Self::MachineHealthCheck(_) | Self::MachineSet(_)
        )
    }

    /// The name of the Cluster it belongs to, as its spec says, else its label.
    pub fn cluster_name(&self) -> Option<&str> {
        let named = match self {
            Self::Machine(object) => &*object.get().spec.cluster_name,
            Self::MachineDeployment(object) => &*object.get().spec.cluster_name,
            Self::MachineHealthCheck(object) => &*object.get().spec.cluster_name,
            Self::MachineSet(object) => &*object.get().spec.cluster_name,
            Self::Cluster(object) => &*object.get().metadata.name,
            Self::MachinePool(object) => &*object.get().spec.cluster_name,
            Self::KubeadmControlPlane(_) | Self::Node(_) | Self::Pod(_) | Self::Other(_) => "",
        };
        let label = || self.metadata()?.label(label::CLUSTER_NAME).map(|name| &**name);
        Some(named).filter(|name| !name.is_empty()).or_else(label)
    }
}
