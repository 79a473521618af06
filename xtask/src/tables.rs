//! Writes the Markdown of every rule's table from its code.

use crate::run;
use anyhow::{Context, Result};
use std::fs;

/// Writes every file that differs.
pub fn write() -> Result<()> {
    for table in capi_policy::catalog::tables() {
        let path = run::root().join("src/rules").join(table.file());
        let text = table.markdown();
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        fs::write(&path, text).with_context(|| path.display().to_string())?;
        run::say(&format!("wrote src/rules/{}", table.file()));
    }
    Ok(())
}
