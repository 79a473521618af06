//! What the fleet needs to decide about everything it has.

use super::Fleet;
use super::completeness::Presence;
use super::name::{NODE, ObjectRef, POD, Place, STATIC_PODS, Scope, WorkloadCluster};
use super::object::Object;
use super::references;
use crate::snapshot::Kind;
use crate::sorted::Sorted;
use serde::Serialize;

/// What the fleet needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wanted {
    /// The kinds that it needs.
    pub kinds: Vec<WantedKind>,
    /// The objects that others refer to.
    pub objects: Vec<WantedObject>,
    /// Objects that it has in a version that the policy does not read.
    pub outdated: Vec<OutdatedObject>,
}

/// A kind that decisions need.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WantedKind {
    /// What to list.
    #[serde(flatten)]
    pub scope: Scope,
    /// Whether it counts as completely listed.
    pub complete: bool,
}

/// An object that another one refers to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WantedObject {
    /// The object.
    #[serde(flatten)]
    pub object: ObjectRef,
    /// Whether it is there.
    pub presence: Presence,
}

/// An object in a version that the policy does not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OutdatedObject {
    /// The object.
    #[serde(flatten)]
    pub object: ObjectRef,
    /// Its version.
    pub version: String,
}

/// What the fleet needs.
pub fn wanted(fleet: &Fleet) -> Wanted {
    let mut kinds = Kinds::default();
    for kind in Kind::ALL {
        let places = fleet.namespaces().map(|namespace| Place::of(*kind, namespace));
        kinds.0.push((Scope::of((kind.group(), kind.name())), places.collect()));
    }
    for cluster in fleet.clusters() {
        let place = Place::of_nodes(Some(cluster.clone()));
        kinds.0.push((Scope { workload_cluster: Some(cluster), ..Scope::of(NODE) }, vec![place]));
    }
    for cluster in fleet.control_planes() {
        let place = Place::of_static_pods(Some(cluster.clone()));
        let namespace = Some(STATIC_PODS.to_owned());
        kinds.0.push((Scope { namespace, workload_cluster: Some(cluster), ..Scope::of(POD) }, vec![place]));
    }
    let mut objects = Vec::new();
    for (place, name) in fleet.store.referred_to() {
        if !place.is_of_nodes() {
            kinds.add(place);
        }
        let object = ObjectRef { place: place.clone(), name: name.to_owned() };
        objects.push(WantedObject { presence: fleet.completeness.presence(&fleet.store, &object), object });
    }
    requests(fleet).for_each(|place| kinds.add(&place));
    let is_complete = |place: &Place| fleet.completeness.is_complete(&fleet.store, place);
    let kinds = kinds.0.into_iter().map(|(scope, places)| {
        let complete = !places.is_empty() && places.iter().all(is_complete);
        WantedKind { scope, complete }
    });
    let outdated = fleet.outdated.iter().cloned().map(|(object, version)| OutdatedObject { object, version });
    Wanted { kinds: kinds.collect(), objects, outdated: outdated.collect() }
}

/// Kinds that are needed, each with the places that objects of it are in.
#[derive(Default)]
struct Kinds(Vec<(Scope, Vec<Place>)>);

impl Kinds {
    fn add(&mut self, place: &Place) {
        let scope = Scope::of((&place.group, &place.kind));
        match self.0.iter_mut().find(|(known, _)| *known == scope) {
            Some((_, places)) if places.contains(place) => {}
            Some((_, places)) => places.push(place.clone()),
            None => self.0.push((scope, vec![place.clone()])),
        }
    }
}

/// Where remediation requests are listed.
fn requests(fleet: &Fleet) -> impl Iterator<Item = Place> {
    let checks = fleet.store.places().flat_map(|(_, named)| named.values()).filter_map(Object::machine_health_check);
    checks.filter_map(|check| references::request(check, "")).map(|request| request.place)
}

impl Fleet {
    /// Every namespace with an object that can be decided about.
    fn namespaces(&self) -> impl Iterator<Item = &str> {
        self.store.places().filter(|(place, _)| place.decidable().is_some()).map(|(place, _)| &*place.namespace)
    }

    /// The workload cluster of every KubeadmControlPlane.
    fn control_planes(&self) -> Vec<WorkloadCluster> {
        let planes = self.store.places().filter(|(place, _)| place.decidable() == Some(Kind::KubeadmControlPlane));
        let named = planes.flat_map(|(place, named)| named.values().map(move |object| (place, object)));
        let of =
            |(place, object): (&Place, &Object)| Some(WorkloadCluster::new(&place.namespace, object.cluster_name()?));
        let mut clusters: Vec<_> = named.filter_map(of).collect();
        clusters.order_by(Ord::cmp);
        clusters.dedup();
        clusters
    }

    /// The workload cluster of every Cluster.
    fn clusters(&self) -> impl Iterator<Item = WorkloadCluster> {
        let clusters = self.store.places().filter(|(place, _)| place.decidable() == Some(Kind::Cluster));
        clusters.flat_map(|(place, named)| named.keys().map(|name| WorkloadCluster::new(&place.namespace, name)))
    }
}
