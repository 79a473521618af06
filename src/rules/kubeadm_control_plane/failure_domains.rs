//! Where control-plane machines go, and which of them goes first.

use super::Input;
use crate::sorted::Sorted;
use crate::view::{ConditionsExt, Machine, annotation};

/// Failure domains for the next machine: those with the fewest machines that are up to date, then with the fewest
/// machines, by name. Cluster API takes any of those that have the same numbers, this policy the first.
pub fn for_next_machine<'a>(input: &'a Input<'_>, outdated: &[&Machine<'_>]) -> Vec<&'a str> {
    let up_to_date = |machine: &Machine<'_>| {
        !machine.metadata.in_deletion() && outdated.iter().all(|other| other.metadata.name != machine.metadata.name)
    };
    best(input, |domain| {
        let here = || input.machines.iter().filter(|machine| machine.spec.failure_domain == *domain);
        (here().filter(|machine| up_to_date(machine)).count(), here().count())
    })
}

/// The failure domains for which a key is lowest, by name.
fn best<'a, Key: Ord>(input: &'a Input<'_>, key: impl Fn(&str) -> Key) -> Vec<&'a str> {
    let mut domains = all(input);
    domains.order_by(Ord::cmp);
    domains.dedup();
    let lowest = domains.iter().map(|domain| key(domain)).min();
    domains.retain(|domain| Some(key(domain)) == lowest);
    domains
}

fn all<'a>(input: &'a Input<'_>) -> Vec<&'a str> {
    let domains = input.cluster.map(|cluster| &*cluster.status.failure_domains).unwrap_or_default();
    domains.iter().filter(|domain| domain.control_plane).map(|domain| &*domain.name).collect()
}

/// The machines of which one goes first, when machines have to go or to be updated; several where failure domains have
/// the same numbers.
pub fn first_to_go<'a>(input: &'a Input<'a>, outdated: &[&'a Machine<'a>]) -> Vec<&'a Machine<'a>> {
    let eligible = eligible(input, outdated);
    let known = all(input);
    let outside = eligible.iter().copied().filter(|machine| !known.contains(&&*machine.spec.failure_domain));
    if let Some(machine) = oldest(outside) {
        return vec![machine];
    }
    let in_domain = |domain: &str| {
        eligible.iter().copied().filter(|machine| machine.spec.failure_domain == *domain).collect::<Vec<_>>()
    };
    let domains = best(input, |domain| {
        let machines = input.machines.iter().filter(|machine| machine.spec.failure_domain == *domain);
        (std::cmp::Reverse(in_domain(domain).len()), std::cmp::Reverse(machines.count()))
    });
    domains.into_iter().filter_map(|domain| oldest(in_domain(domain).into_iter())).collect()
}

fn eligible<'a>(input: &'a Input<'a>, outdated: &[&'a Machine<'a>]) -> Vec<&'a Machine<'a>> {
    let annotated = |machine: &&Machine<'_>| machine.metadata.annotation(annotation::DELETE_MACHINE).is_some();
    let etcd: &[&str] = if input.object.manages_etcd() { &["EtcdPodHealthy", "EtcdMemberHealthy"] } else { &[] };
    let broken = |machine: &&Machine<'_>| {
        let mut conditions = super::projection::COMPONENTS.iter().chain(etcd);
        conditions.any(|condition| machine.status.conditions.has(condition, "False"))
    };
    let groups: [Vec<&Machine<'_>>; 4] = [
        outdated.iter().copied().filter(annotated).collect(),
        input.machines.iter().copied().filter(annotated).collect(),
        outdated.iter().copied().filter(broken).collect(),
        outdated.to_vec(),
    ];
    groups.into_iter().find(|group| !group.is_empty()).unwrap_or_else(|| input.machines.clone())
}

fn oldest<'a>(machines: impl Iterator<Item = &'a Machine<'a>>) -> Option<&'a Machine<'a>> {
    let mut machines: Vec<_> = machines.collect();
    machines.order_by(|a, b| {
        (a.metadata.creation_timestamp, &a.metadata.name).cmp(&(b.metadata.creation_timestamp, &b.metadata.name))
    });
    machines.first().copied()
}
