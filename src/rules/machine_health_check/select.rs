//! Stage 2, select: which machines a health check looks at.

use super::checks::Checks;
use super::target::{self, NodeState, Target};
use super::targets::{Act, TARGETS};
use super::{Candidate, Input};
use crate::lookup::Lookup;
use crate::outcome::{CheckedMachine, Explanation, Verdict};
use crate::progress::{Mode, Progress, decide};
use crate::view::{ConditionsExt, Machine};

/// The selected machines.
pub struct Selection<'a> {
    /// Those that are checked now, by name: Cluster API goes through them in that order.
    pub targets: Vec<Target<'a>>,
    /// Those whose verdict still holds.
    pub checked: Vec<&'a CheckedMachine>,
    /// How each machine was selected, or passed over.
    pub explanations: Vec<Explanation>,
}

/// How far the Cluster has come: looked up once, not for each machine.
#[derive(Clone, Copy)]
pub struct Milestones {
    /// Its control plane has been initialized.
    pub control_plane_initialized: bool,
    /// Its infrastructure is ready.
    pub infrastructure_ready: bool,
}

impl<'a> Selection<'a> {
    /// Goes through the candidates.
    pub fn of(input: &'a Input<'a>, mode: Mode) -> Self {
        let requests = Lookup::of(input.requests.iter().map(|request| &*request.metadata.name));
        let milestones = input.milestones();
        let mut selection = Self { targets: Vec::new(), checked: Vec::new(), explanations: Vec::new() };
        for Candidate { machine, checked: known } in &input.machines {
            if let Some(checked) = known {
                selection.checked.push(*checked);
                continue;
            }
            let mut progress = Progress::new(mode, &machine.metadata, &machine.status.conditions);
            progress.machine = &machine.metadata.name;
            let mut target = Target {
                health_check: input.health_check,
                cluster: input.cluster,
                milestones,
                machine,
                node: input.node_of(machine, milestones),
                checks: Checks::default(),
                template: input.template,
                request: requests.get(&machine.metadata.name).and_then(|at| input.requests.get(at).copied()),
                request_refused: input.observed.remediation_request_create_fails,
                allowed: false,
                verdict: Verdict::NotEvaluated,
                cause: None,
                row: TARGETS.id,
                remediation_row: None,
                progress,
            };
            let selected = decide(&TARGETS, &mut target);
            selection.explanations.extend(target.progress.take_explanations());
            target.row = selected.row;
            match selected.act {
                Some(Act::Check) => selection.targets.push(target),
                Some(Act::Skip) => {
                    target.verdict = Verdict::Skipped;
                    selection.targets.push(target);
                }
                Some(Act::PassOver) | None => {}
            }
        }
        selection.targets.sort_by(|a, b| a.machine.metadata.name.cmp(&b.machine.metadata.name));
        selection
    }

    /// Some target's Node can't be read.
    pub fn some_node_unreadable(&self) -> bool {
        self.targets.iter().any(target::node_unreadable)
    }
}

impl<'a> Input<'a> {
    /// How far the Cluster has come.
    pub(super) fn milestones(&self) -> Milestones {
        let reached = |condition| self.cluster.is_some_and(|cluster| cluster.status.conditions.has(condition, "True"));
        Milestones {
            control_plane_initialized: reached("ControlPlaneInitialized"),
            infrastructure_ready: reached("InfrastructureReady"),
        }
    }

    /// Nodes are looked at only once the control plane is up.
    fn node_of(&self, machine: &Machine<'_>, milestones: Milestones) -> NodeState<'a> {
        let name = &*machine.status.node_ref.name;
        if name.is_empty() || !milestones.control_plane_initialized {
            NodeState::None
        } else if !self.observed.workload_cluster_connected || self.observed.node_read_errors.contains(name) {
            NodeState::Unreadable
        } else {
            (self.node)(name).map_or(NodeState::NotFound, NodeState::Found)
        }
    }
}
