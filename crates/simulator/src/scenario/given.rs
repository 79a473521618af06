//! Objects that a day starts from, in place of a fleet of the scenario's own.

use super::check::{CONTROL_PLANE, known};
use super::{Incident, Invalid, Scenario};
use crate::hardware::owner_of;
use crate::object::text;
use capi_policy::Kind;
use capi_policy::fleet::ObjectRef;
use serde_json::Value;
use std::collections::BTreeSet;

const OBJECTS: &str = "the objects have";

impl Scenario {
    /// Whether there is exactly one fleet to start from, and whether given objects have what the scenario names.
    pub(super) fn check_fleet(&self, given: Option<&[Value]>) -> Result<(), Invalid> {
        match given {
            None if self.has_fleet() => Ok(()),
            None => Err(Invalid::new("scenario", "a fleet (machineDeployments or controlPlane)", "none")),
            Some(_) if self.has_fleet() => {
                let problem = "it has a fleet of its own, and objects are given as well".to_owned();
                Err(Invalid { path: "scenario".to_owned(), problem })
            }
            Some(objects) => self.check_given(objects),
        }
    }

    fn check_given(&self, objects: &[Value]) -> Result<(), Invalid> {
        if self.clusters != 1 {
            return Err(Invalid::new("clusters", "1 where objects are given", self.clusters));
        }
        let of_kind = |kind: Kind| objects.iter().filter(move |object| text(object, "/kind") == kind.name());
        let owners: BTreeSet<ObjectRef> = of_kind(Kind::Machine).map(owner_of).collect();
        if owners.is_empty() {
            return Err(Invalid::new("objects", "Machines", "none"));
        }
        let checks: Vec<_> =
            of_kind(Kind::MachineHealthCheck).map(|check| text(check, "/metadata/name").to_owned()).collect();
        for (name, check) in &self.health_checks {
            known(&format!("healthChecks.{name}"), name, &checks, OBJECTS)?;
            if let Some(of) = &check.of {
                let expected = "nothing here, since given health checks have selectors";
                return Err(Invalid::new(format!("healthChecks.{name}.of"), expected, format!("{of:?}")));
            }
        }
        let mut names: Vec<_> = owners.iter().map(|owner| owner.name.clone()).collect();
        if owners.iter().any(|owner| owner.place.decidable() == Some(Kind::KubeadmControlPlane)) {
            names.push(CONTROL_PLANE.to_owned());
        }
        for (i, incident) in self.incidents.iter().enumerate() {
            let (kind, of) = match incident {
                Incident::MachinesFail { of, .. } => ("machinesFail", of),
                Incident::Rollout { of, .. } => ("rollout", of),
                Incident::ZoneCutOff { .. } | Incident::ApiServerUnreachable { .. } => continue,
            };
            known(&format!("incidents[{i}].{kind}.of"), of, &names, OBJECTS)?;
        }
        Ok(())
    }
}
