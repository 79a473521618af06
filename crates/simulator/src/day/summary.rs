//! Many days in a few figures.

use super::figures::Day;
use serde::Serialize;

/// A figure over many days.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Column {
    /// What is counted.
    pub name: &'static str,
    /// Whether it is a time in seconds.
    pub seconds: bool,
    /// Half of the days have no more.
    pub median: i64,
    /// Nine of ten days have no more.
    pub p90: i64,
    /// The worst day.
    pub worst: i64,
    /// On how many days it was not zero.
    pub days: usize,
}

/// Many days under the same terms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// What they are called.
    pub name: String,
    /// How many.
    pub days: usize,
    /// Their figures.
    pub columns: Vec<Column>,
}

type Figure = (&'static str, bool, fn(&Day) -> i64);

const FIGURES: &[Figure] = &[
    ("replaced", false, |day| whole(day.replaced)),
    ("needless", false, |day| whole(day.needless)),
    ("starved", false, |day| whole(day.starved)),
    ("storms", false, |day| length(&day.storms)),
    ("loops", false, |day| length(&day.loops)),
    ("below", true, |day| day.below_seconds),
    ("missing", true, |day| day.missing_machine_seconds),
    ("blocked", true, |day| day.blocked_seconds),
    ("no quorum", true, |day| day.quorum_lost_seconds),
];

/// Sums days up.
pub fn summary(name: &str, days: &[Day]) -> Summary {
    let columns = FIGURES.iter().map(|(name, seconds, figure)| {
        let mut values: Vec<i64> = days.iter().map(figure).collect();
        values.sort_unstable();
        let at = |percent: usize| values.get(values.len().saturating_sub(1) * percent / 100).copied().unwrap_or(0);
        let hit = values.iter().filter(|value| **value > 0).count();
        Column { name, seconds: *seconds, median: at(50), p90: at(90), worst: at(100), days: hit }
    });
    Summary { name: name.to_owned(), days: days.len(), columns: columns.collect() }
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn length<T>(list: &[T]) -> i64 {
    i64::try_from(list.len()).unwrap_or(i64::MAX)
}
