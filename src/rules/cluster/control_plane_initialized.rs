#![doc = include_str!("control_plane_initialized.md")]

use super::{Facts, OfCluster, control_plane_unreadable, descendants_not_listed, has_topology, waiting_for_topology};
use crate::table::{Table, facts, otherwise, row};
use crate::view::WrongType;

/// Whether the control plane has come up once.
#[rustfmt::skip]
pub static CONTROL_PLANE_INITIALIZED: Table<OfCluster> = Table {
    id: "CL-CPI",
    kind: "Cluster",
    condition: "ControlPlaneInitialized",
    about: "What the control plane says about its initialization; without such an object, whether some control-plane Machine has a Node. Once True it stays so. Cluster API asks whether the infrastructure exists where it should ask for the control plane.",
    source: "Cluster API v1.13.6, `internal/controllers/cluster`",
    facts: facts![control_plane.found, control_plane_missing, infrastructure.missing; waiting_for_topology, control_plane.kind],
    rows: &[
        //   row          when                                                    status   reason                message
        row!("CL-CPI-1",  already_initialized                                  => keep),
        row!("CL-CPI-2",  has_topology and not control_plane.referenced        => Unknown, "ObjectDoesNotExist", "{waiting_for_topology}"),
        row!("CL-CPI-3",  control_plane_missing and not infrastructure.missing => Unknown, "ObjectDoesNotExist", "{control_plane.kind} does not exist"; cluster_api: Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("CL-CPI-4",  control_plane_missing                                => Unknown, "ObjectDoesNotExist", "{control_plane.kind} does not exist"),
        row!("CL-CPI-5",  control_plane_unreadable and infrastructure.missing  => Unknown, "InternalError",      CHECK_CONTROLLER_LOGS; cluster_api: Unknown, "ObjectDoesNotExist", "{control_plane.kind} does not exist"),
        row!("CL-CPI-6",  control_plane_unreadable                             => Unknown, "InternalError",      CHECK_CONTROLLER_LOGS),
        row!("CL-CPI-7",  control_plane_makes_no_sense                         => Unknown, "InternalError",      CHECK_CONTROLLER_LOGS),
        row!("CL-CPI-8",  control_plane_initialized                            => True,    "Initialized",        ""),
        row!("CL-CPI-9",  control_plane.referenced                             => False,   "NotInitialized",     "Control plane not yet initialized"),
        row!("CL-CPI-10", descendants_not_listed                               => Unknown, "InternalError",      CHECK_CONTROLLER_LOGS),
        row!("CL-CPI-11", some_control_plane_machine_has_a_node                => True,    "Initialized",        ""),
        row!("CL-CPI-12", otherwise                                            => False,   "NotInitialized",     "Waiting for the first control plane machine to have status.nodeRef set"),
    ],
};

/// The stored `ControlPlaneInitialized` is True.
fn already_initialized(s: &Facts<'_>) -> bool {
    s.progress.stored("ControlPlaneInitialized").is_some_and(|stored| stored.status == "True")
}

/// The Cluster refers to a control plane that does not exist.
fn control_plane_missing(s: &Facts<'_>) -> bool {
    s.control_plane.referenced() && !s.control_plane.found() && s.control_plane.missing()
}

/// The field is no boolean.
fn control_plane_makes_no_sense(s: &Facts<'_>) -> bool {
    initialized(s).is_err()
}

/// The control plane says that it has been initialized.
fn control_plane_initialized(s: &Facts<'_>) -> bool {
    initialized(s) == Ok(true)
}

/// Some control-plane Machine refers to a Node.
fn some_control_plane_machine_has_a_node(s: &Facts<'_>) -> bool {
    s.descendants.control_plane_machines.iter().any(|machine| !machine.status.node_ref.name.is_empty())
}

/// What the control plane says, where the contract it follows wants it said.
fn initialized(s: &Facts<'_>) -> Result<bool, WrongType> {
    let Some(object) = s.control_plane.object().filter(|_| s.control_plane.referenced()) else { return Ok(false) };
    let fields: &[&str] = match &*s.input.observed.control_plane_contract_version {
        "v1beta1" => &["initialized"],
        _ => &["initialization", "controlPlaneInitialized"],
    };
    object.flag(fields).map(|flag| flag.unwrap_or(false))
}
