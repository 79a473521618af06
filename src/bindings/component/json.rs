//! Every function with JSON text both ways.

use super::{Policy, wit_json, with_fleet};
use crate::error::Error;
use crate::fleet::{Fleet, json};
use crate::{catalog, evaluate_json, forecast_json};

fn on_fleet<T>(call: impl FnOnce(&mut Fleet) -> Result<T, Error>) -> Result<T, String> {
    with_fleet(call).map_err(|error| error.json())
}

impl wit_json::Guest for Policy {
    fn evaluate(snapshot: String) -> Result<String, String> {
        evaluate_json(&snapshot).map_err(|error| error.json())
    }

    fn forecast(snapshot: String, until: String) -> Result<String, String> {
        forecast_json(&snapshot, &until).map_err(|error| error.json())
    }

    fn catalog() -> String {
        catalog::json()
    }

    fn fleet_upsert(object: String, workload_cluster: Option<String>) -> Result<(), String> {
        on_fleet(|fleet| json::upsert(fleet, object, workload_cluster.as_deref()))
    }

    fn fleet_remove(object: String) -> Result<(), String> {
        on_fleet(|fleet| json::remove(fleet, &object))
    }

    fn fleet_replace(scope: String, objects: String) -> Result<(), String> {
        on_fleet(|fleet| json::replace(fleet, &scope, &objects))
    }

    fn fleet_mark_complete(scope: String) -> Result<(), String> {
        on_fleet(|fleet| json::mark(fleet, &scope, true))
    }

    fn fleet_mark_incomplete(scope: String) -> Result<(), String> {
        on_fleet(|fleet| json::mark(fleet, &scope, false))
    }

    fn fleet_assume(assumption: String) -> Result<(), String> {
        on_fleet(|fleet| json::assume(fleet, &assumption))
    }

    fn fleet_observe(audience: String, facts: String) -> Result<(), String> {
        on_fleet(|fleet| json::observe(fleet, &audience, &facts))
    }

    fn fleet_wanted() -> String {
        with_fleet(|fleet| json::wanted(fleet))
    }

    fn fleet_decidable() -> String {
        with_fleet(|fleet| json::decidable(fleet))
    }

    fn fleet_due(request: String) -> Result<String, String> {
        on_fleet(|fleet| json::due(fleet, &request))
    }

    fn fleet_evaluate(request: String) -> Result<String, String> {
        on_fleet(|fleet| json::evaluate(fleet, &request))
    }

    fn fleet_update(request: String) -> Result<String, String> {
        on_fleet(|fleet| json::update(fleet, &request))
    }

    fn fleet_forecast(request: String) -> Result<String, String> {
        on_fleet(|fleet| json::forecast(fleet, &request))
    }

    fn fleet_snapshot(request: String) -> Result<String, String> {
        on_fleet(|fleet| json::snapshot(fleet, &request))
    }

    fn fleet_size() -> String {
        with_fleet(|fleet| json::size(fleet))
    }

    fn fleet_clear() {
        with_fleet(Fleet::clear);
    }
}
