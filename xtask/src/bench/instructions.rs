//! `benches/fuel.toml` in; what the component's decisions cost on any machine, however busy, out.

use crate::run;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;

const FILE: &str = "benches/fuel.toml";

/// WebAssembly instructions of each decision. A test holds them.
#[derive(Deserialize)]
pub struct Instructions {
    instructions: BTreeMap<String, u64>,
}

impl Instructions {
    /// Reads the baseline.
    pub fn accepted() -> Result<Self> {
        let text = fs::read_to_string(run::root().join(FILE)).context(FILE)?;
        toml::from_str(&text).context(FILE)
    }

    /// What a decision about one kind with so many machines takes, in millions.
    pub fn millions(&self, kind: &str, machines: u32) -> Option<f64> {
        let name = format!("{kind} with {machines} machines");
        self.instructions
            .get(&name)
            .and_then(|number| u32::try_from(*number).ok())
            .map(|number| f64::from(number) / 1e6)
    }
}

#[cfg(test)]
pub mod tests {
    use super::Instructions;

    pub fn instructions() -> Instructions {
        let numbers = [
            ("MachineDeployment with 1000 machines", 40_000_000),
            ("MachineDeployment with 10000 machines", 400_000_000),
        ];
        Instructions { instructions: numbers.map(|(name, number)| (name.to_owned(), number)).into() }
    }

    #[test]
    fn the_baseline_has_the_sizes_that_are_compared() {
        let accepted = Instructions::accepted().expect("benches/fuel.toml");
        for kind in super::super::targets::KINDS {
            assert!(accepted.millions(kind, 1_000) < accepted.millions(kind, 10_000), "{kind}");
            assert_eq!(accepted.millions(kind, 7), None);
        }
    }
}
