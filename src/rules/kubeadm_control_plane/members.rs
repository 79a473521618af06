//! What etcd says about its members, compared with the machines of the control plane.

use super::inspection::Inspection;
use crate::observed::EtcdMember;
use crate::time::Time;
use crate::view::Machine;

/// A Node of that age, in seconds, should have a member.
const MEMBER_AFTER: i64 = 120;

/// What etcd answered.
pub struct Members<'a> {
    answer: Answer<'a>,
    /// Members that no machine accounts for.
    pub strays: Vec<String>,
    matching: bool,
}

enum Answer<'a> {
    /// Etcd was not read.
    NotAsked,
    /// There was no Node to ask it through.
    NoNode,
    NotConnected(&'a str),
    NotListed(&'a str),
    NoLeader,
    NoAlarms(&'a str),
    Known(&'a [EtcdMember<'a>]),
}

impl<'a> Members<'a> {
    /// Asks and compares.
    pub fn of(inspection: &Inspection<'a>, machines: &[&Machine<'_>], now: Time) -> Self {
        let answer = answer(inspection, machines);
        let (matching, strays) = match answer {
            Answer::Known(members) => compare(members, inspection, machines, now),
            Answer::NotAsked => (false, Vec::new()),
            _ => (machines.iter().all(|machine| machine.status.node_ref.name.is_empty()), Vec::new()),
        };
        Self { answer, strays, matching }
    }

    /// The members are known.
    pub fn known(&self) -> bool {
        matches!(self.answer, Answer::Known(_))
    }

    /// Members, machines and Nodes fit together.
    pub fn matching(&self) -> bool {
        self.matching
    }

    /// The members, where they are known.
    pub fn list(&self) -> Option<&'a [EtcdMember<'a>]> {
        match self.answer {
            Answer::Known(members) => Some(members),
            _ => None,
        }
    }

    /// No machine has a Node through which etcd could be reached.
    pub fn no_node_to_reach_etcd(&self) -> bool {
        matches!(self.answer, Answer::NoNode)
    }

    /// No member could be reached.
    pub fn etcd_unreachable(&self) -> bool {
        matches!(self.answer, Answer::NotConnected(_))
    }

    /// The members could not be listed.
    pub fn members_not_listed(&self) -> bool {
        matches!(self.answer, Answer::NotListed(_))
    }

    /// Etcd has no leader among its members.
    pub fn etcd_without_leader(&self) -> bool {
        matches!(self.answer, Answer::NoLeader)
    }

    /// The alarms could not be listed.
    pub fn alarms_not_listed(&self) -> bool {
        matches!(self.answer, Answer::NoAlarms(_))
    }

    /// Why etcd did not answer.
    pub fn error(&self) -> &'a str {
        match self.answer {
            Answer::NotConnected(error) | Answer::NotListed(error) | Answer::NoAlarms(error) => error,
            _ => "",
        }
    }

    /// The member on a machine's Node.
    pub fn on(&self, machine: &Machine<'_>) -> Option<&'a EtcdMember<'a>> {
        self.list()?.iter().find(|member| member.name == machine.status.node_ref.name)
    }
}

fn answer<'a>(inspection: &Inspection<'a>, machines: &[&Machine<'_>]) -> Answer<'a> {
    let Some(etcd) = inspection.etcd.filter(|_| inspection.complete() && inspection.manages_etcd) else {
        return Answer::NotAsked;
    };
    let staying = machines.iter().filter(|machine| !machine.metadata.in_deletion());
    let mut nodes = staying.filter_map(|machine| inspection.node(machine)).map(|node| &node.metadata.name).peekable();
    if nodes.peek().is_none() {
        Answer::NoNode
    } else if nodes.all(|node| etcd.unreachable_nodes.contains(node)) {
        Answer::NotConnected(&etcd.connect_error)
    } else if !etcd.members_error.is_empty() {
        Answer::NotListed(&etcd.members_error)
    } else if !etcd.members.iter().any(|member| member.id == etcd.leader_id) {
        Answer::NoLeader
    } else if !etcd.alarms_error.is_empty() {
        Answer::NoAlarms(&etcd.alarms_error)
    } else {
        Answer::Known(&etcd.members)
    }
}

/// Whether members and machines fit together, and the members that no machine accounts for.
fn compare(
    members: &[EtcdMember<'_>],
    inspection: &Inspection<'_>,
    machines: &[&Machine<'_>],
    now: Time,
) -> (bool, Vec<String>) {
    let has_member = |machine: &Machine<'_>| members.iter().any(|m| m.name == machine.status.node_ref.name);
    let old_node = |machine: &Machine<'_>| {
        let made = inspection.node(machine).map(|node| node.metadata.creation_timestamp.unwrap_or(Time::ZERO));
        made.is_some_and(|made| made.plus(MEMBER_AFTER) < now)
    };
    let lacks_member = machines.iter().any(|machine| {
        let expected = !machine.status.node_ref.name.is_empty() && !machine.metadata.in_deletion();
        expected && !has_member(machine) && old_node(machine)
    });
    let named = |machine: &&Machine<'_>| !machine.status.node_ref.name.is_empty();
    let newcomers = machines.iter().any(|machine| !named(machine));
    let strays: Vec<_> = members
        .iter()
        .filter(|member| !machines.iter().any(|m| named(m) && m.status.node_ref.name == member.name))
        .map(|member| {
            let name = if member.name.is_empty() {
                format!("{} (Name not yet assigned)", member.id)
            } else {
                member.name.to_string()
            };
            format!("Etcd member {name} does not have a corresponding Machine")
        })
        .collect();
    (!lacks_member && (strays.is_empty() || newcomers), strays)
}
