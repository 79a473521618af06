//! The static Pod of one component on a control-plane Machine.

use super::control_plane_machine::Inspected;
use crate::view::{ConditionsExt, Pod};

/// The guards and facts of a table about the Pod of a component.
macro_rules! static_pod_facts {
    ($component:literal) => {
        $crate::rules::kubeadm_control_plane::static_pod::static_pod_facts! { @all $component,
            unreadable => bool, missing => bool, pending => bool, scheduled => bool, initialized => bool, running => bool,
            ready => bool, waiting => bool, crashed => bool, terminated => bool, ended => bool, phase_unknown => bool,
            phase => String, waiting_for => String, terminated_by => String,
        }

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
