//! Changes that somebody wants to make, before they are made.

use crate::control_plane;
use crate::merge_patch::merge;
use crate::object::text;
use crate::state::State;
use capi_policy::fleet::ObjectRef;
use capi_policy::time::Time;
use capi_policy::{Error, Kind};
use serde_json::{Value, json};

/// Makes a change to an object.
pub fn apply(state: &mut State, object: &ObjectRef, patch: &Value, now: Time) -> Result<(), Error> {
    let kubeadm = |state: &State| state.get(object).map(|object| object["spec"]["kubeadmConfigSpec"].clone());
    let before = kubeadm(state);
    state.edit(object, |object| merge(object, patch))?;
    if object.place.decidable() == Some(Kind::KubeadmControlPlane) && kubeadm(state) != before {
        control_plane::kubeadm_config_changed(state, object, now)?;
    }
    Ok(())
}

/// An extension takes every change: of each MachineSet that is not current, and of each machine of a control plane.
pub fn allow_in_place(state: &mut State) -> Result<(), Error> {
    let names = |state: &State, kind| state.of_kind(kind).map(|(name, _)| name.clone()).collect::<Vec<_>>();
    let gates = json!({ "inPlaceUpdates": true, "machineSetPreflightChecks": true });
    for deployment in names(state, Kind::MachineDeployment) {
        let Some(subject) = deployment.subject() else { continue };
        let sets: Vec<_> = state.controlled(&deployment, Kind::MachineSet).map(|(set, _)| set.name.clone()).collect();
        state.observe(&subject, |observed| {
            observed["featureGates"] = gates.clone();
            observed["canUpdateInPlace"] = json!(sets);
        })?;
    }
    for control_plane in names(state, Kind::KubeadmControlPlane) {
        let Some(subject) = control_plane.subject() else { continue };
        let wanted = state.get(&control_plane).map(|owner| text(owner, "/spec/version").to_owned());
        let machines = state.controlled(&control_plane, Kind::Machine);
        let outdated = machines.filter(|(_, machine)| Some(text(machine, "/spec/version")) != wanted.as_deref());
        let outdated: Vec<_> = outdated
            .map(
                |(name, _)| json!({ "machine": name.name, "eligibleForInPlaceUpdate": true, "canUpdateInPlace": true }),
            )
            .collect();
        state.observe(&subject, |observed| {
            observed["featureGates"] = gates.clone();
            observed["machinesNotUpToDate"] = json!(outdated);
        })?;
    }
    Ok(())
}
