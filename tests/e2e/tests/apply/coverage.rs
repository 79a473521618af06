//! Every row of the documents' tables has decided about a live object.

use anyhow::{Context, Result, ensure};
use capi_policy_e2e::stage::Stage;
use capi_policy_e2e::wait::{eventually, within};
use std::collections::BTreeSet;

/// The tables of the five documents.
const TABLES: &[&str] = &[
    "MHC-REC", "MHC-TGT", "MHC-HCS", "MHC-NH", "MHC-RA", "MHC-REM", "MHC-OWN", "MHC-EXT", "MD-DEL", "MD-REM",
    "KCP-REM", "M-UPD",
];

/// Rows that no live object can reach.
const UNREACHABLE: &[(&str, &str)] = &[
    ("MHC-REC-6", "a watch reads all Nodes of a cluster or none"),
    ("MHC-REM-11", "a row of Cluster API's profiles; the hosts of this test decide as documented"),
    ("MD-REM-4", "the API server refuses a Machine with two conditions of a type or a status that is none"),
    ("KCP-REM-4", "the API server refuses a Machine with two conditions of a type or a status that is none"),
];

pub async fn every_row(stage: &Stage) -> Result<String> {
    let tables = capi_policy::catalog::tables();
    let rows = tables.iter().filter(|table| TABLES.contains(&table.id)).flat_map(|table| &table.rows);
    let wanted: BTreeSet<&str> = rows.map(|row| row.id).collect();
    let unreachable: Vec<_> = UNREACHABLE.iter().filter(|(row, _)| wanted.contains(row)).collect();
    ensure!(unreachable.len() == UNREACHABLE.len(), "a row that is listed as unreachable does not exist");
    let mut missing = Vec::new();
    let all = eventually("every row has decided", within(30), async || {
        let reached = reached(stage)?;
        let open = |row: &&&str| !reached.contains(**row) && !UNREACHABLE.iter().any(|(other, _)| other == *row);
        missing = wanted.iter().filter(open).copied().collect();
        Ok(missing.is_empty().then_some(()))
    });
    all.await.with_context(|| format!("no live object reached {missing:?}"))?;
    Ok(format!(
        "{} of {} rows decided about live objects; not {unreachable:?}",
        wanted.len() - unreachable.len(),
        wanted.len()
    ))
}

/// Rows in the decision logs of all hosts.
fn reached(stage: &Stage) -> Result<BTreeSet<String>> {
    let mut reached = BTreeSet::new();
    for entry in std::fs::read_dir(&stage.directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            reached.extend(rows_of(&path)?);
        }
    }
    Ok(reached)
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
