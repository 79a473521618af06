//! Whether the Cluster's topology wants another version first.

use super::Input;
use crate::view::annotation;

/// The version that the topology has not handed to the control plane yet.
pub fn pending_version<'a>(input: &'a Input<'_>) -> Option<&'a str> {
    let gate = input.observed.feature_gates.cluster_topology;
    let cluster = input.cluster.filter(|cluster| gate && cluster.spec.topology.is_defined())?;
    let (wanted, there) = (&cluster.spec.topology.version, &input.object.spec.version);
    let step = cluster.metadata.annotation(annotation::UPGRADE_STEP).filter(|step| !step.is_empty());
    if wanted == there || step.is_some_and(|step| step == there) {
        return None;
    }
    Some(step.unwrap_or(wanted))
}
