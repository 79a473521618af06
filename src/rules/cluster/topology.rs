//! What the topology controller found out about a Cluster, in the words of its condition.

use crate::observed::{self, WorkersUpgrade};
use crate::sorted::Sorted;
use crate::view::{Cluster, Str, annotation};

/// The hook that has to run after an upgrade, as annotations name it.
const AFTER_UPGRADE: &str = "AfterClusterUpgrade";

/// A Cluster's topology.
pub struct Topology<'a> {
    observed: Option<&'a observed::Topology<'a>>,
    cluster: &'a Cluster<'a>,
}

impl<'a> Topology<'a> {
    /// What was found out.
    pub fn of(observed: Option<&'a observed::Topology<'a>>, cluster: &'a Cluster<'a>) -> Self {
        Self { observed, cluster }
    }

    /// Nothing is known of the topology controller.
    pub fn not_read(&self) -> bool {
        self.observed.is_none()
    }

    /// The topology could not be reconciled.
    pub fn failed(&self) -> bool {
        !self.error().is_empty()
    }

    /// Why the topology could not be reconciled.
    pub fn error(&self) -> &'a str {
        self.observed.map_or("", |topology| &topology.reconcile_error)
    }

    /// A hook blocks what is about to be done.
    pub fn blocked(&self) -> bool {
        self.blocking().next().is_some()
    }

    /// The hooks that block, and what they say.
    pub fn blocking_hooks(&self) -> String {
        let mut hooks: Vec<_> = self
            .blocking()
            .map(|hook| {
                if hook.message.is_empty() { hook.hook.to_string() } else { format!("{}: {}", hook.hook, hook.message) }
            })
            .collect();
        hooks.order_by(Ord::cmp);
        hooks.join("; ")
    }

    fn blocking(&self) -> impl Iterator<Item = &'a observed::HookResponse<'a>> {
        let hooks = self.observed.into_iter().flat_map(|topology| &topology.hook_responses);
        hooks.filter(|hook| hook.retry_after_seconds != 0)
    }

    /// Nothing of the Cluster has been made yet.
    pub fn creating(&self) -> bool {
        !self.cluster.spec.infrastructure_ref.is_defined() && !self.cluster.spec.control_plane_ref.is_defined()
    }

    /// Some part of the Cluster does not have its version yet.
    pub fn upgrading(&self) -> bool {
        let Some(topology) = self.observed else { return false };
        let control_plane = &topology.control_plane_upgrade;
        let pending = self.cluster.metadata.annotation(annotation::PENDING_HOOKS);
        control_plane.is_pending_upgrade
            || self.control_plane_upgrading()
            || under_way(&topology.machine_deployments_upgrade)
            || under_way(&topology.machine_pools_upgrade)
            || pending.is_some_and(|hooks| hooks.split(',').any(|hook| hook == AFTER_UPGRADE))
    }

    fn control_plane_upgrading(&self) -> bool {
        self.observed.is_some_and(|topology| {
            topology.control_plane_upgrade.is_starting_upgrade || topology.control_plane_upgrade.is_upgrading
        })
    }

    /// The topology does not say which version the control plane should have.
    pub fn version_unknown(&self) -> bool {
        self.observed.is_some_and(|topology| topology.control_plane_version.is_empty())
    }

    /// The upgrade waits for MachineDeployments that somebody holds back.
    pub fn deployments_deferred(&self) -> bool {
        self.observed.is_some_and(|topology| self.held_back(&topology.machine_deployments_upgrade))
    }

    /// The upgrade waits for MachinePools that somebody holds back.
    pub fn pools_deferred(&self) -> bool {
        self.observed.is_some_and(|topology| self.held_back(&topology.machine_pools_upgrade))
    }

    fn held_back(&self, workers: &WorkersUpgrade<'_>) -> bool {
        let names = Names::of(workers);
        !self.blocked()
            && !self.control_plane_upgrading()
            && workers.upgrading.is_empty()
            && names.pending.is_empty()
            && !names.deferred.is_empty()
    }

    /// The version that the Cluster is upgraded to.
    pub fn version(&self) -> &'a str {
        &self.cluster.spec.topology.version
    }

    /// One line for each part of the Cluster that does not have its version yet.
    pub fn progress(&self) -> String {
        let Some(topology) = self.observed else { return String::new() };
        let (kind, version) = (&topology.control_plane_kind, &topology.control_plane_version);
        let plan = &topology.control_plane_upgrade.upgrade_plan;
        let mut lines = Vec::new();
        if self.blocked() {
            lines.push(format!("Following hooks are blocking upgrade: {}", self.blocking_hooks()));
        }
        if self.control_plane_upgrading() {
            lines.push(format!("{kind} upgrading to version {version}{}", still_pending(plan, version)));
        } else if !plan.is_empty() {
            lines.push(format!("{kind} pending upgrade to version {}", joined(plan)));
        }
        let annotations = "defer-upgrade or hold-upgrade-sequence annotations";
        lines.extend(of_workers("MachineDeployment", &topology.machine_deployments_upgrade, version, annotations));
        let annotations = "topology.cluster.x-k8s.io/defer-upgrade or hold-upgrade-sequence annotations";
        lines.extend(of_workers("MachinePool", &topology.machine_pools_upgrade, version, annotations));
        [String::new()].into_iter().chain(lines).collect::<Vec<_>>().join("\n  * ")
    }

    /// The versions that are left for the control plane; `None` when they could not be computed.
    pub fn control_plane_plan(&self) -> Option<Vec<String>> {
        self.planned().map(|topology| owned(&topology.control_plane_upgrade.upgrade_plan))
    }

    /// The versions that are left for the workers: those of MachinePools, which come last, where there are any.
    pub fn workers_plan(&self) -> Option<Vec<String>> {
        self.planned().map(|topology| {
            let pools = &topology.machine_pools_upgrade.upgrade_plan;
            owned(if pools.is_empty() { &topology.machine_deployments_upgrade.upgrade_plan } else { pools })
        })
    }

    fn planned(&self) -> Option<&'a observed::Topology<'a>> {
        self.observed.filter(|topology| topology.compute_upgrade_plan_succeeded)
    }
}

/// Names of workers, each where it says most: upgrading before deferred before pending.
struct Names<'a> {
    upgrading: Vec<&'a str>,
    deferred: Vec<&'a str>,
    pending: Vec<&'a str>,
}

impl<'a> Names<'a> {
    fn of(workers: &'a WorkersUpgrade<'_>) -> Self {
        let upgrading = unique(&workers.upgrading, &[]);
        let deferred = unique(&workers.deferred, &upgrading);
        let pending = unique(&workers.pending_upgrade, &[&*upgrading, &*deferred].concat());
        Self { upgrading, deferred, pending }
    }
}

fn under_way(workers: &WorkersUpgrade<'_>) -> bool {
    [&workers.pending_upgrade, &workers.upgrading, &workers.deferred, &workers.pending_create]
        .iter()
        .any(|names| !names.is_empty())
}

fn of_workers(kind: &str, workers: &WorkersUpgrade<'_>, version: &str, annotations: &str) -> Vec<String> {
    let names = Names::of(workers);
    let mut lines = Vec::new();
    if !names.upgrading.is_empty() {
        let pending = still_pending(&workers.upgrade_plan, version);
        lines.push(format!("{} upgrading to version {version}{pending}", named(kind, &names.upgrading)));
    }
    if !names.pending.is_empty() && !workers.upgrade_plan.is_empty() {
        let plan = joined(&workers.upgrade_plan);
        lines.push(format!("{} pending upgrade to version {plan}", named(kind, &names.pending)));
    }
    if !names.deferred.is_empty() {
        let names = named(kind, &names.deferred);
        lines.push(format!("{names} upgrade to version {version} deferred using {annotations}"));
    }
    if !workers.pending_create.is_empty() {
        let names = named(kind, &unique(&workers.pending_create, &[]));
        lines.push(format!("{names} creation deferred while control plane upgrade is in progress"));
    }
    lines
}

fn named(kind: &str, names: &[&str]) -> String {
    let plural = if names.len() == 1 { "" } else { "s" };
    format!("{kind}{plural} {}", crate::text::name_list(names))
}

/// Sorted, each once, without the others.
fn unique<'a>(names: &'a [Str<'_>], others: &[&str]) -> Vec<&'a str> {
    let mut all: Vec<&str> = names.iter().map(|name| &**name).filter(|name| !others.contains(name)).collect();
    all.order_by(Ord::cmp);
    all.dedup();
    all
}

fn still_pending(plan: &[Str<'_>], version: &str) -> String {
    let left: Vec<&str> = plan.iter().map(|version| &**version).filter(|planned| *planned != version).collect();
    if left.is_empty() { String::new() } else { format!(" ({} pending)", left.join(", ")) }
}

fn joined(versions: &[Str<'_>]) -> String {
    versions.iter().map(|version| &**version).collect::<Vec<_>>().join(", ")
}

fn owned(versions: &[Str<'_>]) -> Vec<String> {
    versions.iter().map(ToString::to_string).collect()
}
