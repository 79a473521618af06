//! The static Pod of one component on a control-plane Machine.

use super::control_plane_machine::Inspected;
use crate::view::{ConditionsExt, Pod};

/// The guards and facts of a table about the Pod of a component.
macro_rules! static_pod_facts {
    ($component:literal) => {
        use $crate::rules::kubeadm_control_plane::machine_facts::{
            deleting, infrastructure_kind, node_gone, node_name, node_ready_unknown, node_unreachable, provider_id,
            without_node, without_provider_id,
        };

        $crate::rules::kubeadm_control_plane::static_pod::static_pod_facts! { @all $component,
            unreadable => bool, missing => bool, pending => bool, scheduled => bool, initialized => bool, running => bool,
            ready => bool, waiting => bool, crashed => bool, terminated => bool, ended => bool, phase_unknown => bool,
            phase => String, waiting_for => String, terminated_by => String,
        }

        /// Why the Nodes could not be listed.
        fn node_list_error(m: &$crate::rules::kubeadm_control_plane::control_plane_machine::Inspected<'_>) -> String {
            m.inspection.node_list_error.to_owned()
        }
    };
    (@all $component:literal, $($fact:ident => $value:ty,)+) => {
        $(fn $fact(m: &$crate::rules::kubeadm_control_plane::control_plane_machine::Inspected<'_>) -> $value {
            $crate::rules::kubeadm_control_plane::static_pod::StaticPod::of(m, $component).$fact()
        })+
    };
}
pub(super) use static_pod_facts;

/// The table about the Pod of a component: its facts, and rows that are the same for all components but for their codes. After the
/// first row there may be others of the component's own.
macro_rules! static_pod {
    (
        id: $id:literal, condition: $condition:literal, component: $what:literal,
        first: $too_early:literal [$($own:expr)?], then:
        $uninitialized:literal $remembered:literal $unconnected:literal $down:literal $no_client:literal $no_nodes:literal $deleted:literal $unprovided:literal $nodeless:literal $gone:literal $unreachable:literal $stale:literal $illegible:literal,
        $missing:literal $unscheduled:literal $initializing:literal $pending:literal $running:literal $crashed:literal $waiting:literal $terminated:literal $probing:literal $ended:literal $unclear:literal $other:literal,
    ) => {
        $crate::table::Table {
            id: $id,
            kind: "KubeadmControlPlane",
            condition: $condition,
            about: concat!("Whether the static Pod of ", $what, " runs on the Node of a control-plane Machine."),
            source: "Cluster API v1.14.2, `controlplane/kubeadm`",
            facts: $crate::table::facts![
                node_name, deleting, phase;
                infrastructure_kind, provider_id, node_list_error, waiting_for, terminated_by, inspection.last_probe
            ],
            rows: &[
                $crate::table::row!($too_early, inspection.too_early_for_machines => keep),
                $($own,)?
                $crate::table::row!($uninitialized, inspection.waits_for_initialization => Unknown, "InspectionFailed", "Waiting for Cluster control plane to be initialized"),
                $crate::table::row!($remembered, inspection.components_remembered => keep),
                $crate::table::row!($unconnected, inspection.not_connected_yet => Unknown, "ConnectionDown", "Remote connection not established yet"),
                $crate::table::row!($down, inspection.connection_down => Unknown, "ConnectionDown", "{inspection.last_probe}"),
                $crate::table::row!($no_client, inspection.no_client => Unknown, "InspectionFailed", CHECK_CONTROLLER_LOGS),
                $crate::table::row!($no_nodes, inspection.nodes_not_listed => Unknown, "InspectionFailed", "Failed to get the Node hosting the Pod: {node_list_error}"),
                $crate::table::row!($deleted, deleting => False, "Deleting", "Machine is deleting"),
                $crate::table::row!($unprovided, without_provider_id => Unknown, "InspectionFailed", "Waiting for {infrastructure_kind} to report spec.providerID"),
                $crate::table::row!($nodeless, without_node => Unknown, "InspectionFailed", "Waiting for a Node with spec.providerID {provider_id} to exist"),
                $crate::table::row!($gone, node_gone => Unknown, "InspectionFailed", "Node {node_name} does not exist"),
                $crate::table::row!($unreachable, node_unreachable => Unknown, "InspectionFailed", "Node {node_name} is unreachable"),
                $crate::table::row!($stale, node_ready_unknown => Unknown, "InspectionFailed", "Node Ready condition is Unknown, Pod data might be stale"),
                $crate::table::row!($illegible, unreadable => Unknown, "InspectionFailed", CHECK_CONTROLLER_LOGS),
                $crate::table::row!($missing, missing => False, "DoesNotExist", "Pod does not exist"),
                $crate::table::row!($unscheduled, pending and not scheduled => False, "Provisioning", "Waiting to be scheduled"),
                $crate::table::row!($initializing, pending and not initialized => False, "Provisioning", "Running init containers"),
                $crate::table::row!($pending, pending => False, "Provisioning", ""),
                $crate::table::row!($running, running and ready => True, "Running", ""),
                $crate::table::row!($crashed, running and waiting and crashed => False, "Failed", "{waiting_for}"),
                $crate::table::row!($waiting, running and waiting => False, "Provisioning", "{waiting_for}"),
                $crate::table::row!($terminated, running and terminated => False, "Failed", "{terminated_by}"),
                $crate::table::row!($probing, running => False, "Provisioning", "Waiting for startup or readiness probes"),
                $crate::table::row!($ended, ended => False, "Failed", "All the containers have been terminated"),
                $crate::table::row!($unclear, phase_unknown => Unknown, "InspectionFailed", "Pod is reporting Unknown status"),
                $crate::table::row!($other, otherwise => keep),
            ],
        }
    };
}
pub(super) use static_pod;

/// The Pod of a component on a Machine's Node.
pub struct StaticPod<'a> {
    pod: Option<&'a Pod<'a>>,
    unreadable: bool,
}

impl<'a> StaticPod<'a> {
    /// Looks for it.
    pub fn of(machine: &Inspected<'a>, component: &str) -> Self {
        Self { pod: machine.pod(component), unreadable: machine.pod_unreadable(component) }
    }

    /// It can't be read.
    pub fn unreadable(&self) -> bool {
        self.unreadable
    }

    /// It does not exist.
    pub fn missing(&self) -> bool {
        self.pod.is_none()
    }

    /// It has been accepted and does not run yet.
    pub fn pending(&self) -> bool {
        self.phase() == "Pending"
    }

    /// It is bound to its Node.
    pub fn scheduled(&self) -> bool {
        self.is_true("PodScheduled")
    }

    /// Its init containers are done.
    pub fn initialized(&self) -> bool {
        self.is_true("Initialized")
    }

    /// Its containers were started.
    pub fn running(&self) -> bool {
        self.phase() == "Running"
    }

    /// It serves requests.
    pub fn ready(&self) -> bool {
        self.is_true("Ready")
    }

    /// Some container waits.
    pub fn waiting(&self) -> bool {
        self.waits().next().is_some()
    }

    /// Some container ended with an error before.
    pub fn crashed(&self) -> bool {
        let statuses = self.pod.into_iter().flat_map(|pod| &pod.status.container_statuses);
        statuses.filter_map(|status| status.last_state.terminated.as_ref()).any(|ended| ended.exit_code != 0)
    }

    /// Some container has ended.
    pub fn terminated(&self) -> bool {
        self.ends().next().is_some()
    }

    /// All containers have ended for good.
    pub fn ended(&self) -> bool {
        matches!(&*self.phase(), "Succeeded" | "Failed")
    }

    /// Its Node does not say how it does.
    pub fn phase_unknown(&self) -> bool {
        self.phase() == "Unknown"
    }

    /// Its phase.
    pub fn phase(&self) -> String {
        self.pod.map_or_else(String::new, |pod| pod.status.phase.to_string())
    }

    /// What its containers wait for.
    pub fn waiting_for(&self) -> String {
        self.waits().collect::<Vec<_>>().join(", ")
    }

    /// What ended its containers.
    pub fn terminated_by(&self) -> String {
        self.ends().collect::<Vec<_>>().join(", ")
    }

    fn waits(&self) -> impl Iterator<Item = &'a str> {
        let statuses = self.pod.into_iter().flat_map(|pod| &pod.status.container_statuses);
        statuses.filter_map(|status| status.state.waiting.as_ref()).map(|waiting| &*waiting.reason)
    }

    fn ends(&self) -> impl Iterator<Item = &'a str> {
        let statuses = self.pod.into_iter().flat_map(|pod| &pod.status.container_statuses);
        statuses.filter_map(|status| status.state.terminated.as_ref()).map(|ended| &*ended.reason)
    }

    fn is_true(&self, condition: &str) -> bool {
        self.pod.is_some_and(|pod| pod.status.conditions.has(condition, "True"))
    }
}
