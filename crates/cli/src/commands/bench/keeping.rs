//! A fleet in the policy: after the first evaluation, each one costs one changed machine and the decision.

use anyhow::Result;
use capi_policy_host::{Assumption, Engine, EngineError, Fleet, FleetEngine, How, ObjectName, Options};
use serde_json::Value;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};

/// The fields of a snapshot, with the kinds of what is in them.
const FIELDS: [(&str, &str); 7] = [
    ("cluster", "Cluster"),
    ("machineDeployment", "MachineDeployment"),
    ("machineHealthCheck", "MachineHealthCheck"),
    ("machineSets", "MachineSet"),
    ("machines", "Machine"),
    ("machine", "Machine"),
    ("nodes", "Node"),
];

/// A fleet for every snapshot that was asked for; none is as large as another.
pub struct Keeping {
    engine: Arc<FleetEngine>,
    told: Mutex<BTreeMap<usize, Told>>,
}

/// What a fleet was told.
struct Told {
    fleet: Fleet,
    about: ObjectName,
    now: String,
    profile: String,
    machine: ObjectName,
    /// What the machine is next, and what it is after that.
    texts: [String; 2],
}

impl Keeping {
    /// Loads the policy.
    pub fn load(policy: &[u8]) -> Result<Self, EngineError> {
        Ok(Self { engine: FleetEngine::from_bytes(policy, &Options::default())?, told: Mutex::default() })
    }

    fn tell(&self, snapshot: &str) -> Result<Told, EngineError> {
        let invalid = |detail: &str| EngineError::InvalidAnswer { detail: detail.to_owned(), source: None };
        let snapshot_value: Value = serde_json::from_str(snapshot).map_err(|error| invalid(&error.to_string()))?;
        let subject = snapshot_value["kind"].as_str().unwrap_or_default();
        let mut fleet = self.engine.fleet();
        fleet.assume(Assumption::EverythingIsComplete)?;
        let (mut about, mut machine) = (None, None);
        for (field, kind) in FIELDS {
            let objects = match &snapshot_value[field] {
                Value::Array(objects) => objects.iter().collect(),
                Value::Null => Vec::new(),
                object => vec![object],
            };
            for object in objects {
                let mut object = object.clone();
                object["kind"] = kind.into();
                let text = |field: &str| object["metadata"][field].as_str().unwrap_or_default().to_owned();
                let (namespace, name) = (text("namespace"), text("name"));
                let name = ObjectName { kind: kind.to_owned(), namespace, name, ..ObjectName::default() };
                fleet.upsert(name.clone(), object.to_string())?;
                if kind == subject {
                    about = Some(name.clone());
                }
                if kind == "Machine" {
                    machine = Some((name, object));
                }
            }
        }
        let (about, (machine, object)) =
            about.zip(machine).ok_or_else(|| invalid("nothing to decide, or no machine"))?;
        let text = |field: &str, default: &str| snapshot_value[field].as_str().unwrap_or(default).to_owned();
        let (now, profile) = (text("now", ""), text("profile", "documented"));
        let texts = [not_ready(object.clone()).to_string(), object.to_string()];
        Ok(Told { fleet, about, now, profile, machine, texts })
    }
}

impl Engine for Keeping {
    fn evaluate(&self, snapshot: &str) -> Result<String, EngineError> {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let Told { fleet, about, now, profile, machine, texts } = match told.entry(snapshot.len()) {
            Entry::Occupied(told) => told.into_mut(),
            Entry::Vacant(place) => place.insert(self.tell(snapshot)?),
        };
        fleet.upsert(machine.clone(), texts[0].clone())?;
        texts.swap(0, 1);
        fleet.evaluate(about, How { now, profile, explain: false })
    }

    fn forecast(&self, _snapshot: &str, _until: &str) -> Result<String, EngineError> {
        Err(EngineError::InvalidAnswer { detail: "a fleet makes no forecasts".to_owned(), source: None })
    }

    fn catalog(&self) -> Result<String, EngineError> {
        Err(EngineError::InvalidAnswer { detail: "a fleet has no catalog".to_owned(), source: None })
    }
}

/// The machine with its condition Ready turned False.
fn not_ready(mut machine: Value) -> Value {
    for condition in machine["status"]["conditions"].as_array_mut().into_iter().flatten() {
        if condition["type"] == "Ready" {
            condition["status"] = "False".into();
        }
    }
    machine
}
