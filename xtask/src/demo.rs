//! The main job on the example fleet.

use anyhow::Result;

/// Evaluates the example fleet.
pub fn demo() -> Result<()> {
    anyhow::bail!("the example fleet is not there yet")
}
