//! Every function with JSON text both ways.

use super::abi::{answers, commands};
use super::with_fleet;
use crate::error::Error;
use crate::fleet::{Fleet, json};
use crate::{catalog, evaluate_json, forecast_json};

fn on_fleet<T>(call: impl FnOnce(&mut Fleet) -> Result<T, Error>) -> Result<T, String> {
    with_fleet(call).map_err(|error| error.json())
}

fn forecast(snapshot: &str, until: &str) -> Result<String, String> {
    forecast_json(snapshot, until).map_err(|error| error.json())
}

fn upsert(object: String, workload_cluster: Option<&str>) -> Result<(), String> {
    on_fleet(|fleet| json::upsert(fleet, object, workload_cluster))
}

fn replace(scope: &str, objects: &str) -> Result<(), String> {
    on_fleet(|fleet| json::replace(fleet, scope, objects))
}

fn observe(audience: &str, facts: &str) -> Result<(), String> {
    on_fleet(|fleet| json::observe(fleet, audience, facts))
}

answers! {
    "capi:policy/json@0.2.0":
    "evaluate" (a b) snapshot => evaluate_json(&snapshot.text()).map_err(|error| error.json()),
    "forecast" (a b c d) arguments => forecast(&arguments.text(), &arguments.text()),
    "catalog" () nothing => catalog::json(),
    "fleet-upsert" (a b c d e) arguments => upsert(arguments.text(), arguments.optional_text().as_deref()),
    "fleet-remove" (a b) object => on_fleet(|fleet| json::remove(fleet, &object.text())),
    "fleet-replace" (a b c d) arguments => replace(&arguments.text(), &arguments.text()),
    "fleet-mark-complete" (a b) scope => on_fleet(|fleet| json::mark(fleet, &scope.text(), true)),
    "fleet-mark-incomplete" (a b) scope => on_fleet(|fleet| json::mark(fleet, &scope.text(), false)),
    "fleet-assume" (a b) assumption => on_fleet(|fleet| json::assume(fleet, &assumption.text())),
    "fleet-observe" (a b c d) arguments => observe(&arguments.text(), &arguments.text()),
    "fleet-wanted" () nothing => with_fleet(|fleet| json::wanted(fleet)),
    "fleet-decidable" () nothing => with_fleet(|fleet| json::decidable(fleet)),
    "fleet-due" (a b) now => on_fleet(|fleet| json::due(fleet, &now.text())),
    "fleet-evaluate" (a b) request => on_fleet(|fleet| json::evaluate(fleet, &request.text())),
    "fleet-update" (a b) request => on_fleet(|fleet| json::update(fleet, &request.text())),
    "fleet-forecast" (a b) request => on_fleet(|fleet| json::forecast(fleet, &request.text())),
    "fleet-snapshot" (a b) request => on_fleet(|fleet| json::snapshot(fleet, &request.text())),
    "fleet-size" () nothing => with_fleet(|fleet| json::size(fleet)),
}

commands! {
    "capi:policy/json@0.2.0":
    "fleet-clear" () nothing => with_fleet(Fleet::clear),
}
