//! What of a machine's state the API servers show: its Node, and the components of a control plane.

use super::{Hardware, Phase};
use crate::machine::COMPONENTS;
use crate::model::World;
use crate::object::{label, new_condition, update_condition};
use capi_policy::Error;
use capi_policy::fleet::{ObjectRef, WorkloadCluster};
use capi_policy::time::Time;
use capi_policy::view::label as labels;
use serde_json::Value;

/// The conditions of a Node, and what they are when all is well.
const NODE: &[(&str, &str)] =
    &[("Ready", "True"), ("MemoryPressure", "False"), ("DiskPressure", "False"), ("PIDPressure", "False")];

impl Hardware<'_> {
    /// Shows how a machine is, unless its API server can't be reached: then nobody learns of it.
    pub(super) fn report(&mut self, name: &ObjectRef, world: &mut World<'_>) -> Result<(), Error> {
        let Some(life) = self.lives.get_mut(name) else { return Ok(()) };
        let silent = !life.works();
        let reaches = self.reach.get(&life.cluster).is_none_or(|reach| reach.holds());
        if life.phase != Phase::Up || life.reported == silent || !reaches {
            return Ok(());
        }
        life.reported = silent;
        let node = ObjectRef::node(Some(life.cluster.clone()), &life.node);
        world.state.edit_status(&node, |node| show_node(node, silent, world.now))?;
        if world.state.get(name).is_some_and(|machine| label(machine, labels::CONTROL_PLANE).is_some()) {
            world.state.edit_status(name, |machine| show_components(machine, silent, world.now))?;
        }
        Ok(())
    }

    /// Shows what nobody could learn of before.
    pub(super) fn report_all(&mut self, cluster: &WorkloadCluster, world: &mut World<'_>) -> Result<(), Error> {
        let grace = self.scenario.infrastructure.node_grace.0;
        let overdue = |since: Option<Time>| since.is_none_or(|since| since.plus(grace) <= world.now);
        let lives = self.lives.iter().filter(|(_, life)| life.cluster == *cluster && overdue(life.silent_since));
        let names: Vec<_> = lives.map(|(name, _)| name.clone()).collect();
        names.iter().try_for_each(|name| self.report(name, world))
    }
}

fn show_node(node: &mut Value, silent: bool, now: Time) {
    for (kind, well) in NODE {
        let (status, reason) = if silent { ("Unknown", "NodeStatusUnknown") } else { (*well, "Kubelet") };
        update_condition(node, new_condition(kind, status, reason, "", now));
    }
}

fn show_components(machine: &mut Value, silent: bool, now: Time) {
    for kind in COMPONENTS {
        let (status, reason) = if silent { ("Unknown", "InspectionFailed") } else { ("True", "Healthy") };
        update_condition(machine, new_condition(kind, status, reason, "", now));
    }
}
