//! What was simulated, for programs and as a picture: the same on the command line and in the playground.

mod svg;

pub use svg::svg;

use crate::day::{Day, Part, Summary, summary};
use crate::scenario::Scenario;
use serde::Serialize;

/// The days of a variant.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report<'r> {
    /// What it is called.
    pub name: &'r str,
    /// What was run.
    pub scenario: &'r Scenario,
    /// All days in a few figures.
    pub summary: Summary,
    /// The days.
    pub days: &'r [Day],
}

impl<'r> Report<'r> {
    /// The days of a variant.
    pub fn new(name: &'r str, scenario: &'r Scenario, days: &'r [Day]) -> Self {
        Self { name, scenario, summary: summary(name, days), days }
    }
}

/// The worst of all days at each time.
pub fn worst(days: &[Day]) -> Vec<Part> {
    let mut parts = days.first().map(|day| day.parts.clone()).unwrap_or_default();
    for day in days {
        for (worst, part) in parts.iter_mut().zip(&day.parts) {
            worst.wanted = worst.wanted.max(part.wanted);
            worst.working = worst.working.min(part.working);
            worst.marked = worst.marked.max(part.marked);
            worst.replaced = worst.replaced.max(part.replaced);
            worst.blocked |= part.blocked;
        }
    }
    parts
}
