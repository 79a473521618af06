//! The functions of the npm package, through wasm-bindgen: JSON text both ways.
//!
//! Snapshots come in as text because the text has one parser for every host, with the same bounds on size and depth and the
//! same errors; a JavaScript object can be endless. Everything leaves as text, errors too, because the writer is there for every
//! host, and a second one for JavaScript objects would be a tenth of the package. `pkg/src` makes objects of it.

use crate::fleet::{self, json};
use crate::{catalog, evaluate_json, forecast_json};
use wasm_bindgen::prelude::wasm_bindgen;

/// The evaluation of a snapshot.
#[wasm_bindgen]
pub fn evaluate(snapshot: &str) -> Result<String, String> {
    evaluate_json(snapshot).map_err(|error| error.json())
}

/// The forecast of a snapshot.
#[wasm_bindgen]
pub fn forecast(snapshot: &str, until: &str) -> Result<String, String> {
    forecast_json(snapshot, until).map_err(|error| error.json())
}

/// What this policy is and every table it runs.
#[wasm_bindgen]
pub fn catalog() -> String {
    catalog::json()
}

/// The version of the policy.
#[wasm_bindgen]
pub fn version() -> String {
    catalog::describe().version.to_owned()
}

/// Objects that stay between decisions, and how they relate to each other.
#[wasm_bindgen]
#[derive(Default)]
pub struct Fleet(fleet::Fleet);

#[wasm_bindgen]
impl Fleet {
    /// Without any object.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in an object.
    #[allow(clippy::needless_pass_by_value, reason = "an optional string comes in owned, or not at all")]
    pub fn upsert(&mut self, object: String, workload_cluster: Option<String>) -> Result<(), String> {
        json::upsert(&mut self.0, object, workload_cluster.as_deref()).map_err(|error| error.json())
    }

    /// The object does not exist, or no longer.
    pub fn remove(&mut self, object: &str) -> Result<(), String> {
        json::remove(&mut self.0, object).map_err(|error| error.json())
    }

    /// Takes in the complete list of a scope.
    pub fn replace(&mut self, scope: &str, objects: &str) -> Result<(), String> {
        json::replace(&mut self.0, scope, objects).map_err(|error| error.json())
    }

    /// Whether everything in a scope has been passed in.
    pub fn mark(&mut self, scope: &str, complete: bool) -> Result<(), String> {
        json::mark(&mut self.0, scope, complete).map_err(|error| error.json())
    }

    /// What counts as completely listed where nobody said so.
    pub fn assume(&mut self, assumption: &str) -> Result<(), String> {
        json::assume(&mut self.0, assumption).map_err(|error| error.json())
    }

    /// Reports what could and could not be read.
    pub fn observe(&mut self, audience: &str, facts: &str) -> Result<(), String> {
        json::observe(&mut self.0, audience, facts).map_err(|error| error.json())
    }

    /// What the fleet needs.
    pub fn wanted(&self) -> String {
        json::wanted(&self.0)
    }

    /// The objects that can be decided about.
    pub fn decidable(&self) -> String {
        json::decidable(&self.0)
    }

    /// The objects that have to be evaluated by now.
    pub fn due(&self, now: &str) -> Result<String, String> {
        json::due(&self.0, now).map_err(|error| error.json())
    }

    /// The decision about an object.
    pub fn evaluate(&mut self, request: &str) -> Result<String, String> {
        json::evaluate(&mut self.0, request).map_err(|error| error.json())
    }

    /// The decision about an object, reduced to what differs from the last update.
    pub fn update(&mut self, request: &str) -> Result<String, String> {
        json::update(&mut self.0, request).map_err(|error| error.json())
    }

    /// The decisions to come.
    pub fn forecast(&self, request: &str) -> Result<String, String> {
        json::forecast(&self.0, request).map_err(|error| error.json())
    }

    /// The snapshot that the decision about an object reads.
    pub fn snapshot(&self, request: &str) -> Result<String, String> {
        json::snapshot(&self.0, request).map_err(|error| error.json())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
