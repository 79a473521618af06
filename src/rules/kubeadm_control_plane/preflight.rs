//! What a control plane has to wait for, from the results of its preflight checks.

use super::Input;
use crate::view::annotation;

/// What has to be waited for before a machine is added or removed.
pub fn obstacles(input: &Input<'_>) -> Vec<String> {
    let results = &input.observed.preflight_check_results;
    let upgrade = || format!("waiting for a version upgrade to {} to be propagated", target_version(input));
    let known = [
        (results.has_deleting_machine, "waiting for a control plane Machine to complete deletion"),
        (results.certificate_missing, "cluster certificates are missing or unknown"),
        (results.control_plane_components_not_healthy, "waiting for control plane components to become healthy"),
        (results.etcd_cluster_not_healthy, "waiting for etcd cluster to become healthy"),
    ];
    let upgrade = results.topology_version_mismatch.then(upgrade);
    upgrade.into_iter().chain(known.into_iter().filter(|(holds, _)| *holds).map(|(_, text)| text.to_owned())).collect()
}

/// The version that the Cluster wants next: an upgrade may take several steps.
fn target_version<'a>(input: &Input<'a>) -> &'a str {
    let Some(cluster) = input.cluster else { return "" };
    match cluster.metadata.annotation(annotation::UPGRADE_STEP) {
        Some(step) if !step.is_empty() => step,
        _ => &cluster.spec.topology.version,
    }
}
