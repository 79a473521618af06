//! The fleet of this instance.

use super::evaluation::{all, some};
use super::types::{self, PolicyError};
use super::wit_fleet as wit;
use super::{Policy, with_fleet};
use crate::error::Error;
use crate::fleet::{
    Assumption, Audience, ObjectRef, Options, OutdatedObject, Presence, Scope, Subject, Wanted, WantedKind,
    WantedObject, WorkloadCluster,
};
use crate::snapshot::{Kind, Profile};
use crate::time::Time;

impl wit::Guest for Policy {
    fn upsert(object: String, workload_cluster: Option<wit::WorkloadCluster>) -> Result<(), PolicyError> {
        Ok(with_fleet(|fleet| fleet.upsert(object, workload_cluster.map(Into::into)))?)
    }

    fn remove(object: wit::ObjectRef) {
        with_fleet(|fleet| fleet.remove(&object.into()));
    }

    fn replace(scope: wit::Scope, objects: Vec<String>) -> Result<(), PolicyError> {
        Ok(with_fleet(|fleet| fleet.replace(&scope.into(), objects.iter().map(String::as_str)))?)
    }

    fn mark_complete(scope: wit::Scope) {
        with_fleet(|fleet| fleet.mark(&scope.into(), true));
    }

    fn mark_incomplete(scope: wit::Scope) {
        with_fleet(|fleet| fleet.mark(&scope.into(), false));
    }

    fn assume(assumption: wit::Assumption) {
        with_fleet(|fleet| fleet.assume(assumption.into()));
    }

    fn observe(audience: wit::Audience, facts: String) -> Result<(), PolicyError> {
        Ok(with_fleet(|fleet| fleet.observe(&audience.into(), &facts))?)
    }

    fn wanted() -> wit::Wants {
        with_fleet(|fleet| fleet.wanted()).into()
    }

    fn decidable() -> Vec<types::Subject> {
        all(with_fleet(|fleet| fleet.decidable()))
    }

    fn due(now: String, kinds: Option<Vec<types::Kind>>) -> Result<Vec<types::Subject>, PolicyError> {
        let now = Time::parse_named("now", &now)?;
        let kinds: Option<Vec<Kind>> = kinds.map(all);
        Ok(all(with_fleet(|fleet| kinds.map_or_else(|| fleet.due(now), |kinds| fleet.due_of(now, &kinds)))))
    }

    fn evaluate(object: types::Subject, options: wit::Options) -> Result<types::Decision, PolicyError> {
        let options = Options::try_from(options)?;
        Ok(with_fleet(|fleet| fleet.evaluate(&object.into(), options))?.into())
    }

    fn snapshot(object: types::Subject, options: wit::Options) -> Result<String, PolicyError> {
        let options = Options::try_from(options)?;
        Ok(with_fleet(|fleet| fleet.snapshot(&object.into(), options))?)
    }

    fn size() -> wit::Contents {
        let (objects, bytes) = with_fleet(|fleet| fleet.size());
        wit::Contents { objects: u32::try_from(objects).unwrap_or(u32::MAX), bytes: bytes as u64 }
    }

    fn clear() {
        with_fleet(crate::fleet::Fleet::clear);
    }
}

impl From<wit::WorkloadCluster> for WorkloadCluster {
    fn from(cluster: wit::WorkloadCluster) -> Self {
        Self { namespace: cluster.namespace.unwrap_or_default(), name: cluster.name }
    }
}

impl From<WorkloadCluster> for wit::WorkloadCluster {
    fn from(cluster: WorkloadCluster) -> Self {
        Self { namespace: some(cluster.namespace), name: cluster.name }
    }
}

impl From<wit::ObjectRef> for ObjectRef {
    fn from(object: wit::ObjectRef) -> Self {
        let (group, namespace) = (object.group.unwrap_or_default(), object.namespace.unwrap_or_default());
        let named = Self::new((&group, &object.kind), &namespace, &object.name);
        named.of_workload(object.workload_cluster.map(Into::into))
    }
}

impl From<ObjectRef> for wit::ObjectRef {
    fn from(ObjectRef { place, name }: ObjectRef) -> Self {
        Self {
            group: some(place.group),
            kind: place.kind,
            namespace: some(place.namespace),
            name,
            workload_cluster: place.workload_cluster.map(Into::into),
        }
    }
}

impl From<wit::Scope> for Scope {
    fn from(scope: wit::Scope) -> Self {
        let group = scope.group.unwrap_or_default();
        let workload_cluster = scope.workload_cluster.map(Into::into);
        Self { namespace: scope.namespace, workload_cluster, ..Self::of((&group, &scope.kind)) }
    }
}

impl From<Scope> for wit::Scope {
    fn from(scope: Scope) -> Self {
        Self {
            group: some(scope.group),
            kind: scope.kind,
            namespace: scope.namespace,
            workload_cluster: scope.workload_cluster.map(Into::into),
        }
    }
}

impl From<types::Kind> for Kind {
    fn from(kind: types::Kind) -> Self {
        match kind {
            types::Kind::Cluster => Self::Cluster,
            types::Kind::KubeadmControlPlane => Self::KubeadmControlPlane,
            types::Kind::MachineDeployment => Self::MachineDeployment,
            types::Kind::MachineSet => Self::MachineSet,
            types::Kind::MachineHealthCheck => Self::MachineHealthCheck,
            types::Kind::MachinePool => Self::MachinePool,
            types::Kind::Machine => Self::Machine,
        }
    }
}

impl From<types::Subject> for Subject {
    fn from(types::Subject { kind, namespace, name }: types::Subject) -> Self {
        Self { kind: kind.into(), namespace: namespace.unwrap_or_default(), name }
    }
}

impl From<Subject> for types::Subject {
    fn from(Subject { kind, namespace, name }: Subject) -> Self {
        Self { kind: kind.into(), namespace: some(namespace), name }
    }
}

impl From<wit::Assumption> for Assumption {
    fn from(assumption: wit::Assumption) -> Self {
        match assumption {
            wit::Assumption::Nothing => Self::Nothing,
            wit::Assumption::PresentKindsAreComplete => Self::PresentKindsAreComplete,
            wit::Assumption::EverythingIsComplete => Self::EverythingIsComplete,
        }
    }
}

impl From<wit::Audience> for Audience {
    fn from(audience: wit::Audience) -> Self {
        match audience {
            wit::Audience::All => Self::All,
            wit::Audience::WorkloadCluster(cluster) => Self::WorkloadCluster(cluster.into()),
            wit::Audience::Object(subject) => Self::Object(subject.into()),
        }
    }
}

impl TryFrom<wit::Options> for Options {
    type Error = Error;

    fn try_from(options: wit::Options) -> Result<Self, Error> {
        let profile = options.profile.as_deref().map_or(Ok(Profile::default()), Profile::named)?;
        Ok(Self { now: Time::parse_named("now", &options.now)?, profile, explain: options.explain })
    }
}

impl From<Wanted> for wit::Wants {
    fn from(wanted: Wanted) -> Self {
        Self { kinds: all(wanted.kinds), objects: all(wanted.objects), outdated: all(wanted.outdated) }
    }
}

impl From<WantedKind> for wit::WantedKind {
    fn from(WantedKind { scope, complete }: WantedKind) -> Self {
        Self { scope: scope.into(), complete }
    }
}

impl From<WantedObject> for wit::WantedObject {
    fn from(WantedObject { object, presence }: WantedObject) -> Self {
        let presence = match presence {
            Presence::Found => wit::Presence::Found,
            Presence::Missing => wit::Presence::Missing,
            Presence::NotRead => wit::Presence::NotRead,
        };
        Self { object: object.into(), presence }
    }
}

impl From<OutdatedObject> for wit::OutdatedObject {
    fn from(OutdatedObject { object, version }: OutdatedObject) -> Self {
        Self { object: object.into(), version }
    }
}
