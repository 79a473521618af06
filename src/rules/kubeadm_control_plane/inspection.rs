//! How far the workload cluster of a control plane could be inspected.

use super::Input;
use crate::observed::EtcdAnswers;
use crate::outcome::ConditionStatus;
use crate::sorted::Sorted;
use crate::time::Time;
use crate::view::{ConditionsExt, KubeadmConfig, Machine, Node, Pod};

/// The condition that says whether the control plane's components run.
pub const COMPONENTS: &str = "ControlPlaneComponentsHealthy";
/// The condition that says whether etcd is healthy.
pub const ETCD: &str = "EtcdClusterHealthy";

/// A connection counts as not tried often enough before so many failures.
const FAILURES_BEFORE_DOWN: i64 = 5;

/// What was read of the workload cluster, or why it was not.
pub struct Inspection<'a> {
    stage: Stage,
    last_probe: Option<Time>,
    lost_at: Option<Time>,
    /// The condition of the components is stored already.
    components_known: bool,
    /// The condition of etcd is stored already.
    etcd_known: bool,
    /// Etcd runs on the machines.
    pub manages_etcd: bool,
    /// Why Nodes can't be listed.
    pub node_list_error: &'a str,
    /// The Nodes of the workload cluster.
    pub nodes: Vec<&'a Node<'a>>,
    /// Its static Pods.
    pub pods: Vec<&'a Pod<'a>>,
    /// Names of those that can't be read.
    pub unreadable_pods: &'a [crate::view::Str<'a>],
    /// What etcd answered.
    pub etcd: Option<&'a EtcdAnswers<'a>>,
    /// Names of machines of which nobody read what they were made from.
    pub not_compared: &'a [crate::view::Str<'a>],
    /// How kubeadm set up the machines.
    pub kubeadm_configs: &'a [KubeadmConfig<'a>],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    NotRead,
    NoInfrastructure,
    NoEndpoint,
    NotInitialized,
    NotConnectedYet,
    ConnectionLost,
    NotConnected,
    NoClient,
    NodesNotListed,
    Inspected,
}

/// A table about the workload cluster of a control plane: rows for one that could not be inspected, with their codes, then `rows`
/// about what was found.
macro_rules! inspected {
    (
        id: $id:literal, condition: $condition:literal, about: $about:literal, facts: [$($fact:tt)+],
        not_read $not_read:literal, waits $infrastructure:literal $endpoint:literal $initialization:literal,
        $remembered:ident $kept:literal, connection $none_yet:literal $down:literal, client $client:literal,
        rows: [$($row:expr),+ $(,)?],
    ) => {
        $crate::table::Table {
            facts: $crate::table::facts![$($fact)+, inspection.last_probe],
            id: $id,
            kind: "KubeadmControlPlane",
            condition: $condition,
            about: $about,
            source: "Cluster API v1.14.2, `controlplane/kubeadm`",
            rows: &[
                $crate::table::row!($not_read, inspection.not_read => keep),
                $crate::table::row!($infrastructure, inspection.waits_for_infrastructure => Unknown, "InspectionFailed", "Waiting for Cluster status.infrastructureReady to be true"),
                $crate::table::row!($endpoint, inspection.waits_for_endpoint => Unknown, "InspectionFailed", "Waiting for Cluster spec.controlPlaneEndpoint to be set"),
                $crate::table::row!($initialization, inspection.waits_for_initialization => Unknown, "InspectionFailed", "Waiting for Cluster control plane to be initialized"),
                $crate::table::row!($kept, inspection.$remembered => keep),
                $crate::table::row!($none_yet, inspection.not_connected_yet => Unknown, "ConnectionDown", "Remote connection not established yet"),
                $crate::table::row!($down, inspection.connection_down => Unknown, "ConnectionDown", "{inspection.last_probe}"),
                $crate::table::row!($client, inspection.no_client => Unknown, "InspectionFailed", CHECK_CONTROLLER_LOGS),
                $($row,)+
            ],
        }
    };
}
pub(super) use inspected;

impl<'a> Inspection<'a> {
    /// Finds out how far the inspection came.
    pub fn of(input: &Input<'a>, now: Time) -> Self {
        let (object, observed) = (input.object, input.observed);
        let conditions = &object.status.conditions;
        let known = |condition: &str| conditions.of_type(condition).is_some();
        let last_probe = observed.health_checking_state.last_probe_success_time;
        let initialized = conditions.of_type("Initialized").filter(|c| c.status == ConditionStatus::True.as_str());
        let counted_from = initialized.map(|c| c.transitioned().max(last_probe.unwrap_or(Time::ZERO)));
        let lost_at =
            counted_from.map(|from| from.plus(observed.remote_conditions_grace_period_seconds.saturating_add(1)));
        let mut nodes: Vec<_> = input.nodes.clone();
        nodes.order_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
        Self {
            stage: stage(input, lost_at, now),
            last_probe,
            lost_at,
            components_known: known(COMPONENTS),
            etcd_known: known(ETCD),
            manages_etcd: object.manages_etcd(),
            node_list_error: &observed.node_list_error,
            nodes,
            pods: input.pods.clone().unwrap_or_default(),
            unreadable_pods: &observed.pod_get_errors,
            etcd: observed.etcd.as_ref(),
            not_compared: &observed.machines_not_compared,
            kubeadm_configs: input.kubeadm_configs,
        }
    }

    /// Nobody read the workload cluster.
    pub fn not_read(&self) -> bool {
        self.stage == Stage::NotRead
    }

    /// The Cluster has no infrastructure yet.
    pub fn waits_for_infrastructure(&self) -> bool {
        self.stage == Stage::NoInfrastructure
    }

    /// Nothing is reported about machines yet.
    pub fn too_early_for_machines(&self) -> bool {
        matches!(self.stage, Stage::NotRead | Stage::NoInfrastructure | Stage::NoEndpoint)
    }

    /// The Cluster has no endpoint yet.
    pub fn waits_for_endpoint(&self) -> bool {
        self.stage == Stage::NoEndpoint
    }

    /// The control plane has not been initialized.
    pub fn waits_for_initialization(&self) -> bool {
        self.stage == Stage::NotInitialized
    }

    /// The connection is down for now, and the components' condition says what was known before.
    pub fn components_remembered(&self) -> bool {
        self.components_known && matches!(self.stage, Stage::NotConnectedYet | Stage::NotConnected)
    }

    /// The connection is down for now, and the condition of etcd says what was known before.
    pub fn etcd_remembered(&self) -> bool {
        self.etcd_known && matches!(self.stage, Stage::NotConnectedYet | Stage::NotConnected)
    }

    /// No connection has been established yet.
    pub fn not_connected_yet(&self) -> bool {
        self.stage == Stage::NotConnectedYet
    }

    /// The connection is down.
    pub fn connection_down(&self) -> bool {
        matches!(self.stage, Stage::ConnectionLost | Stage::NotConnected)
    }

    /// There is no client for another reason.
    pub fn no_client(&self) -> bool {
        self.stage == Stage::NoClient
    }

    /// The Nodes could not be listed.
    pub fn nodes_not_listed(&self) -> bool {
        self.stage == Stage::NodesNotListed
    }

    /// Etcd does not run on the machines, or it was not read.
    pub fn etcd_not_read(&self) -> bool {
        !self.manages_etcd || self.etcd.is_none()
    }

    /// The workload cluster was inspected.
    pub fn complete(&self) -> bool {
        self.stage == Stage::Inspected
    }

    /// When the workload cluster last answered.
    pub fn last_probe(&self) -> String {
        self.last_probe.map_or_else(String::new, |time| format!("Last successful probe at {time}"))
    }

    /// What keeps the policy from deciding everything.
    pub fn error(&self) -> Option<&'static str> {
        match self.stage {
            Stage::NotConnectedYet => Some("connection to the workload cluster not established yet"),
            Stage::ConnectionLost => Some("connection to the workload cluster is down"),
            Stage::NotConnected | Stage::NoClient => Some("no client for the workload cluster"),
            _ => None,
        }
    }

    /// The moment at which the connection counts as lost.
    pub fn next_change(&self, now: Time) -> Option<Time> {
        let connected =
            !matches!(self.stage, Stage::NotRead | Stage::NoInfrastructure | Stage::NoEndpoint | Stage::NotInitialized);
        self.lost_at.filter(|moment| connected && *moment > now)
    }

    /// The Node of a machine.
    pub fn node(&self, machine: &Machine<'_>) -> Option<&'a Node<'a>> {
        let name = &machine.status.node_ref.name;
        self.nodes.iter().copied().find(|node| !name.is_empty() && node.metadata.name == *name)
    }
}

fn stage(input: &Input<'_>, lost_at: Option<Time>, now: Time) -> Stage {
    let Some(cluster) = input.cluster.filter(|_| input.pods.is_some()) else { return Stage::NotRead };
    let observed = input.observed;
    let probes = &observed.health_checking_state;
    if !cluster.status.initialization.infrastructure_provisioned {
        Stage::NoInfrastructure
    } else if !cluster.spec.control_plane_endpoint.is_valid() {
        Stage::NoEndpoint
    } else if !input.object.status.initialization.control_plane_initialized || lost_at.is_none() {
        Stage::NotInitialized
    } else if probes.last_probe_success_time.is_none() && probes.consecutive_failures < FAILURES_BEFORE_DOWN {
        Stage::NotConnectedYet
    } else if lost_at.is_some_and(|moment| moment <= now) {
        Stage::ConnectionLost
    } else if observed.workload_client == "NotConnected" {
        Stage::NotConnected
    } else if !observed.workload_client.is_empty() {
        Stage::NoClient
    } else if !observed.node_list_error.is_empty() {
        Stage::NodesNotListed
    } else {
        Stage::Inspected
    }
}
