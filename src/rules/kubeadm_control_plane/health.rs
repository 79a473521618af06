//! Counts the machines that run a healthy control plane.

use crate::time::Time;
use crate::view::{Condition, ConditionsExt, Machine};

/// An available control plane keeps silent about an issue for this long, in seconds: most of them pass.
const REPORTED_AFTER: i64 = 10;

/// The conditions of a machine that runs the control plane's components.
const COMPONENTS: &[&str] = &["APIServerPodHealthy", "ControllerManagerPodHealthy", "SchedulerPodHealthy"];

/// The same where etcd runs beside them. An API server talks to the member on its own machine, so it needs that one.
const COMPONENTS_AND_ETCD: &[&str] = &[
    "APIServerPodHealthy",
    "ControllerManagerPodHealthy",
    "SchedulerPodHealthy",
    "EtcdMemberHealthy",
    "EtcdPodHealthy",
];

/// The condition of a machine that runs a member of etcd.
const MEMBER: &[&str] = &["EtcdMemberHealthy"];

/// How many are healthy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Healthy.
    pub healthy: usize,
    /// Not healthy for long enough to say so.
    pub unhealthy: usize,
    /// Not healthy, but too shortly to say so while the control plane is available.
    pub not_reported_yet: usize,
}

impl Tally {
    /// How many count as healthy, those included whose issues are too young to be reported.
    pub fn healthy_as_reported(&self) -> usize {
        self.healthy.saturating_add(self.not_reported_yet)
    }

    /// One more that is healthy.
    pub fn add_healthy(&mut self) {
        self.healthy = self.healthy.saturating_add(1);
    }

    /// One more that is not.
    pub fn add_unhealthy(&mut self) {
        self.unhealthy = self.unhealthy.saturating_add(1);
    }

    /// One more member of etcd, on that machine.
    pub fn add_member_on(&mut self, machine: &Machine<'_>, now: Time) {
        self.add(machine, MEMBER, now);
    }

    fn add(&mut self, machine: &Machine<'_>, conditions: &[&str], now: Time) {
        if conditions.iter().all(|kind| machine.status.conditions.has(kind, "True")) {
            self.add_healthy();
        } else if reported_from(machine, conditions).is_some_and(|moment| moment <= now) {
            self.add_unhealthy();
        } else {
            self.not_reported_yet = self.not_reported_yet.saturating_add(1);
        }
    }
}

/// Counts the machines on which everything is healthy. Those without a provider ID are still being made.
pub fn control_planes(machines: &[&Machine<'_>], manages_etcd: bool, now: Time) -> Tally {
    let mut tally = Tally::default();
    for machine in machines.iter().filter(|m| !m.spec.provider_id.is_empty()) {
        tally.add(machine, if manages_etcd { COMPONENTS_AND_ETCD } else { COMPONENTS }, now);
    }
    tally
}

/// From when on the oldest issue is reported; `None` when no condition says that there is one.
fn reported_from(machine: &Machine<'_>, conditions: &[&str]) -> Option<Time> {
    let reported = conditions.iter().filter_map(|kind| machine.status.conditions.of_type(kind));
    let since = reported.filter(|c| c.status != "True").map(Condition::transitioned).min();
    since.map(|since| since.plus(REPORTED_AFTER + 1))
}

/// The next moment at which an issue is reported.
pub fn next_change(machines: &[&Machine<'_>], manages_etcd: bool, now: Time) -> Option<Time> {
    let groups = if manages_etcd { &[COMPONENTS_AND_ETCD, MEMBER][..] } else { &[COMPONENTS][..] };
    let moments = machines.iter().flat_map(|m| groups.iter().filter_map(|conditions| reported_from(m, conditions)));
    moments.filter(|moment| *moment > now).min()
}

#[cfg(test)]
mod tests {
    use super::{Tally, control_planes, next_change};
    use crate::time::Time;
    use crate::view::Machine;

    #[test]
    fn an_issue_is_reported_when_it_is_older_than_ten_seconds() {
        let text = r#"{ "spec": { "providerID": "p" }, "status": { "conditions": [
            { "type": "APIServerPodHealthy", "status": "False", "lastTransitionTime": "2026-01-01T00:00:00Z" },
            { "type": "SchedulerPodHealthy", "status": "True", "lastTransitionTime": "2025-01-01T00:00:00Z" }
        ] } }"#;
        let machine: Machine<'_> = capi_policy_json::read(text).expect("a machine");
        let since = Time::parse("2026-01-01T00:00:00Z").expect("a time");
        let at = |seconds| {
            let now = since.plus(seconds);
            (control_planes(&[&machine], false, now), next_change(&[&machine], false, now))
        };
        assert_eq!(at(10), (Tally { not_reported_yet: 1, ..Tally::default() }, Some(since.plus(11))));
        assert_eq!(at(11), (Tally { unhealthy: 1, ..Tally::default() }, None));
    }

    #[test]
    fn a_machine_that_says_nothing_is_neither_healthy_nor_an_issue() {
        let mut machine = Machine::default();
        assert_eq!(control_planes(&[&machine], true, Time::ZERO), Tally::default());
        machine.spec.provider_id = "p".into();
        assert_eq!(control_planes(&[&machine], true, Time::ZERO), Tally { not_reported_yet: 1, ..Tally::default() });
    }
}
