#![doc = include_str!("up_to_date.md")]

use super::{Facts, OfMachine};
use crate::rules::template_difference::messages;
use crate::rules::versions::same_release;
use crate::table::{Table, facts, otherwise, row};
use crate::time::Time;
use crate::view::{MachineDeployment, MachineSet};

/// Whether the Machine is what its MachineDeployment wants.
#[rustfmt::skip]
pub static UP_TO_DATE: Table<OfMachine> = Table {
    id: "M-UTD",
    kind: "Machine",
    condition: "UpToDate",
    about: "The template of the MachineSet is compared with that of the MachineDeployment. For other Machines somebody else sets the condition. Cluster API compares the version of the kubelet as it is written, so that what a provider adds to it counts (`v1.33.1-eks-1234`); profile `documented` compares the release.",
    source: "Cluster API v1.13.6, `internal/controllers/machine`",
    facts: facts![differs, rollout_due, update_in_progress, kubelet_version; version, requirements, update],
    rows: &[
        //   row        when                                  status  reason         message
        row!("M-UTD-1", no_machine_deployment          => keep),
        row!("M-UTD-2", differs_or_rollout_due         => False, "NotUpToDate", "{requirements}"),
        row!("M-UTD-3", update_in_progress             => False, "Updating",    "* {update}"),
        row!("M-UTD-5", only cluster_api_v1_14, kubelet_differs => False, "Updating", "* Node.status.nodeInfo.kubeletVersion {kubelet_version}, {version} required"),
        row!("M-UTD-6", only documented, kubelet_of_another_release => False, "Updating", "* Node.status.nodeInfo.kubeletVersion {kubelet_version}, {version} required"),
        row!("M-UTD-4", otherwise                      => True,  "UpToDate",    none),
    ],
};

fn owners<'a>(s: &Facts<'a>) -> Option<(&'a MachineSet<'a>, &'a MachineDeployment<'a>)> {
    s.input.machine_set.zip(s.input.machine_deployment)
}

/// No MachineDeployment owns the Machine.
fn no_machine_deployment(s: &Facts<'_>) -> bool {
    owners(s).is_none()
}

fn differs(s: &Facts<'_>) -> bool {
    owners(s).is_some_and(|(set, deployment)| !messages(&set.spec.template, &deployment.spec.template).is_empty())
}

fn rollout_due(s: &Facts<'_>) -> bool {
    rollout_at(s).is_some_and(|moment| moment <= s.progress.mode.now)
}

/// The MachineSet differs from the MachineDeployment, or a rollout is due.
fn differs_or_rollout_due(s: &Facts<'_>) -> bool {
    differs(s) || rollout_due(s)
}

/// `Updating` is True.
fn update_in_progress(s: &Facts<'_>) -> bool {
    s.progress.current("Updating").is_some_and(|updating| updating.status == "True")
}

/// Compared as it is written: what a provider adds to the version counts.
fn kubelet_differs(s: &Facts<'_>) -> bool {
    let machine = s.input.object;
    let kubelet = &machine.status.node_info.kubelet_version;
    !kubelet.is_empty() && *kubelet != machine.spec.version
}

/// Compared as versions: what a provider adds to the version does not count.
fn kubelet_of_another_release(s: &Facts<'_>) -> bool {
    let machine = s.input.object;
    kubelet_differs(s) && !same_release(&machine.status.node_info.kubelet_version, &machine.spec.version)
}

/// The version that the kubelet reports.
fn kubelet_version(s: &Facts<'_>) -> String {
    s.input.object.status.node_info.kubelet_version.to_string()
}

/// `spec.version` of the Machine.
fn version(s: &Facts<'_>) -> String {
    s.input.object.spec.version.to_string()
}

/// What differs, a line each.
fn requirements(s: &Facts<'_>) -> String {
    let mut lines =
        owners(s).map(|(set, deployment)| messages(&set.spec.template, &deployment.spec.template)).unwrap_or_default();
    if rollout_due(s) {
        lines.push("MachineDeployment spec.rolloutAfter expired".to_owned());
    }
    lines.iter().map(|line| format!("* {line}")).collect::<Vec<_>>().join("\n")
}

/// The message of `Updating`.
fn update(s: &Facts<'_>) -> String {
    s.progress.current("Updating").map_or_else(String::new, |updating| updating.message.to_owned())
}

/// The first moment at which a Machine of that age counts as outdated.
pub fn rollout_at(s: &Facts<'_>) -> Option<Time> {
    let (set, deployment) = owners(s)?;
    let after = deployment.spec.rollout.after?;
    let made = set.metadata.creation_timestamp.unwrap_or(Time::ZERO);
    (made < after).then(|| after.plus(1))
}
