//! The bad days of `scenarios/`: what becomes of each, and that it is the same everywhere.

mod read;

use capi_policy_simulator::Scenario;
use capi_policy_simulator::day::{Day, Terms, in_parallel};
use capi_policy_simulator::property::{Demand, Property};
use read::{all, scenario};

fn day(scenario: &Scenario, seed: u64) -> Day {
    Terms { scenario, given: None, events: false }.day(seed).expect("a day")
}

/// The figures that a day is remembered by.
fn figures(day: &Day) -> String {
    format!(
        "replaced {} needless {} rolledOut {} below {} blocked {} storms {} loops {} starved {} noQuorum {}",
        day.replaced,
        day.needless,
        day.rolled_out,
        day.below_seconds,
        day.blocked_seconds,
        day.storms.len(),
        day.loops.len(),
        day.starved,
        day.quorum_lost_seconds
    )
}

/// A scenario, one of its variants or none, and what becomes of its first day.
#[rustfmt::skip]
const EXPECTED: &[(&str, &str, &str)] = &[
    ("bad-image", "", "replaced 20 needless 0 rolledOut 0 below 0 blocked 0 storms 0 loops 1 starved 0 noQuorum 0"),
    ("control-plane-loses-two", "", "replaced 1 needless 0 rolledOut 0 below 2511 blocked 1800 storms 0 loops 0 starved 0 noQuorum 1800"),
    ("flapping-kubelet", "", "replaced 23 needless 23 rolledOut 0 below 15878 blocked 0 storms 0 loops 6 starved 0 noQuorum 0"),
    ("flapping-kubelet", "timeout 15m", "replaced 0 needless 0 rolledOut 0 below 11718 blocked 0 storms 0 loops 0 starved 0 noQuorum 0"),
    ("overlapping-health-checks", "", "replaced 4 needless 4 rolledOut 0 below 2400 blocked 2350 storms 0 loops 0 starved 0 noQuorum 0"),
    ("overlapping-health-checks", "only the careful one", "replaced 0 needless 0 rolledOut 0 below 2400 blocked 2350 storms 0 loops 0 starved 0 noQuorum 0"),
    ("partition", "", "replaced 2 needless 0 rolledOut 0 below 3661 blocked 3600 storms 0 loops 0 starved 0 noQuorum 0"),
    ("rollout-during-outage", "", "replaced 12 needless 12 rolledOut 13 below 3600 blocked 0 storms 0 loops 2 starved 0 noQuorum 0"),
    ("slow-boots", "", "replaced 39 needless 35 rolledOut 0 below 11536 blocked 0 storms 0 loops 3 starved 0 noQuorum 0"),
    ("slow-boots", "startup timeout 20m", "replaced 5 needless 1 rolledOut 0 below 2622 blocked 0 storms 0 loops 0 starved 0 noQuorum 0"),
    ("slow-boots", "startup timeout 30m", "replaced 4 needless 0 rolledOut 0 below 1851 blocked 0 storms 0 loops 0 starved 0 noQuorum 0"),
    ("zone-outage", "", "replaced 21 needless 20 rolledOut 0 below 3767 blocked 0 storms 2 loops 0 starved 0 noQuorum 0"),
    ("zone-outage", "at most 20%", "replaced 2 needless 0 rolledOut 0 below 4638 blocked 2650 storms 0 loops 0 starved 0 noQuorum 0"),
    ("zone-outage", "at most 40%", "replaced 21 needless 20 rolledOut 0 below 3767 blocked 0 storms 2 loops 0 starved 0 noQuorum 0"),
    ("zone-outage", "range [1-3]", "replaced 2 needless 0 rolledOut 0 below 4638 blocked 2650 storms 0 loops 0 starved 0 noQuorum 0"),
];

#[test]
fn each_bad_day_is_what_its_text_says() {
    let mut found = Vec::new();
    for (name, variant, _) in EXPECTED {
        let mut scenario = scenario(name);
        if !variant.is_empty() {
            let change = scenario.compare.iter().find(|each| each.name == *variant).expect("a variant").clone();
            scenario = change.apply(&scenario).expect("a scenario");
        }
        found.push((*name, *variant, figures(&day(&scenario, 1))));
    }
    let expected: Vec<_> = EXPECTED.iter().map(|(name, variant, text)| (*name, *variant, (*text).to_owned())).collect();
    assert_eq!(found, expected);
}

#[test]
fn every_scenario_of_the_folder_is_held_to_figures() {
    let mut held: Vec<_> = EXPECTED.iter().map(|(name, ..)| (*name).to_owned()).collect();
    held.dedup();
    held.sort();
    let names: Vec<_> = all().into_iter().map(|(name, _)| name).collect();
    assert_eq!(held, names);
}

#[test]
fn what_a_scenario_demands_of_itself_holds() {
    for (name, scenario) in all() {
        for (texts, always) in [(&scenario.never, false), (&scenario.always, true)] {
            for text in texts {
                let demand = Demand { property: Property::parse(text).expect("a property"), always };
                assert!(demand.is_met(&day(&scenario, 1)), "{name}: {demand}");
            }
        }
    }
}

#[test]
fn what_unblocks_remediation_is_named() {
    let scenario = scenario("overlapping-health-checks");
    let blocked = &day(&scenario, 1).blocked;
    let text: Vec<_> =
        blocked.iter().map(|each| format!("{} {} {:?}: {}", each.by, each.from, each.until, each.why)).collect();
    assert_eq!(text, ["MachineHealthCheck c1/careful 3650 Some(6000): 4 of 12 machines unhealthy, 20% configured"]);
    assert!(blocked[0].ended_by.starts_with("zone a is back"), "{}", blocked[0].ended_by);
}

/// Days with chance in them, over several clusters and seeds.
fn many(threads: usize) -> String {
    let mut scenario = scenario("zone-outage");
    (scenario.clusters, scenario.horizon.0) = (2, 3 * 3_600);
    let terms = Terms { scenario: &scenario, given: None, events: true };
    let work: Vec<_> = (1..=3).flat_map(|seed| (0..2).map(move |cluster| (seed, cluster))).collect();
    let days = in_parallel(&work, threads, |(seed, cluster)| terms.cluster(*seed, *cluster).expect("a day"), || {});
    let days: Vec<_> = days.chunks(2).map(|clusters| Day::together(clusters[0].seed, clusters.to_vec())).collect();
    serde_json::to_string(&days).expect("days")
}

/// FNV-1a, which needs no crate: the text is ours, nobody forges it.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn the_same_seed_is_the_same_day_on_every_machine_and_thread_count() {
    let one = many(1);
    assert!(one == many(2) && one == many(4));
    assert_eq!(format!("{:016x}", digest(&one)), include_str!("days.digest").trim());
}
