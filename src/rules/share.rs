//! Limits that are a number of machines or a share of them.

use crate::view::IntOrPercent;

/// A limit in hundredths of a machine.
#[derive(Clone, Copy, Debug)]
pub struct Share(i64);

impl Share {
    /// The limit for so many machines; `None` for text that is no percentage.
    pub fn of(limit: &IntOrPercent<'_>, replicas: i64) -> Option<Self> {
        match limit {
            IntOrPercent::Int(number) => Some(Self(number.saturating_mul(100))),
            IntOrPercent::Text(text) => {
                let percent: i64 = text.strip_suffix('%')?.parse().ok()?;
                Some(Self(percent.saturating_mul(replicas)))
            }
        }
    }

    /// Whole machines, rounded down.
    pub fn down(self) -> i64 {
        self.0.div_euclid(100)
    }

    /// Whole machines, rounded up.
    pub fn up(self) -> i64 {
        self.0.saturating_add(99).div_euclid(100)
    }
}
