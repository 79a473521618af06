//! One `.rs` and one `.md` per table; the tables of a kind stand in its folder.

pub mod cluster;
mod deletion;
pub mod input;
pub mod kubeadm_control_plane;
pub mod machine;
pub mod machine_deployment;
pub mod machine_health_check;
pub mod machine_pool;
pub mod machine_set;
mod machines_decided;
mod mirrored;
mod missing_references;
mod owned_machines;
mod owners;
pub mod paused;
mod remediations;
mod replica_counters;
mod reports;
mod rollout;
mod scaling;
mod share;
mod stale_machines;
pub mod status_versions;
mod summarized;
mod template_difference;
mod version;
mod versions;

use crate::sorted::Sorted;
use crate::table::TableDescription;

/// The message where the cause is in the controller's own logs.
const CHECK_CONTROLLER_LOGS: &str = "Please check controller logs for errors";

/// Every table, sorted by id.
pub fn tables() -> Vec<TableDescription> {
    let mut tables = vec![paused::PAUSED.describe(), status_versions::STATUS_VERSIONS.describe()];
    tables.push(cluster::status_workers::STATUS_WORKERS.describe());
    tables.extend(cluster::TABLES.iter().map(|table| table.describe()));
    tables.extend(kubeadm_control_plane::TABLES.iter().map(|table| table.describe()));
    tables.extend(kubeadm_control_plane::MACHINE_TABLES.iter().map(|table| table.describe()));
    tables.extend(kubeadm_control_plane::owner_tables());
    tables.extend(machine::TABLES.iter().map(|table| table.describe()));
    tables.extend(machine_deployment::TABLES.iter().map(|table| table.describe()));
    tables.extend(machine_deployment::owner_tables());
    tables.extend(machine_health_check::tables());
    tables.extend(machine_pool::TABLES.iter().map(|table| table.describe()));
    tables.push(machine_pool::UP_TO_DATE.describe());
    tables.extend(machine_set::TABLES.iter().map(|table| table.describe()));
    tables.extend(machine_set::owner_tables());
    tables.order_by_key(|table| table.id);
    tables
}
