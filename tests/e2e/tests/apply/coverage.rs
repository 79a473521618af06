//! Every row of the documents' tables has decided about a live object.

use super::Stage;
use anyhow::{Result, ensure};
use capi_policy_e2e::host::Host;
use std::collections::BTreeSet;

/// The tables of the five documents.
const TABLES: &[&str] = &[
    "MHC-REC", "MHC-TGT", "MHC-HCS", "MHC-NH", "MHC-RA", "MHC-REM", "MHC-OWN", "MHC-EXT", "MD-DEL", "MD-REM",
    "KCP-REM", "M-UPD",
];

/// Rows that no live object can reach.
const UNREACHABLE: &[(&str, &str)] = &[
    ("MHC-REC-6", "a watch reads all Nodes of a cluster or none"),
    ("MD-REM-4", "the API server refuses a Machine with two conditions of a type or a status that is none"),
    ("KCP-REM-4", "the API server refuses a Machine with two conditions of a type or a status that is none"),
];

pub fn every_row(stage: &Stage, host: &Host) -> Result<String> {
    let mut reached: BTreeSet<String> = host.rows()?;
    for entry in std::fs::read_dir(&stage.directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            reached.extend(rows_of(&path)?);
        }
    }
    let tables = capi_policy::catalog::tables();
    let rows = tables.iter().filter(|table| TABLES.contains(&&*table.id)).flat_map(|table| &table.rows);
    let wanted: BTreeSet<&str> = rows.map(|row| &*row.id).collect();
    let missing: Vec<&&str> =
        wanted.iter().filter(|row| !reached.contains(**row) && !UNREACHABLE.iter().any(|(r, _)| r == *row)).collect();
    ensure!(missing.is_empty(), "no live object reached {missing:?}");
    let unreachable: Vec<_> = UNREACHABLE.iter().filter(|(row, _)| wanted.contains(row)).collect();
    ensure!(unreachable.len() == UNREACHABLE.len(), "a row that is listed as unreachable does not exist");
    Ok(format!(
        "{} of {} rows decided about live objects; not {unreachable:?}",
        wanted.len() - unreachable.len(),
        wanted.len()
    ))
}

fn rows_of(path: &std::path::Path) -> Result<Vec<String>> {
    let mut rows = Vec::new();
    for line in std::fs::read_to_string(path)?.lines() {
        let decision: serde_json::Value = serde_json::from_str(line)?;
        rows.extend(
            decision["rows"].as_array().into_iter().flatten().filter_map(|row| row.as_str().map(str::to_owned)),
        );
    }
    Ok(rows)
}
