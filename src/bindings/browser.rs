//! The functions of the npm package, through wasm-bindgen: JSON text in, plain JavaScript objects out.
//!
//! Snapshots come in as text because the text has one parser for every host, with the same bounds on size and depth and the
//! same errors; a JavaScript object can be endless. `pkg/src` turns objects into text.

use crate::catalog::{Description, describe, tables};
use crate::error::Error;
use crate::evaluate::evaluate as decide;
use crate::forecast::forecast as look_ahead;
use crate::snapshot::Snapshot;
use crate::table::TableDescription;
use crate::time::Time;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// The evaluation of a snapshot as an object.
#[wasm_bindgen]
pub fn evaluate(snapshot: &str) -> Result<JsValue, JsValue> {
    let evaluation = Snapshot::parse(snapshot).and_then(|snapshot| decide(&snapshot));
    object(&evaluation.map_err(|error| refusal(&error))?)
}

/// The forecast of a snapshot as an object.
#[wasm_bindgen]
pub fn forecast(snapshot: &str, until: &str) -> Result<JsValue, JsValue> {
    let Some(until) = Time::parse(until) else {
        return Err(refusal(&Error::expected("until", "RFC 3339", format_args!("{until:?}"))));
    };
    let forecast = Snapshot::parse(snapshot).and_then(|snapshot| look_ahead(&snapshot, until));
    object(&forecast.map_err(|error| refusal(&error))?)
}

/// What this policy is and every table it runs.
#[wasm_bindgen]
pub fn catalog() -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Catalog {
        #[serde(flatten)]
        description: Description,
        tables: Vec<TableDescription>,
    }
    object(&Catalog { description: describe(), tables: tables() })
}

/// The version of the policy.
#[wasm_bindgen]
pub fn version() -> String {
    describe().version.to_owned()
}

fn object(value: &impl Serialize) -> Result<JsValue, JsValue> {
    Ok(value.serialize(&Serializer::json_compatible())?)
}

/// An error as the package's `PolicyError` wants it.
fn refusal(error: &Error) -> JsValue {
    #[derive(Serialize)]
    struct Refusal<'a> {
        message: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<&'a str>,
    }
    object(&Refusal { message: error.to_string(), path: error.path() }).unwrap_or_else(|failure| failure)
}
