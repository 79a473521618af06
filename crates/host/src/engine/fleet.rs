//! Objects of one cluster in, decisions out, by a policy that keeps them: made anew from the host's own copy when it fails.

use super::session::{self, Guard};
use super::{About, contract, failure, sandbox};
use crate::bindings::keeping::exports::capi::policy::fleets::ObjectRef;
use crate::bindings::keeping::{FleetPolicy, FleetPolicyPre};
use crate::cache;
use crate::error::EngineError;
use crate::limits::{Limits, Options};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use wasmtime::Store;
use wasmtime::component::{Linker, ResourceAny};

/// A policy component that keeps objects, compiled and linked.
pub struct FleetEngine {
    policy: FleetPolicyPre<Guard>,
    limits: Limits,
    about: About,
}

/// The name of an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectName {
    /// Its kind.
    pub kind: String,
    /// Its namespace; empty for a Node.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

/// The objects of one cluster. Everything in the policy's instance is also here, so that an instance that traps or hits a
/// limit costs time and nothing else.
pub struct Fleet {
    engine: Arc<FleetEngine>,
    objects: BTreeMap<ObjectName, Arc<str>>,
    facts: BTreeMap<ObjectName, String>,
    live: Option<Live>,
    instances: usize,
}

/// An instance of the policy with everything told to it.
struct Live {
    store: Store<Guard>,
    policy: FleetPolicy,
    fleet: ResourceAny,
}

impl FleetEngine {
    /// Loads the policy from its file, `capi_policy.fleet.wasm`.
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
        let policy = Linker::new(&engine)
            .instantiate_pre(&compiled.component)
            .and_then(FleetPolicyPre::new)
            .map_err(EngineError::not_a_policy)?;
        let about = About { digest, size: bytes.len(), exports, from_cache: compiled.from_cache, pooled: false };
        Ok(Arc::new(Self { policy, limits: options.limits.clone(), about }))
    }

    /// What is known about it from outside.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// What the policy is, and its tables, as JSON.
    pub fn catalog(&self) -> Result<String, EngineError> {
        let mut store = session::store(self.policy.engine(), &self.limits);
        let policy = self.policy.instantiate(&mut store).map_err(|error| failure::at_start(error, &self.limits))?;
        let catalog = policy.capi_policy_fleets().call_catalog(&mut store);
        catalog.map_err(|error| failure::in_call(error, &self.limits))
    }

    /// A fleet without any object.
    pub fn fleet(self: &Arc<Self>) -> Fleet {
        let engine = Arc::clone(self);
        Fleet { engine, objects: BTreeMap::new(), facts: BTreeMap::new(), live: None, instances: 0 }
    }
}

impl Fleet {
    /// Takes in an object, JSON as the API server serves it. One that can't be read changes nothing.
    pub fn upsert(&mut self, object: ObjectName, text: impl Into<Arc<str>>) -> Result<(), EngineError> {
        let text = text.into();
        self.call(|live, limits| live.upsert(&text, limits))?;
        self.objects.insert(object, text);
        Ok(())
    }

    /// Forgets an object.
    pub fn remove(&mut self, object: &ObjectName) -> Result<(), EngineError> {
        self.objects.remove(object);
        self.facts.remove(object);
        self.call(|live, limits| live.remove(object, limits))
    }

    /// Says what could and could not be read for an object: JSON as in a snapshot's `observed`.
    pub fn observe(&mut self, object: ObjectName, facts: String) -> Result<(), EngineError> {
        self.call(|live, limits| live.observe(&object, &facts, limits))?;
        self.facts.insert(object, facts);
        Ok(())
    }

    /// The decision about an object as JSON; `now` is RFC 3339.
    pub fn evaluate(
        &mut self,
        object: &ObjectName,
        now: &str,
        profile: &str,
        explain: bool,
    ) -> Result<String, EngineError> {
        self.call(|live, limits| live.evaluate(object, now, profile, explain, limits))
    }

    /// The objects that have to be evaluated by now.
    pub fn due(&mut self, now: &str) -> Result<Vec<ObjectName>, EngineError> {
        self.call(|live, limits| live.due(now, limits))
    }

    /// How many instances it has taken so far: one, and one more after each failure.
    pub fn instances(&self) -> usize {
        self.instances
    }

    /// Calls the policy. When an instance fails that has served other calls before, a new one gets the call once more.
    fn call<T>(
        &mut self,
        mut call: impl FnMut(&mut Live, &Limits) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let was_live = self.live.is_some();
        match self.attempt(&mut call) {
            Err(_) if was_live && self.live.is_none() => self.attempt(&mut call),
            result => result,
        }
    }

    fn attempt<T>(
        &mut self,
        call: &mut impl FnMut(&mut Live, &Limits) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let limits = &self.engine.limits;
        let mut live = if let Some(live) = self.live.take() {
            live
        } else {
            self.instances += 1;
            Live::with(&self.engine, &self.objects, &self.facts)?
        };
        let result = call(&mut live, limits);
        // After a trap nothing can be said about an instance's state; it is not put back.
        if matches!(&result, Ok(_) | Err(EngineError::Malformed { .. })) {
            self.live = Some(live);
        }
        result
    }
}

impl Live {
    /// A new instance that knows all of this.
    fn with(
        engine: &FleetEngine,
        objects: &BTreeMap<ObjectName, Arc<str>>,
        facts: &BTreeMap<ObjectName, String>,
    ) -> Result<Self, EngineError> {
        let limits = &engine.limits;
        let mut store = session::store(engine.policy.engine(), limits);
        let start = |error| failure::at_start(error, limits);
        let policy = engine.policy.instantiate(&mut store).map_err(start)?;
        let fleet = policy.capi_policy_fleets().fleet().call_constructor(&mut store).map_err(start)?;
        let mut live = Self { store, policy, fleet };
        for text in objects.values() {
            live.upsert(text, limits)?;
        }
        for (object, facts) in facts {
            live.observe(object, facts, limits)?;
        }
        Ok(live)
    }

    fn upsert(&mut self, text: &str, limits: &Limits) -> Result<(), EngineError> {
        let Self { store, policy, fleet } = self.in_time(limits);
        accepted(policy.capi_policy_fleets().fleet().call_upsert(store, *fleet, text), limits)
    }

    fn remove(&mut self, object: &ObjectName, limits: &Limits) -> Result<(), EngineError> {
        let Self { store, policy, fleet } = self.in_time(limits);
        let removed = policy.capi_policy_fleets().fleet().call_remove(store, *fleet, &object.into());
        removed.map_err(|error| failure::in_call(error, limits))
    }

    fn observe(&mut self, object: &ObjectName, facts: &str, limits: &Limits) -> Result<(), EngineError> {
        let Self { store, policy, fleet } = self.in_time(limits);
        accepted(policy.capi_policy_fleets().fleet().call_observe(store, *fleet, &object.into(), facts), limits)
    }

    fn evaluate(
        &mut self,
        object: &ObjectName,
        now: &str,
        profile: &str,
        explain: bool,
        limits: &Limits,
    ) -> Result<String, EngineError> {
        let Self { store, policy, fleet } = self.in_time(limits);
        let fleets = policy.capi_policy_fleets();
        accepted(fleets.fleet().call_evaluate(store, *fleet, &object.into(), now, profile, explain), limits)
    }

    fn due(&mut self, now: &str, limits: &Limits) -> Result<Vec<ObjectName>, EngineError> {
        let Self { store, policy, fleet } = self.in_time(limits);
        let due = accepted(policy.capi_policy_fleets().fleet().call_due(store, *fleet, now), limits)?;
        Ok(due.into_iter().map(Into::into).collect())
    }

    /// Every call has the whole time limit.
    fn in_time(&mut self, limits: &Limits) -> &mut Self {
        self.store.set_epoch_deadline(sandbox::ticks(limits.timeout));
        self
    }
}

/// What the policy answered.
fn accepted<T>(answer: wasmtime::Result<Result<T, String>>, limits: &Limits) -> Result<T, EngineError> {
    let answer = answer.map_err(|error| failure::in_call(error, limits))?;
    answer.map_err(|error| EngineError::from_json(&error))
}

impl From<&ObjectName> for ObjectRef {
    fn from(object: &ObjectName) -> Self {
        Self { kind: object.kind.clone(), namespace: object.namespace.clone(), name: object.name.clone() }
    }
}

impl From<ObjectRef> for ObjectName {
    fn from(object: ObjectRef) -> Self {
        Self { kind: object.kind, namespace: object.namespace, name: object.name }
    }
}
