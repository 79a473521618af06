//! Versions of Kubernetes: their order, the lowest, and how many machines run each.

use super::version::Version;
use crate::outcome::VersionCount;
use crate::sorted::Sorted;
use crate::view::{self, Machine, MachineSet, Metadata};
use std::cmp::Ordering;

/// How many machines run each version, the oldest version first. A machine counts with the version that its kubelet
/// reports, else with the one it should have.
pub fn of_machines(machines: &[&Machine<'_>]) -> Vec<VersionCount> {
    let mut machines: Vec<_> = machines.to_vec();
    machines.order_by(|a, b| by_age(&a.metadata, &b.metadata));
    let runs = |machine: &&Machine<'_>| {
        let kubelet = &machine.status.node_info.kubelet_version;
        let version = if kubelet.is_empty() { &machine.spec.version } else { kubelet };
        VersionCount { version: version.to_string(), replicas: 1 }
    };
    summed(machines.iter().map(runs))
}

/// Adds up what MachineSets count. Where versions can't be compared, those of the oldest MachineSet go first.
pub fn of_machine_sets(machine_sets: &[&MachineSet<'_>]) -> Vec<VersionCount> {
    let mut machine_sets: Vec<_> = machine_sets.to_vec();
    machine_sets.order_by(|a, b| by_age(&a.metadata, &b.metadata));
    summed(machine_sets.iter().flat_map(|set| &set.status.versions).map(view::VersionCount::counted))
}

/// The oldest first, then by name.
pub fn by_age(a: &Metadata<'_>, b: &Metadata<'_>) -> Ordering {
    a.creation_timestamp.cmp(&b.creation_timestamp).then_with(|| a.name.cmp(&b.name))
}

/// Whether a version is at least another one. Pre-releases count as the release; what is no version is not.
pub fn at_least(version: &str, other: &str) -> bool {
    matches!((Version::parse(version), Version::parse(other)), (Ok(a), Ok(b)) if a.core >= b.core)
}

/// Whether two versions are of the same release: what a provider adds does not count.
pub fn same_release(a: &str, b: &str) -> bool {
    matches!((Version::parse(a), Version::parse(b)), (Ok(a), Ok(b)) if a.core == b.core)
}

/// Adds up what several objects count, the oldest version first.
pub fn summed(counts: impl IntoIterator<Item = VersionCount>) -> Vec<VersionCount> {
    let mut sums: Vec<VersionCount> = Vec::new();
    for count in counts {
        if let Some(sum) = sums.iter_mut().find(|sum| sum.version == count.version) {
            sum.replicas = sum.replicas.saturating_add(count.replicas);
        } else if !count.version.is_empty() {
            sums.push(count);
        }
    }
    ascending(sums)
}

/// Puts each entry before those that it is lower than, one after the other: where versions can't be compared the order is
/// not transitive, and it depends on the way of sorting what comes out.
fn ascending(counts: Vec<VersionCount>) -> Vec<VersionCount> {
    let mut sorted: Vec<VersionCount> = Vec::with_capacity(counts.len());
    for count in counts {
        let lower = |other: &VersionCount| is_lower(&count.version, &other.version);
        let place = sorted.iter().rposition(|other| !lower(other)).map_or(0, |before| before.saturating_add(1));
        sorted.insert(place, count);
    }
    sorted
}

/// Whether a version goes before one that was named earlier. What is no version goes last.
fn is_lower(version: &str, earlier: &str) -> bool {
    match (Version::parse(version).ok(), Version::parse(earlier).ok()) {
        (Some(a), Some(b)) => match a.compare(&b) {
            Some(Ordering::Equal) => version < earlier,
            Some(order) => order == Ordering::Less,
            None => false,
        },
        (Some(_), None) => true,
        (None, Some(_)) => false,
        (None, None) => version < earlier,
    }
}

/// Whether entries that another object counts are versions in ascending order.
pub fn are_ascending<'a>(versions: impl IntoIterator<Item = &'a str>) -> bool {
    let mut before: Option<Version<'a>> = None;
    for version in versions {
        let Ok(version) = Version::parse(version) else { return false };
        if before.is_some_and(|before| version.compare(&before) == Some(Ordering::Less)) {
            return false;
        }
        before = Some(version);
    }
    true
}

/// The lowest version, as it is written. What is not a version does not count.
///
/// Words in build metadata may be anything, a commit for instance: of versions that differ in nothing else, the first is
/// taken.
pub fn lowest<'a>(versions: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let versions = versions.into_iter().filter_map(|text| Some((Version::parse(text).ok()?, text)));
    versions
        .reduce(|low, next| if next.0.compare(&low.0) == Some(Ordering::Less) { next } else { low })
        .map(|(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::{are_ascending, lowest, of_machines, summed};
    use crate::outcome::VersionCount;
    use crate::view::Machine;

    fn order(versions: &[&str]) -> Vec<String> {
        let counts = versions.iter().map(|version| VersionCount { version: (*version).to_owned(), replicas: 1 });
        summed(counts).into_iter().map(|count| count.version).collect()
    }

    #[test]
    fn versions_are_counted_from_the_oldest_to_the_newest() {
        assert_eq!(
            order(&["v1.33.1", "", "latest", "v1.32.0", "v1.33.1+1", "v1.33.1-rc.1"]),
            ["v1.32.0", "v1.33.1-rc.1", "v1.33.1", "v1.33.1+1", "latest"]
        );
        assert_eq!(order(&["v1.33.1", "1.33.1", "b", "a"]), ["1.33.1", "v1.33.1", "a", "b"]);
    }

    #[test]
    fn versions_that_cannot_be_compared_stay_in_their_order() {
        assert_eq!(order(&["v1.33.1+k3s1", "v1.33.1+a", "v1.33.1+2"]), ["v1.33.1+2", "v1.33.1+k3s1", "v1.33.1+a"]);
    }

    #[test]
    fn a_machine_counts_with_its_kubelet_and_else_with_what_it_should_run() {
        let machine = |text: &'static str| capi_policy_json::read::<Machine<'_>>(text).expect("a Machine");
        let kubelet =
            machine(r#"{"spec": {"version": "v1.33.1"}, "status": {"nodeInfo": {"kubeletVersion": "v1.32.0"}}}"#);
        let (spec, none) = (machine(r#"{"spec": {"version": "v1.33.1"}}"#), machine("{}"));
        let counts = of_machines(&[&spec, &kubelet, &none, &spec]);
        let of = |version: &str, replicas| VersionCount { version: version.to_owned(), replicas };
        assert_eq!(counts, [of("v1.32.0", 1), of("v1.33.1", 2)]);
    }

    #[test]
    fn lists_of_others_have_to_be_versions_in_their_order() {
        assert!(are_ascending(["v1.32.0", "v1.33.1", "v1.33.1+b", "v1.33.1+a"]));
        assert!(!are_ascending(["v1.33.1", "v1.32.0"]));
        assert!(!are_ascending(["v1.33.1", "latest"]));
    }

    #[test]
    fn versions_have_the_order_of_semantic_versions() {
        let ascending = [
            "1",
            "v1.30.0-alpha.1",
            "v1.30.0-alpha.2",
            "v1.30.0-alpha.beta",
            "v1.30.0-beta",
            "v1.30",
            "v1.30.0+1",
            "v1.30.0+2",
            "v1.30.0+2.a",
            "v1.30.9",
            "v1.30.10",
            "v1.31.0",
        ];
        for pair in ascending.windows(2) {
            let backwards: Vec<_> = pair.iter().rev().copied().collect();
            assert_eq!((lowest(pair.to_vec()), lowest(backwards)), (pair.first().copied(), pair.first().copied()));
        }
    }

    #[test]
    fn what_is_no_version_does_not_count() {
        let none = ["", "latest", "v1.2.3.4", "v1.30-rc.1", "v1.30.0-rc..1", "v1.30.0-rc_1", "v1.30.0-01"];
        assert_eq!(lowest(none), None);
        assert_eq!(lowest(["latest", "v1.31.0"]), Some("v1.31.0"));
    }

    #[test]
    fn a_zero_a_word_that_starts_with_one_and_a_hyphen_are_fine() {
        for version in ["v1.30.0-0", "v1.30.0-rc.0", "v1.30.0-0a", "v1.30.0-rc-1"] {
            assert_eq!(lowest(["v1.30.0", version]), Some(version));
        }
    }
}
