//! Compares what was measured with what was promised.

use super::figures::{
    ENDLESS, FLEET, FRESH, Figures, GO_FLEET, GO_FLEET_WAZERO, GO_JSON, GO_JSON_WAZERO, GO_LOAD, GO_LOAD_WAZERO,
    NATIVE, START, UPSTREAM_FLEET, UPSTREAM_JSON, UPSTREAM_OBJECTS, WARM,
};
use super::instructions::Instructions;

/// The kinds that are measured with many machines.
pub const KINDS: [&str; 2] = ["MachineDeployment", "MachineHealthCheck"];

/// The decision about one Machine that is measured.
const MACHINE: &str = "Machine Updating";

/// A promise.
pub struct Target {
    /// What is promised, in words.
    pub what: &'static str,
    /// The bound.
    pub bound: Bound,
    /// What a value is counted in.
    pub unit: &'static str,
    /// What was measured: for each kind, or once for both.
    pub measured: Vec<Option<f64>>,
}

/// Which side of a number is good.
#[derive(Clone, Copy)]
pub enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

impl Bound {
    /// Whether a value keeps the promise.
    pub fn met(self, value: f64) -> bool {
        match self {
            Self::AtMost(most) => value <= most,
            Self::AtLeast(least) => value >= least,
        }
    }
}

/// Every target. Of two ways to read one, the harder is taken: upstream is compared with fresh instances, the fleet with a
/// warm one.
pub fn all(figures: &Figures, instructions: &Instructions) -> Vec<Target> {
    let by_kind = |of: &dyn Fn(&str, &str) -> Option<f64>| {
        KINDS.map(|kind| of(&format!("{kind} 1000"), &format!("{kind} 10000"))).to_vec()
    };
    let over = |engine, other| by_kind(&|thousand, _| figures.ratio(thousand, engine, other));
    let growth = |thousand: &str, more: &str| {
        Some(figures.get(more, FRESH)?.processor / figures.get(thousand, FRESH)?.processor)
    };
    let more_instructions =
        KINDS.map(|kind| Some(instructions.millions(kind, 10_000)? / instructions.millions(kind, 1_000)?));
    let memory = |subject: &str| figures.get(subject, FRESH).and_then(|figure| Some(figure.memory? / figure.bytes));
    let target = |what, bound, measured| Target { what, bound, unit: "", measured };
    vec![
        target("component over native, one warm instance, no deadline", Bound::AtMost(1.5), over(ENDLESS, NATIVE)),
        target(
            "component over native, a fresh instance each time, deadline on",
            Bound::AtMost(2.0),
            over(FRESH, NATIVE),
        ),
        target(
            "the same with 10 machines",
            Bound::AtMost(3.0),
            KINDS.map(|kind| figures.ratio(&format!("{kind} 10"), FRESH, NATIVE)).to_vec(),
        ),
        target("the same for one Machine", Bound::AtMost(3.0), vec![figures.ratio(MACHINE, FRESH, NATIVE)]),
        target(
            "Cluster API's Go code (decode, evaluate, encode) over component",
            Bound::AtLeast(3.0),
            over(UPSTREAM_JSON, FRESH),
        ),
        target("component over fleet, one machine of 1,000 changed", Bound::AtLeast(8.0), over(WARM, FLEET)),
        target(
            "Cluster API's Go code on objects in memory over fleet",
            Bound::AtLeast(1.0),
            over(UPSTREAM_OBJECTS, FLEET),
        ),
        target(
            "instructions of the component, 10,000 machines over 1,000",
            Bound::AtMost(11.0),
            more_instructions.to_vec(),
        ),
        target("time of the component, 10,000 machines over 1,000", Bound::AtMost(11.0), by_kind(&growth)),
        // The worse of both sizes.
        target(
            "memory of the component over the snapshot's text",
            Bound::AtMost(3.0),
            by_kind(&|thousand, more| Some(memory(thousand)?.max(memory(more)?))),
        ),
        Target {
            what: "a fresh instance",
            bound: Bound::AtMost(20.0),
            unit: " µs",
            measured: vec![figures.get(START, "fresh instance").map(|figure| figure.clock)],
        },
        Target {
            what: "a fresh instance and a call that decides nothing",
            bound: Bound::AtMost(20.0),
            unit: " µs",
            measured: vec![figures.get(START, "fresh instance, empty call").map(|figure| figure.clock)],
        },
    ]
}

/// The targets of the Go package. Times are processor time.
pub fn go(figures: &Figures) -> Vec<Target> {
    let over = |engine, other| KINDS.map(|kind| figures.ratio(&format!("{kind} 1000"), engine, other)).to_vec();
    let single = |subject: &str, engine: &str, scale: f64| {
        vec![figures.get(subject, engine).map(|figure| figure.processor / scale)]
    };
    let memory = KINDS.map(|kind| figures.get(&format!("{kind} 1000"), GO_FLEET).and_then(|figure| figure.memory));
    let target = |what, bound, unit, measured| Target { what, bound, unit, measured };
    vec![
        target(
            "Cluster API in memory over fleet, one machine changes, wasmtime",
            Bound::AtLeast(1.0),
            "",
            over(UPSTREAM_FLEET, GO_FLEET),
        ),
        target(
            "fleet over Cluster API in memory, one machine changes, wazero",
            Bound::AtMost(1.5),
            "",
            over(GO_FLEET_WAZERO, UPSTREAM_FLEET),
        ),
        target("a Machine through the fleet, wasmtime", Bound::AtMost(40.0), " µs", single("Machine", GO_FLEET, 1.0)),
        target(
            "a Machine through the fleet, wazero",
            Bound::AtMost(80.0),
            " µs",
            single("Machine", GO_FLEET_WAZERO, 1.0),
        ),
        target(
            "Cluster API over policy, JSON in and out, wasmtime",
            Bound::AtLeast(5.0),
            "",
            over(UPSTREAM_JSON, GO_JSON),
        ),
        target(
            "Cluster API over policy, JSON in and out, wazero",
            Bound::AtLeast(3.0),
            "",
            over(UPSTREAM_JSON, GO_JSON_WAZERO),
        ),
        target("memory of a fleet over the JSON of its objects", Bound::AtMost(3.0), "", memory.to_vec()),
        target("loading, wasmtime", Bound::AtMost(1.5), " s", single("compiled", GO_LOAD, 1e6)),
        target("loading, wazero", Bound::AtMost(1.5), " s", single("compiled", GO_LOAD_WAZERO, 1e6)),
        target("loading from the cache, wasmtime", Bound::AtMost(1.5), " s", single("cached", GO_LOAD, 1e6)),
        target("loading from the cache, wazero", Bound::AtMost(1.5), " s", single("cached", GO_LOAD_WAZERO, 1e6)),
    ]
}

/// How many are met.
pub fn summary(targets: &[Target]) -> String {
    let values: Vec<_> = targets
        .iter()
        .flat_map(|target| target.measured.iter().map(|value| value.map(|v| target.bound.met(v))))
        .collect();
    let count = |wanted| values.iter().filter(|value| **value == wanted).count();
    format!("targets: {} met, {} not met, {} not measured", count(Some(true)), count(Some(false)), count(None))
}

#[cfg(test)]
mod tests {
    use super::{all, summary};
    use crate::bench::figures::tests::figures;
    use crate::bench::instructions::tests::instructions;

    #[test]
    fn what_was_not_measured_is_not_met() {
        let targets = all(&figures(), &instructions());
        // Fresh over native and upstream over component are 2 and 8, ten times the machines take ten times the
        // instructions, an instance takes 12.5 µs, the rest is missing.
        assert_eq!(summary(&targets), "targets: 4 met, 0 not met, 17 not measured");
        assert!(targets.iter().all(|target| !target.measured.is_empty()));
    }
}
