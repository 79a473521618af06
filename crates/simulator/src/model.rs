//! How long things take, and what goes wrong.

use serde_json::Value;
use std::fmt;

/// A model of infrastructure.
pub trait Model {
    /// Seconds until a new machine has a ready Node; `None` for one that never comes up.
    fn boot(&mut self, machine: &Value) -> Option<i64>;
    /// Seconds until a machine in deletion is drained; `None` for one that never is.
    fn drain(&mut self, machine: &Value) -> Option<i64>;
    /// Seconds until a machine is updated in place; `None` for an update that never ends.
    fn update(&mut self, machine: &Value) -> Option<i64>;
}

/// Nothing goes wrong, and everything takes its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Steady {
    /// Seconds until a new machine has a ready Node.
    pub boot_seconds: i64,
    /// Seconds until a machine in deletion is gone.
    pub drain_seconds: i64,
    /// Seconds until a machine is updated in place.
    pub update_seconds: i64,
}

impl Model for Steady {
    fn boot(&mut self, _: &Value) -> Option<i64> {
        Some(self.boot_seconds)
    }

    fn drain(&mut self, _: &Value) -> Option<i64> {
        Some(self.drain_seconds)
    }

    fn update(&mut self, _: &Value) -> Option<i64> {
        Some(self.update_seconds)
    }
}

impl fmt::Display for Steady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [boot, drain, update] = [self.boot_seconds, self.drain_seconds, self.update_seconds].map(duration);
        write!(
            f,
            "new machines come up after {boot}, deleted ones are gone after {drain}, in-place updates take {update}; \
             nothing else breaks or recovers"
        )
    }
}

/// `90` as `1m30s`.
fn duration(seconds: i64) -> String {
    let parts = [("h", seconds / 3_600), ("m", seconds / 60 % 60), ("s", seconds % 60)];
    let parts: Vec<_> = parts.iter().filter(|(_, n)| *n > 0).map(|(unit, n)| format!("{n}{unit}")).collect();
    if parts.is_empty() { "0s".to_owned() } else { parts.concat() }
}
