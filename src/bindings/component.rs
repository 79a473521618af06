//! The WIT world `capi:policy/policy`: text in, the library's outcome as WIT types out.

mod catalog;
mod error;
mod evaluation;
mod forecast;
mod health;
mod owner;

#[allow(clippy::all, clippy::pedantic, missing_docs, unused_qualifications, reason = "generated from wit/")]
mod wit {
    use super::Policy;

    wit_bindgen::generate!({ world: "policy", path: "wit" });

    export!(Policy);
}

use crate::outcome::Evaluation;
use crate::snapshot::{Kind, Snapshot};
use crate::time::Time;
use crate::{Error, evaluate, evaluate_json, forecast_json};
use wit::exports::capi::policy::evaluator::{self, ForecastResult};
use wit::exports::capi::policy::types::{self, HealthCheckEvaluation, PolicyError};
use wit::exports::capi::policy::{catalog as wit_catalog, json};

struct Policy;

impl evaluator::Guest for Policy {
    fn evaluate_machine_deployment(snapshot: String) -> Result<types::Evaluation, PolicyError> {
        Ok(evaluate_as(Kind::MachineDeployment, &snapshot)?.into())
    }

    fn evaluate_machine_set(snapshot: String) -> Result<types::Evaluation, PolicyError> {
        Ok(evaluate_as(Kind::MachineSet, &snapshot)?.into())
    }

    fn evaluate_kubeadm_control_plane(snapshot: String) -> Result<types::Evaluation, PolicyError> {
        Ok(evaluate_as(Kind::KubeadmControlPlane, &snapshot)?.into())
    }

    fn evaluate_machine(snapshot: String) -> Result<types::Evaluation, PolicyError> {
        Ok(evaluate_as(Kind::Machine, &snapshot)?.into())
    }

    fn evaluate_cluster(snapshot: String) -> Result<types::Evaluation, PolicyError> {
        Ok(evaluate_as(Kind::Cluster, &snapshot)?.into())
    }

    fn evaluate_machine_health_check(snapshot: String) -> Result<HealthCheckEvaluation, PolicyError> {
        Ok(evaluate_as(Kind::MachineHealthCheck, &snapshot)?.into())
    }

    fn forecast(snapshot: String, until: String) -> Result<ForecastResult, PolicyError> {
        let until = Time::parse_named("until", &until)?;
        Ok(crate::forecast(&Snapshot::parse(&snapshot)?, until)?.into())
    }
}

impl json::Guest for Policy {
    fn evaluate(snapshot: String) -> Result<String, String> {
        evaluate_json(&snapshot).map_err(|error| error.json())
    }

    fn forecast(snapshot: String, until: String) -> Result<String, String> {
        forecast_json(&snapshot, &until).map_err(|error| error.json())
    }
}

impl wit_catalog::Guest for Policy {
    fn describe() -> wit_catalog::Description {
        crate::catalog::describe().into()
    }

    fn tables() -> Vec<wit_catalog::TableDescription> {
        crate::catalog::tables().into_iter().map(Into::into).collect()
    }

    fn json() -> String {
        crate::catalog::json()
    }
}

/// Evaluates a snapshot that must be about `kind`, or not say what it is about.
fn evaluate_as(kind: Kind, snapshot: &str) -> Result<Evaluation, Error> {
    let mut snapshot = Snapshot::parse(snapshot)?;
    match *snapshot.kind.get_or_insert(kind) {
        named if named == kind => evaluate(&snapshot),
        named => Err(Error::expected("kind", &kind.to_string(), named)),
    }
}
