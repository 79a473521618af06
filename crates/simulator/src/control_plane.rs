//! What a control plane's controller would observe: the members of etcd, and which machines are not what it wants.

use crate::object::{self, new_condition, text, time};
use crate::state::State;
use capi_policy::fleet::{ObjectRef, Subject};
use capi_policy::time::Time;
use capi_policy::view::annotation;
use capi_policy::{Error, Kind};
use serde_json::{Value, json};

/// What is not compared here, and stays as it was found.
const KEPT: &[&str] = &["* Certificates will expire soon", KUBEADM_CONFIG];
/// How kubeadm set up a machine is not what the control plane wants.
const KUBEADM_CONFIG: &str = "* KubeadmConfig is not up-to-date";

/// A machine's member joins etcd; the first one leads.
pub fn join(state: &mut State, control_plane: &Subject, member: &str) -> Result<(), Error> {
    change_members(state, control_plane, |members| {
        if !members.iter().any(|known| known["name"] == member) {
            let highest = members.iter().filter_map(|known| text(known, "/id").parse::<u64>().ok()).max();
            let id = highest.unwrap_or(0).saturating_add(1).to_string();
            members.push(json!({ "id": id, "name": member, "isLearner": false }));
        }
    })
}

/// A member is removed from etcd.
pub fn leave(state: &mut State, control_plane: &Subject, member: &str) -> Result<(), Error> {
    change_members(state, control_plane, |members| members.retain(|known| known["name"] != member))
}

/// Another member leads.
pub fn lead(state: &mut State, control_plane: &Subject, member: &str) -> Result<(), Error> {
    state.observe(control_plane, |observed| {
        let members = observed["etcdMembers"].as_array().into_iter().flatten();
        let id = members.clone().find(|known| known["name"] == member).map(|known| known["id"].clone());
        if let Some(id) = id {
            observed["etcdLeaderID"] = id;
        }
    })
}

fn change_members(
    state: &mut State,
    control_plane: &Subject,
    change: impl FnOnce(&mut Vec<Value>),
) -> Result<(), Error> {
    state.observe(control_plane, |observed| {
        let mut members = observed["etcdMembers"].as_array().cloned().unwrap_or_default();
        change(&mut members);
        let leads = members.iter().any(|member| member["id"] == observed["etcdLeaderID"]);
        if let Some(first) = members.first().filter(|_| !leads) {
            observed["etcdLeaderID"] = first["id"].clone();
        }
        observed["etcdMembers"] = json!(members);
        observed["etcdMembersAndMachinesAreMatching"] = json!(true);
    })
}

/// Members of etcd, with a vote: how many there are, and how many of them are healthy.
pub fn votes(state: &State, control_plane: &ObjectRef) -> Option<(usize, usize)> {
    let observed = state.observed(&control_plane.subject()?)?;
    let members = observed["etcdMembers"].as_array()?;
    let voting: Vec<_> = members.iter().filter(|member| member["isLearner"] != true).collect();
    let healthy = |member: &&&Value| {
        let mut machines = state.controlled(control_plane, Kind::Machine);
        machines.any(|(_, machine)| {
            text(machine, "/status/nodeRef/name") == text(member, "/name")
                && object::has(machine, "EtcdMemberHealthy", "True")
        })
    };
    Some((voting.len(), voting.iter().filter(healthy).count()))
}

/// Notes on each machine whether it is what the control plane wants now (its version, its infrastructure's template, its
/// age), and that the control plane has to let it go.
pub fn inspect(state: &mut State, control_plane: &ObjectRef, now: Time) -> Result<(), Error> {
    let Some(owner) = state.get(control_plane).cloned() else { return Ok(()) };
    let machines: Vec<_> = state.controlled(control_plane, Kind::Machine).map(|(name, _)| name.clone()).collect();
    for name in machines {
        let Some(machine) = state.get(&name) else { continue };
        let required = required(state, &owner, machine, now);
        let decided = if required.is_empty() {
            new_condition("UpToDate", "True", "UpToDate", "", now)
        } else {
            new_condition("UpToDate", "False", "NotUpToDate", &required.join("\n"), now)
        };
        state.edit(&name, |machine| {
            object::update_condition(machine, decided);
            if !object::in_deletion(machine) {
                object::annotate(machine, annotation::KCP_CLEANUP_HOOK, "");
            }
        })?;
    }
    Ok(())
}

/// How kubeadm sets up machines has changed: those that are there have to be replaced.
pub fn kubeadm_config_changed(state: &mut State, control_plane: &ObjectRef, now: Time) -> Result<(), Error> {
    let machines: Vec<_> = state.controlled(control_plane, Kind::Machine).map(|(name, _)| name.clone()).collect();
    let outdated = new_condition("UpToDate", "False", "NotUpToDate", KUBEADM_CONFIG, now);
    machines.iter().try_for_each(|name| state.edit(name, |machine| object::set_condition(machine, outdated.clone())))
}

/// What a machine would have to be.
fn required(state: &State, owner: &Value, machine: &Value, now: Time) -> Vec<String> {
    let mut required = Vec::new();
    let after = time(owner, "/spec/rollout/after").filter(|after| *after < now);
    if after.is_some_and(|after| time(machine, "/metadata/creationTimestamp").is_some_and(|made| made < after)) {
        required.push("* KubeadmControlPlane spec.rolloutAfter expired".to_owned());
    }
    let stored = object::condition(machine, "UpToDate").filter(|stored| stored["reason"] == "NotUpToDate");
    let known = stored.into_iter().flat_map(|stored| text(stored, "/message").lines());
    required.extend(known.filter(|line| KEPT.contains(line)).map(ToOwned::to_owned));
    let (version, wanted) = (text(machine, "/spec/version"), text(owner, "/spec/version"));
    if version != wanted {
        required.push(format!("* Version {version}, {wanted} required"));
    }
    let made_from = object::at(machine, "/spec/infrastructureRef").and_then(|reference| {
        let infrastructure = state.get(&crate::machine::referenced(machine, reference))?;
        object::annotation(infrastructure, annotation::CLONED_FROM_NAME)
    });
    let template = text(owner, "/spec/machineTemplate/spec/infrastructureRef/name");
    if made_from.is_some_and(|made_from| made_from != template) {
        required.push(format!("* {} is not up-to-date", text(machine, "/spec/infrastructureRef/kind")));
    }
    required
}
