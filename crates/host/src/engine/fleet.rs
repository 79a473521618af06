//! A fleet in the policy: objects that stay in an instance between decisions, put into a new one when it fails.

use super::functions::Functions;
use super::instances::Instances;
use super::session::Session;
use super::{About, contract, sandbox};
use crate::cache;
use crate::error::EngineError;
use crate::limits::Options;
pub use capi_policy::fleet::{Assumption, WorkloadCluster};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use wasmtime::component::Linker;

/// A policy component for fleets, compiled and linked: its instances are few and stay.
pub struct FleetEngine {
    instances: Instances,
    about: About,
}

/// The name of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectName {
    /// Its API group. What can be decided about is known without it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// Its kind.
    pub kind: String,
    /// Its namespace; empty for a Node.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// For a Node: the workload cluster it was read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workload_cluster: Option<WorkloadCluster>,
}

/// Objects that a host lists with one request.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    /// The API group. That of Cluster API's own kinds is known without it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The namespace; none: all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// For Nodes: the workload cluster they are read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload_cluster: Option<WorkloadCluster>,
}

/// How to evaluate.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct How<'a> {
    /// The time of the evaluation, RFC 3339.
    pub now: &'a str,
    /// The profile.
    pub profile: &'a str,
    /// Whether to tell how each table came to its answer.
    pub explain: bool,
}

#[derive(Serialize)]
struct Due<'a> {
    now: &'a str,
}

#[derive(Serialize)]
struct Request<'a> {
    #[serde(flatten)]
    object: &'a ObjectName,
    #[serde(flatten)]
    how: How<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<&'a str>,
}

/// Objects and what the policy knows about them. Everything in the policy's instance is also here, so that an instance that
/// traps or reaches a limit costs time and nothing else.
pub struct Fleet {
    instances: Instances,
    objects: BTreeMap<ObjectName, Arc<str>>,
    facts: BTreeMap<ObjectName, String>,
    marks: BTreeMap<Scope, bool>,
    assumption: Assumption,
    live: Option<Session>,
    /// How many instances it has taken.
    taken: usize,
}

impl FleetEngine {
    /// Loads the policy from its file.
    pub fn load(path: impl AsRef<Path>, options: &Options) -> Result<Arc<Self>, EngineError> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|source| EngineError::Unreadable { path: path.to_owned(), source })?;
        Self::from_bytes(&bytes, options)
    }

    /// Loads the policy from the bytes of its component.
    pub fn from_bytes(bytes: &[u8], options: &Options) -> Result<Arc<Self>, EngineError> {
        let engine = sandbox::create_for_few(&options.limits)?;
        let digest = cache::digest(bytes);
        let compiled = cache::compile(&engine, bytes, &digest, &options.cache)?;
        let exports = contract::check(&compiled.component)?;
        let policy = Linker::new(&engine).instantiate_pre(&compiled.component).map_err(EngineError::not_a_policy)?;
        let functions = Arc::new(Functions::of(&policy).map_err(EngineError::not_a_policy)?);
        let about = About { digest, size: bytes.len(), exports, from_cache: compiled.from_cache, pooled: false };
        let instances = Instances { policy, functions, limits: options.limits.clone(), slots: None };
        instances.session()?.check_types()?;
        let engine = Self { instances, about };
        Ok(Arc::new(engine))
    }

    /// What is known about it from outside.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// What the policy is, and its tables, as JSON.
    pub fn catalog(&self) -> Result<String, EngineError> {
        self.instances.session()?.catalog()
    }

    /// A fleet without any object.
    pub fn fleet(&self) -> Fleet {
        Fleet::new(self.instances.clone())
    }
}

impl Fleet {
    pub(super) fn new(instances: Instances) -> Self {
        Self {
            instances,
            objects: BTreeMap::new(),
            facts: BTreeMap::new(),
            marks: BTreeMap::new(),
            assumption: Assumption::default(),
            live: None,
            taken: 0,
        }
    }

    /// Takes in an object, JSON as the API server serves it. One that can't be read changes nothing.
    pub fn upsert(&mut self, object: ObjectName, text: impl Into<Arc<str>>) -> Result<(), EngineError> {
        let text = text.into();
        self.call(|live| upsert(live, &object, &text))?;
        self.objects.insert(object, text);
        Ok(())
    }

    /// The object does not exist, or no longer.
    pub fn remove(&mut self, object: &ObjectName) -> Result<(), EngineError> {
        self.objects.remove(object);
        self.facts.remove(object);
        self.call(|live| live.fleet(|json, store| json.call_fleet_remove(store, &text(object))))
    }

    /// Everything in a scope was passed in, or no longer counts as such.
    pub fn mark(&mut self, scope: Scope, complete: bool) -> Result<(), EngineError> {
        self.call(|live| mark(live, &scope, complete))?;
        self.marks.insert(scope, complete);
        Ok(())
    }

    /// Sets what counts as completely listed where nobody said so.
    pub fn assume(&mut self, assumption: Assumption) -> Result<(), EngineError> {
        if std::mem::replace(&mut self.assumption, assumption) == assumption {
            return Ok(());
        }
        self.call(|live| live.fleet(|json, store| json.call_fleet_assume(store, assumption.name())))
    }

    /// Reports what could and could not be read for an object: JSON as in a snapshot's `observed`.
    pub fn observe(&mut self, object: ObjectName, facts: String) -> Result<(), EngineError> {
        self.call(|live| live.fleet(|json, store| json.call_fleet_observe(store, &text(&object), &facts)))?;
        self.facts.insert(object, facts);
        Ok(())
    }

    /// What the fleet needs, as JSON.
    pub fn wanted(&mut self) -> Result<String, EngineError> {
        self.call(|live| live.fleet(|json, store| json.call_fleet_wanted(store).map(Ok)))
    }

    /// The objects that can be decided about.
    pub fn decidable(&mut self) -> Result<Vec<ObjectName>, EngineError> {
        names(&self.call(|live| live.fleet(|json, store| json.call_fleet_decidable(store).map(Ok)))?)
    }

    /// The objects that have to be evaluated by now.
    pub fn due(&mut self, now: &str) -> Result<Vec<ObjectName>, EngineError> {
        let request = text(&Due { now });
        names(&self.call(|live| live.fleet(|json, store| json.call_fleet_due(store, &request)))?)
    }

    /// The decision about an object as JSON.
    pub fn evaluate(&mut self, object: &ObjectName, how: How<'_>) -> Result<String, EngineError> {
        let request = text(&Request { object, how, until: None });
        self.call(|live| live.fleet(|json, store| json.call_fleet_evaluate(store, &request)))
    }

    /// The decision about an object as JSON, reduced to what differs from the last update.
    pub fn update(&mut self, object: &ObjectName, how: How<'_>) -> Result<String, EngineError> {
        let request = text(&Request { object, how, until: None });
        self.call(|live| live.fleet(|json, store| json.call_fleet_update(store, &request)))
    }

    /// The decisions to come up to `until`, as JSON.
    pub fn forecast(&mut self, object: &ObjectName, how: How<'_>, until: &str) -> Result<String, EngineError> {
        let request = text(&Request { object, how, until: Some(until) });
        self.call(|live| live.fleet(|json, store| json.call_fleet_forecast(store, &request)))
    }

    /// The snapshot that the decision about an object reads, as JSON.
    pub fn snapshot(&mut self, object: &ObjectName, how: How<'_>) -> Result<String, EngineError> {
        let request = text(&Request { object, how, until: None });
        self.call(|live| live.fleet(|json, store| json.call_fleet_snapshot(store, &request)))
    }

    /// How many instances it has taken so far: one, and one more after each failure.
    pub fn instances(&self) -> usize {
        self.taken
    }

    /// Calls the policy. When an instance fails that has served other calls before, a new one gets the call once more.
    fn call<T>(&mut self, call: impl Fn(&mut Session) -> Result<T, EngineError>) -> Result<T, EngineError> {
        let was_live = self.live.is_some();
        match self.attempt(&call) {
            Err(_) if was_live && self.live.is_none() => self.attempt(&call),
            result => result,
        }
    }

    fn attempt<T>(&mut self, call: &impl Fn(&mut Session) -> Result<T, EngineError>) -> Result<T, EngineError> {
        let mut live = if let Some(live) = self.live.take() {
            live
        } else {
            self.taken += 1;
            self.filled()?
        };
        let result = call(&mut live);
        // After a trap nothing can be said about an instance's state; it is not put back.
        if matches!(&result, Ok(_) | Err(EngineError::Malformed { .. })) {
            self.live = Some(live);
        }
        result
    }

    /// A new instance that knows everything that this fleet was told.
    fn filled(&self) -> Result<Session, EngineError> {
        let mut live = self.instances.session()?;
        live.fleet(|json, store| json.call_fleet_assume(store, self.assumption.name()))?;
        for (object, text) in &self.objects {
            upsert(&mut live, object, text)?;
        }
        for (object, facts) in &self.facts {
            live.fleet(|json, store| json.call_fleet_observe(store, &text(object), facts))?;
        }
        for (scope, complete) in &self.marks {
            mark(&mut live, scope, *complete)?;
        }
        Ok(live)
    }
}

fn upsert(live: &mut Session, object: &ObjectName, object_text: &str) -> Result<(), EngineError> {
    live.check_size(object_text)?;
    let cluster = object.workload_cluster.as_ref().map(text);
    live.fleet(|json, store| json.call_fleet_upsert(store, object_text, cluster.as_deref()))
}

fn mark(live: &mut Session, scope: &Scope, complete: bool) -> Result<(), EngineError> {
    let scope = text(scope);
    live.fleet(|json, store| {
        if complete {
            json.call_fleet_mark_complete(store, &scope)
        } else {
            json.call_fleet_mark_incomplete(store, &scope)
        }
    })
}

/// JSON of values that consist of texts.
fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn names(json: &str) -> Result<Vec<ObjectName>, EngineError> {
    serde_json::from_str(json).map_err(|error| EngineError::InvalidAnswer {
        detail: format!("its list: {error}"),
        source: Some(error.into()),
    })
}
