//! JSON Schemas of what goes into a policy and what comes out: decisions from their Rust types, snapshots from the tables that
//! the policy's reader is made of.

#[path = "../../../crates/host/src/decision/mod.rs"]
pub mod decision;
mod tables;

use decision::{Evaluation, Forecast};
use serde_json::{Value, json};

/// Each schema with the name of its file in `docs/schema`.
pub fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("snapshot.schema.json", tables::snapshot()),
        ("evaluation.schema.json", titled(schemars::schema_for!(Evaluation).to_value(), "Evaluation")),
        ("forecast.schema.json", titled(schemars::schema_for!(Forecast).to_value(), "Forecast")),
    ]
}

fn titled(mut schema: Value, title: &str) -> Value {
    schema["$id"] =
        json!(format!("https://github.com/capi-policy/capi-policy/schema/{}.schema.json", title.to_lowercase()));
    schema
}
