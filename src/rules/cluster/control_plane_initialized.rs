#![doc = include_str!("control_plane_initialized.md")]

use super::{Facts, OfCluster, control_plane_unreadable, descendants_not_listed, waiting_for_topology};
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
    facts: facts![control_plane_found, control_plane_missing, infrastructure_missing],
    rows: &[
        //   row          when                                               status   reason                message
        row!("CL-CPI-1",  already_initialized                         => keep),
        row!("CL-CPI-2",  topology_not_reconciled                     => Unknown, "ObjectDoesNotExist", waiting_for_topology),
        row!("CL-CPI-3",  control_plane_missing_infrastructure_not    => Unknown, "ObjectDoesNotExist", does_not_exist; cluster_api: Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
        row!("CL-CPI-4",  control_plane_missing                       => Unknown, "ObjectDoesNotExist", does_not_exist),
        row!("CL-CPI-5",  unreadable_and_infrastructure_missing       => Unknown, "InternalError",      CHECK_CONTROLLER_LOGS; cluster_api: Unknown, "ObjectDoesNotExist", does_not_exist),
        row!("CL-CPI-6",  control_plane_unreadable                    => Unknown, "InternalError",      CHECK_CONTROLLER_LOGS),
        row!("CL-CPI-7",  control_plane_makes_no_sense                => Unknown, "InternalError",      CHECK_CONTROLLER_LOGS),
        row!("CL-CPI-8",  control_plane_initialized                   => True,    "Initialized",        none),
        row!("CL-CPI-9",  has_control_plane_ref                       => False,   "NotInitialized",     "Control plane not yet initialized"),
        row!("CL-CPI-10", descendants_not_listed                      => Unknown, "InternalError",      CHECK_CONTROLLER_LOGS),
        row!("CL-CPI-11", some_control_plane_machine_has_a_node       => True,    "Initialized",        none),
        row!("CL-CPI-12", otherwise                                   => False,   "NotInitialized",     "Waiting for the first control plane machine to have status.nodeRef set"),
    ],
};

fn control_plane_found(s: &Facts<'_>) -> bool {
    s.control_plane.found()
}

fn infrastructure_missing(s: &Facts<'_>) -> bool {
    s.infrastructure.missing()
}

fn already_initialized(s: &Facts<'_>) -> bool {
    s.progress.stored("ControlPlaneInitialized").is_some_and(|stored| stored.status == "True")
}

fn topology_not_reconciled(s: &Facts<'_>) -> bool {
    !has_control_plane_ref(s) && s.input.cluster.spec.topology.is_defined()
}

fn has_control_plane_ref(s: &Facts<'_>) -> bool {
    s.input.cluster.spec.control_plane_ref.is_defined()
}

fn control_plane_missing(s: &Facts<'_>) -> bool {
    has_control_plane_ref(s) && !control_plane_found(s) && s.control_plane.missing()
}

fn control_plane_missing_infrastructure_not(s: &Facts<'_>) -> bool {
    control_plane_missing(s) && !infrastructure_missing(s)
}

fn unreadable_and_infrastructure_missing(s: &Facts<'_>) -> bool {
    control_plane_unreadable(s) && infrastructure_missing(s)
}

fn control_plane_makes_no_sense(s: &Facts<'_>) -> bool {
    initialized(s).is_err()
}

fn control_plane_initialized(s: &Facts<'_>) -> bool {
    initialized(s) == Ok(true)
}

fn some_control_plane_machine_has_a_node(s: &Facts<'_>) -> bool {
    s.descendants.control_plane_machines.iter().any(|machine| !machine.status.node_ref.name.is_empty())
}

fn does_not_exist(s: &Facts<'_>) -> String {
    format!("{} does not exist", s.input.cluster.spec.control_plane_ref.kind)
}

/// What the control plane says, where the contract it follows wants it said.
fn initialized(s: &Facts<'_>) -> Result<bool, WrongType> {
    let Some(object) = s.control_plane.object().filter(|_| has_control_plane_ref(s)) else { return Ok(false) };
    let fields: &[&str] = match &*s.input.observed.control_plane_contract_version {
        "v1beta1" => &["initialized"],
        _ => &["initialization", "controlPlaneInitialized"],
    };
    object.flag(fields).map(|flag| flag.unwrap_or(false))
}
