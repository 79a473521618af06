//! The WIT world `capi:policy/policy`: reads text and returns the library's outcome as WIT types.

mod catalog;
mod error;
mod evaluation;
mod fleet;
mod forecast;
mod health;
mod json;
mod owner;
mod status;

#[allow(clippy::all, clippy::pedantic, missing_docs, unused_qualifications, reason = "generated from wit/")]
mod wit {
    use super::Policy;

    wit_bindgen::generate!({ world: "policy", path: "wit" });

    export!(Policy);
}

use crate::fleet::Fleet;
use crate::outcome::Evaluation;
use crate::snapshot::{Kind, Snapshot};
use crate::time::Time;
use crate::{Error, evaluate};
use std::cell::RefCell;
use wit::exports::capi::policy::types::{self, PolicyError};
use wit::exports::capi::policy::{catalog as wit_catalog, evaluator, fleet as wit_fleet, json as wit_json};

struct Policy;

thread_local! {
    /// The fleet of this instance.
    static FLEET: RefCell<Fleet> = RefCell::default();
}

/// Calls a function on the fleet of this instance.
fn with_fleet<T>(call: impl FnOnce(&mut Fleet) -> T) -> T {
    FLEET.with_borrow_mut(call)
}

/// One function of the interface `evaluator` for each kind.
macro_rules! evaluator {
    ($($function:ident: $kind:ident -> $evaluation:ident,)*) => {
        impl evaluator::Guest for Policy {
            $(fn $function(snapshot: String) -> Result<types::$evaluation, PolicyError> {
                Ok(evaluate_as(Kind::$kind, &snapshot)?.into())
            })*

            fn forecast(snapshot: String, until: String) -> Result<types::Forecast, PolicyError> {
                let until = Time::parse_named("until", &until)?;
                Ok(crate::forecast(&Snapshot::parse(&snapshot)?, until)?.into())
            }
        }
    };
}

evaluator! {
    evaluate_cluster: Cluster -> ClusterEvaluation,
    evaluate_kubeadm_control_plane: KubeadmControlPlane -> KubeadmControlPlaneEvaluation,
    evaluate_machine_deployment: MachineDeployment -> MachineDeploymentEvaluation,
    evaluate_machine_set: MachineSet -> MachineSetEvaluation,
    evaluate_machine_health_check: MachineHealthCheck -> MachineHealthCheckEvaluation,
    evaluate_machine_pool: MachinePool -> MachinePoolEvaluation,
    evaluate_machine: Machine -> MachineEvaluation,
}

/// Evaluates a snapshot that must be about `kind`, or not say what it is about.
fn evaluate_as(kind: Kind, snapshot: &str) -> Result<Evaluation, Error> {
    let mut snapshot = Snapshot::parse(snapshot)?;
    match *snapshot.kind.get_or_insert(kind) {
        named if named == kind => evaluate(&snapshot),
        named => Err(Error::expected("kind", &kind.to_string(), named)),
    }
}
