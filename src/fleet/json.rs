//! The fleet's functions with JSON text both ways, for hosts that pass text. `wit/json.wit` describes the shapes.

use super::name::{ObjectRef, Scope, Subject, WorkloadCluster};
use super::{Assumption, Audience, Fleet, Options};
use crate::error::Error;
use crate::json::written;
use crate::snapshot::{Kind, Profile, read};
use crate::time::Time;
use capi_policy_json::{Raw, Str, fields};
use serde::Serialize;

fields! {
    /// The name of an object, a scope, a subject or an audience: each is a part of this.
    struct Named<'a> {
        "group" => group: Str<'a>,
        "kind" => kind: Str<'a>,
        "namespace" => namespace: Str<'a>,
        "name" => name: Str<'a>,
        "workloadCluster" => workload_cluster: Option<Cluster<'a>>,
    }

    struct Cluster<'a> requires "name" name {
        "namespace" => namespace: Str<'a>,
        "name" => name: Str<'a>,
    }

    /// An object and how to evaluate it, or the kinds to look at.
    struct Request<'a> requires "now" now {
        "kind" => kind: Option<Kind>,
        "kinds" => kinds: Option<Vec<Kind>>,
        "namespace" => namespace: Str<'a>,
        "name" => name: Str<'a>,
        "now" => now: Time,
        "profile" => profile: Profile,
        "explain" => explain: bool,
        "until" => until: Option<Time>,
    }

    /// A Kubernetes list.
    struct List<'a> requires "items" items { "items" => items: Option<Vec<Raw<'a>>> }
}

/// [`Fleet::upsert`].
pub fn upsert(fleet: &mut Fleet, object: impl Into<Box<str>>, workload_cluster: Option<&str>) -> Result<(), Error> {
    let cluster = workload_cluster.map(read::<Cluster<'_>>).transpose()?;
    fleet.upsert(object, cluster.map(Into::into))
}

/// [`Fleet::remove`].
pub fn remove(fleet: &mut Fleet, object: &str) -> Result<(), Error> {
    fleet.remove(&read::<Named<'_>>(object)?.object()?);
    Ok(())
}

/// [`Fleet::replace`]: `objects` is an array or a Kubernetes list.
pub fn replace(fleet: &mut Fleet, scope: &str, objects: &str) -> Result<(), Error> {
    let scope = read::<Named<'_>>(scope)?.scope()?;
    let items = if objects.trim_start().starts_with('[') {
        read::<Vec<Raw<'_>>>(objects)?
    } else {
        read::<List<'_>>(objects)?.items.unwrap_or_default()
    };
    fleet.replace(&scope, items.into_iter().map(Raw::text))
}

/// [`Fleet::mark`].
pub fn mark(fleet: &mut Fleet, scope: &str, complete: bool) -> Result<(), Error> {
    fleet.mark(&read::<Named<'_>>(scope)?.scope()?, complete);
    Ok(())
}

/// [`Fleet::assume`].
pub fn assume(fleet: &mut Fleet, assumption: &str) -> Result<(), Error> {
    let named = Assumption::ALL.iter().find(|one| one.name() == assumption);
    let expected = "nothing, presentKindsAreComplete or everythingIsComplete";
    fleet.assume(*named.ok_or_else(|| Error::expected("assumption", expected, written(&assumption)))?);
    Ok(())
}

/// [`Fleet::observe`].
pub fn observe(fleet: &mut Fleet, audience: &str, facts: &str) -> Result<(), Error> {
    let name: Named<'_> = read(audience)?;
    let audience = if name.kind.is_empty() {
        name.workload_cluster.map_or(Audience::All, |cluster| Audience::WorkloadCluster(cluster.into()))
    } else {
        Audience::Object(name.subject()?)
    };
    fleet.observe(&audience, facts)
}

/// [`Fleet::wanted`].
pub fn wanted(fleet: &Fleet) -> String {
    written(&fleet.wanted())
}

/// [`Fleet::decidable`].
pub fn decidable(fleet: &Fleet) -> String {
    written(&fleet.decidable())
}

/// [`Fleet::due`], or [`Fleet::due_of`] the kinds that the request names.
pub fn due(fleet: &Fleet, request: &str) -> Result<String, Error> {
    let Request { now, kinds, .. } = Request::parse(request)?;
    Ok(written(&kinds.map_or_else(|| fleet.due(now), |kinds| fleet.due_of(now, &kinds))))
}

/// [`Fleet::evaluate`].
pub fn evaluate(fleet: &mut Fleet, request: &str) -> Result<String, Error> {
    let request = Request::parse(request)?;
    Ok(written(&fleet.evaluate(&request.subject()?, request.options())?))
}

/// [`Fleet::update`].
pub fn update(fleet: &mut Fleet, request: &str) -> Result<String, Error> {
    let request = Request::parse(request)?;
    Ok(written(&fleet.update(&request.subject()?, request.options())?))
}

/// [`Fleet::forecast`].
pub fn forecast(fleet: &Fleet, request: &str) -> Result<String, Error> {
    let request = Request::parse(request)?;
    let until = request.until.ok_or_else(|| Error::expected("until", "RFC 3339", "none"))?;
    Ok(written(&fleet.forecast(&request.subject()?, request.options(), until)?))
}

/// [`Fleet::snapshot`].
pub fn snapshot(fleet: &Fleet, request: &str) -> Result<String, Error> {
    let request = Request::parse(request)?;
    fleet.snapshot(&request.subject()?, request.options())
}

/// [`Fleet::size`].
pub fn size(fleet: &Fleet) -> String {
    #[derive(Serialize)]
    struct Size {
        objects: usize,
        bytes: usize,
    }
    let (objects, bytes) = fleet.size();
    written(&Size { objects, bytes })
}

impl Named<'_> {
    fn object(self) -> Result<ObjectRef, Error> {
        self.require_kind()?;
        if self.name.is_empty() {
            return Err(Error::expected("name", "the name of an object", "none"));
        }
        let object = ObjectRef::new((&self.group, &self.kind), &self.namespace, &self.name);
        Ok(object.of_workload(self.workload_cluster.map(Into::into)))
    }

    fn scope(self) -> Result<Scope, Error> {
        self.require_kind()?;
        let namespace = Some(self.namespace.to_string()).filter(|namespace| !namespace.is_empty());
        let workload_cluster = self.workload_cluster.map(Into::into);
        Ok(Scope { namespace, workload_cluster, ..Scope::of((&self.group, &self.kind)) })
    }

    fn subject(&self) -> Result<Subject, Error> {
        Ok(Subject::new(Kind::named(&self.kind)?, &self.namespace, &self.name))
    }

    fn require_kind(&self) -> Result<(), Error> {
        if self.kind.is_empty() { Err(Error::expected("kind", "a kind", "none")) } else { Ok(()) }
    }
}

impl From<Cluster<'_>> for WorkloadCluster {
    fn from(cluster: Cluster<'_>) -> Self {
        Self::new(&cluster.namespace, &cluster.name)
    }
}

impl<'a> Request<'a> {
    fn parse(text: &'a str) -> Result<Self, Error> {
        read(text)
    }

    fn subject(&self) -> Result<Subject, Error> {
        let kind = self.kind.ok_or_else(|| Error::expected("kind", "a kind that can be evaluated", "none"))?;
        Ok(Subject::new(kind, &self.namespace, &self.name))
    }

    fn options(&self) -> Options {
        Options { now: self.now, profile: self.profile, explain: self.explain }
    }
}
