//! The functions of the npm package, through wasm-bindgen: JSON text both ways.
//!
//! Snapshots come in as text because the text has one parser for every host, with the same bounds on size and depth and the
//! same errors; a JavaScript object can be endless. Decisions leave as text because the writer is there for every host, and a
//! second one for JavaScript objects would be a tenth of the package. `pkg/src` makes objects of it.

use crate::error::Error;
use crate::fleet::{self, json};
use crate::outcome::written;
use crate::time::Time;
use crate::{catalog, evaluate_json, forecast_json};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// The evaluation of a snapshot.
#[wasm_bindgen]
pub fn evaluate(snapshot: &str) -> Result<String, JsValue> {
    evaluate_json(snapshot).map_err(|error| refusal(&error))
}

/// The forecast of a snapshot.
#[wasm_bindgen]
pub fn forecast(snapshot: &str, until: &str) -> Result<String, JsValue> {
    forecast_json(snapshot, until).map_err(|error| refusal(&error))
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
    pub fn upsert(&mut self, object: String, workload_cluster: Option<String>) -> Result<(), JsValue> {
        json::upsert(&mut self.0, object, workload_cluster.as_deref()).map_err(|error| refusal(&error))
    }

    /// The object does not exist, or no longer.
    pub fn remove(&mut self, object: &str) -> Result<(), JsValue> {
        json::remove(&mut self.0, object).map_err(|error| refusal(&error))
    }

    /// Takes in the complete list of a scope.
    pub fn replace(&mut self, scope: &str, objects: &str) -> Result<(), JsValue> {
        json::replace(&mut self.0, scope, objects).map_err(|error| refusal(&error))
    }

    /// Whether everything in a scope has been passed in.
    pub fn mark(&mut self, scope: &str, complete: bool) -> Result<(), JsValue> {
        json::mark(&mut self.0, scope, complete).map_err(|error| refusal(&error))
    }

    /// What counts as completely listed unless it is marked.
    pub fn assume(&mut self, assumption: &str) -> Result<(), JsValue> {
        json::assume(&mut self.0, assumption).map_err(|error| refusal(&error))
    }

    /// Reports what could and could not be read.
    pub fn observe(&mut self, audience: &str, facts: &str) -> Result<(), JsValue> {
        json::observe(&mut self.0, audience, facts).map_err(|error| refusal(&error))
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
    pub fn due(&self, now: &str) -> Result<String, JsValue> {
        let now = Time::parse_named("now", now).map_err(|error| refusal(&error))?;
        Ok(written(&self.0.due(now)))
    }

    /// The decision about an object.
    pub fn evaluate(&mut self, request: &str) -> Result<String, JsValue> {
        json::evaluate(&mut self.0, request).map_err(|error| refusal(&error))
    }

    /// The decision about an object, reduced to what differs from the last update.
    pub fn update(&mut self, request: &str) -> Result<String, JsValue> {
        json::update(&mut self.0, request).map_err(|error| refusal(&error))
    }

    /// The decisions to come.
    pub fn forecast(&self, request: &str) -> Result<String, JsValue> {
        json::forecast(&self.0, request).map_err(|error| refusal(&error))
    }

    /// The snapshot that the decision about an object reads.
    pub fn snapshot(&self, request: &str) -> Result<String, JsValue> {
        json::snapshot(&self.0, request).map_err(|error| refusal(&error))
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// An error as the package's `PolicyError` wants it.
fn refusal(error: &Error) -> JsValue {
    #[derive(Serialize)]
    struct Refusal<'a> {
        code: &'a str,
        message: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<&'a str>,
    }
    let refusal = Refusal { code: error.code(), message: error.to_string(), path: error.path() };
    refusal.serialize(&Serializer::json_compatible()).unwrap_or_else(Into::into)
}
