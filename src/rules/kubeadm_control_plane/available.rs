#![doc = include_str!("available.md")]

use super::etcd::Etcd;
use super::initialization::Initialization;
use super::{Facts, OfKubeadmControlPlane};
use crate::table::{Table, facts, otherwise, row};
use crate::text::bullets;
use crate::time::Time;
use crate::view::ConditionsExt;

/// How long a new control plane may take to tell its etcd members, in seconds.
const ETCD_MEMBERS_EXPECTED_AFTER: i64 = 2 * 60;

/// Whether the control plane serves.
#[rustfmt::skip]
pub static AVAILABLE: Table<OfKubeadmControlPlane> = Table {
    id: "KCP-AVL",
    kind: "KubeadmControlPlane",
    condition: "Available",
    about: "An available control plane has certificates, a Machine on which every component is healthy and, where it runs etcd itself, a quorum: more than half of the voting members. Single failures are reported once they are more than 10 seconds old.",
    source: "Cluster API v1.13.6, KubeadmControlPlane controller",
    facts: facts![etcd_members, healthy_etcd_members, etcd_quorum, healthy_control_planes, certificates_available, deletion.in_deletion; partial_failures, failures],
    rows: &[
        //   row          when                         status   reason              message
        row!("KCP-AVL-1", not initialization.done   => False,   "NotAvailable",     "Control plane not yet initialized"),
        row!("KCP-AVL-2", etcd_members_awaited      => False,   "NotAvailable",     "Waiting for etcd to report the list of members"),
        row!("KCP-AVL-3", etcd_members_not_readable => Unknown, "InspectionFailed", "Failed to get etcd members"),
        row!("KCP-AVL-4", etcd_members_not_matching => False,   "NotAvailable",     "The list of etcd members does not match the list of Machines and Nodes"),
        row!("KCP-AVL-5", available_in_part         => True,    "Available",        "{partial_failures}"),
        row!("KCP-AVL-6", available                 => True,    "Available",        ""),
        row!("KCP-AVL-7", otherwise                 => False,   "NotAvailable",     "{failures}"),
    ],
};

fn etcd_members(s: &Facts<'_>) -> String {
    match &s.etcd {
        Some(etcd) => etcd.members().to_string(),
        None if manages_etcd(s) => "not known".to_owned(),
        None => "external".to_owned(),
    }
}

fn healthy_etcd_members(s: &Facts<'_>) -> usize {
    s.etcd.as_ref().map_or(0, Etcd::healthy)
}

fn etcd_quorum(s: &Facts<'_>) -> usize {
    s.etcd.as_ref().map_or(0, Etcd::quorum)
}

fn healthy_control_planes(s: &Facts<'_>) -> usize {
    s.control_planes.healthy
}

fn certificates_available(s: &Facts<'_>) -> bool {
    s.input.object.status.conditions.has("CertificatesAvailable", "True")
}

fn manages_etcd(s: &Facts<'_>) -> bool {
    s.input.object.manages_etcd()
}

/// The control plane runs etcd itself, and its members can't be read.
fn etcd_members_not_readable(s: &Facts<'_>) -> bool {
    manages_etcd(s) && s.etcd.is_none()
}

/// Until when it is no failure that the members of etcd can't be read; `None` when they can be, or need not be.
pub fn etcd_members_awaited_until(s: &Facts<'_>) -> Option<Time> {
    match s.initialization {
        Initialization::Done(since) if etcd_members_not_readable(s) => Some(since.plus(ETCD_MEMBERS_EXPECTED_AFTER)),
        _ => None,
    }
}

/// The members of etcd can't be read, and the control plane was initialized a short time ago.
fn etcd_members_awaited(s: &Facts<'_>) -> bool {
    etcd_members_awaited_until(s).is_some_and(|moment| s.progress.mode.now < moment)
}

/// The control plane runs etcd itself, and its members are not its Machines.
fn etcd_members_not_matching(s: &Facts<'_>) -> bool {
    manages_etcd(s) && !s.input.observed.etcd_members_and_machines_are_matching
}

/// Not in deletion, with certificates, a healthy control-plane Machine and etcd's quorum.
fn available(s: &Facts<'_>) -> bool {
    let etcd_serves = s.etcd.as_ref().is_none_or(Etcd::has_quorum);
    !s.deletion.in_deletion() && etcd_serves && healthy_control_planes(s) >= 1 && certificates_available(s)
}

/// Available, though a member of etcd or a Machine is not healthy.
fn available_in_part(s: &Facts<'_>) -> bool {
    available(s) && !partial_failures(s).is_empty()
}

/// What is not healthy, a line each.
fn partial_failures(s: &Facts<'_>) -> String {
    let etcd = s.etcd.as_ref().and_then(Etcd::partial_failure);
    let components = (s.control_planes.unhealthy > 0).then(|| {
        let (healthy, machines) = (s.control_planes.healthy_as_reported(), s.input.machines.len());
        let verb = if healthy == 1 { "has" } else { "have" };
        format!("{healthy} of {machines} Machines {verb} healthy control plane components, at least 1 required")
    });
    bullets([etcd, components].into_iter().flatten())
}

/// What keeps the control plane from being available, a line each.
fn failures(s: &Facts<'_>) -> String {
    let components = "There are no Machines with healthy control plane components, at least 1 required";
    let failures = [
        s.deletion.in_deletion().then(|| "Control plane metadata.deletionTimestamp is set".to_owned()),
        (!certificates_available(s)).then(|| "Control plane certificates are not available".to_owned()),
        s.etcd.as_ref().and_then(Etcd::lost_quorum),
        (healthy_control_planes(s) == 0).then(|| components.to_owned()),
    ];
    bullets(failures.into_iter().flatten())
}
