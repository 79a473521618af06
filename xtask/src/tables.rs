//! Writes the Markdown of every rule's table from its code, and notes new rows in `src/rules/codes.lock`.

use crate::run;
use anyhow::{Context, Result};
use capi_policy_documents::{Examples, document};
use std::fmt::Write;
use std::fs;

/// Writes every file that differs.
pub fn write() -> Result<()> {
    note_new_codes()?;
    let examples = Examples::read(&run::root());
    for table in capi_policy::catalog::tables() {
        let path = run::root().join("src/rules").join(table.file());
        let text = document(&table, &examples, &run::root());
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        fs::write(&path, text).with_context(|| path.display().to_string())?;
        run::say(&format!("wrote src/rules/{}", table.file()));
    }
    Ok(())
}

/// A code is noted once, with the guard it was given to; what is noted stays.
fn note_new_codes() -> Result<()> {
    let path = run::root().join("src/rules/codes.lock");
    let mut noted = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    for row in capi_policy::catalog::tables().iter().flat_map(|table| &table.rows) {
        if !noted.lines().any(|line| line.split_whitespace().next() == Some(row.id)) {
            let _ = writeln!(noted, "{:<12} {}", row.id, row.guard);
            run::say(&format!("noted {} in src/rules/codes.lock", row.id));
        }
    }
    fs::write(&path, noted).with_context(|| path.display().to_string())
}
