//! The arithmetic of etcd's quorum, from its members and the machines.

use super::health::Tally;
use crate::observed::EtcdMember;
use crate::time::Time;
use crate::view::Machine;

/// An etcd that runs on the machines of the control plane.
pub struct Etcd {
    members: usize,
    voting: usize,
    health: Tally,
}

impl Etcd {
    /// Counts every member by the health of the machine it runs on.
    pub fn of(members: &[EtcdMember<'_>], machines: &[&Machine<'_>], now: Time) -> Self {
        // A member without a name has just been added: it counts as a learner, so that it can't cost the quorum.
        let voting = members.iter().filter(|member| !member.is_learner && !member.name.is_empty()).count();
        let mut health = Tally::default();
        let mut newcomer = only_without_node(machines);
        for member in members {
            let on_node = || machines.iter().copied().find(|m| m.status.node_ref.name == member.name);
            if member.name.is_empty() {
                health.add_healthy();
            } else if let Some(machine) = on_node().or_else(|| newcomer.take()) {
                health.add_member_on(machine, now);
            } else {
                health.add_unhealthy();
            }
        }
        Self { members: members.len(), voting, health }
    }

    /// How many members there are.
    pub fn members(&self) -> usize {
        self.members
    }

    /// How many of them are healthy.
    pub fn healthy(&self) -> usize {
        self.health.healthy
    }

    /// How many healthy members etcd needs.
    pub fn quorum(&self) -> usize {
        (self.voting / 2).saturating_add(1)
    }

    /// Enough members are healthy.
    pub fn has_quorum(&self) -> bool {
        self.healthy() >= self.quorum()
    }

    /// What is wrong though there is a quorum.
    pub fn partial_failure(&self) -> Option<String> {
        (self.health.unhealthy > 0).then(|| self.count(self.health.healthy_as_reported()))
    }

    /// Why there is no quorum.
    pub fn lost_quorum(&self) -> Option<String> {
        (!self.has_quorum()).then(|| match self.healthy() {
            0 => format!("There are no healthy etcd member,{}", self.requirement()),
            healthy => self.count(healthy),
        })
    }

    fn count(&self, healthy: usize) -> String {
        let verb = if healthy == 1 { "is" } else { "are" };
        format!("{healthy} of {} etcd members {verb} healthy,{}", self.members, self.requirement())
    }

    fn requirement(&self) -> String {
        let learners = match self.members.saturating_sub(self.voting) {
            0 => String::new(),
            learners => format!(" {learners} learner etcd member,"),
        };
        format!("{learners} at least {} healthy member required for etcd quorum", self.quorum())
    }
}

/// Machines are made one at a time, so a member that no Node accounts for runs on the one that has none yet.
fn only_without_node<'a>(machines: &[&'a Machine<'a>]) -> Option<&'a Machine<'a>> {
    let mut without = machines.iter().copied().filter(|m| m.status.node_ref.name.is_empty());
    without.next().filter(|_| without.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::Etcd;
    use crate::observed::EtcdMember;
    use crate::time::Time;
    use crate::view::Machine;

    const HEALTHY: &str = r#"{ "conditions": [{ "type": "EtcdMemberHealthy", "status": "True" }] }"#;

    fn machine(node: &'static str) -> Machine<'static> {
        let mut machine = Machine { status: capi_policy_json::read(HEALTHY).expect("a status"), ..Machine::default() };
        machine.status.node_ref.name = node.into();
        machine
    }

    fn member(name: &'static str, is_learner: bool) -> EtcdMember<'static> {
        EtcdMember { name: name.into(), is_learner, ..EtcdMember::default() }
    }

    #[test]
    fn one_member_may_run_on_the_one_machine_without_node() {
        let (known, new) = (machine("n1"), machine(""));
        let members = [member("n1", false), member("n2", false), member("n3", false)];
        let etcd = Etcd::of(&members, &[&known, &new], Time::ZERO);
        assert_eq!((etcd.healthy(), etcd.quorum(), etcd.has_quorum()), (2, 2, true));
        let third = "2 of 3 etcd members are healthy, at least 2 healthy member required for etcd quorum";
        assert_eq!(etcd.partial_failure().as_deref(), Some(third));
        let other = machine("");
        assert_eq!(Etcd::of(&members, &[&known, &new, &other], Time::ZERO).healthy(), 1);
    }

    #[test]
    fn learners_and_nameless_members_do_not_vote() {
        let etcd = Etcd::of(&[member("n1", true), member("", false)], &[], Time::ZERO);
        assert_eq!((etcd.healthy(), etcd.quorum(), etcd.lost_quorum()), (1, 1, None));
        let etcd = Etcd::of(&[member("n1", true)], &[], Time::ZERO);
        let none = "There are no healthy etcd member, 1 learner etcd member, at least 1 healthy member required for etcd quorum";
        assert_eq!(etcd.lost_quorum().as_deref(), Some(none));
    }
}
