//! The set of tables as a whole: ids, order, documents.

use capi_policy::catalog::tables;
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_document_is_what_the_code_prints() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    for table in tables() {
        let path = rules.join(table.file());
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(text == table.markdown(), "{} differs from its table: run `cargo xtask tables`", table.file());
    }
}

#[test]
fn every_rule_file_has_a_table_and_every_document_a_rule() {
    let documented: BTreeSet<_> = tables().iter().map(capi_policy::table::TableDescription::file).collect();
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let mut found = BTreeSet::new();
    let mut folders = vec![rules.clone()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().expect("a folder of rules") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "md") {
                found.insert(path.strip_prefix(&rules).expect("below the rules").display().to_string());
            }
        }
    }
    assert_eq!(found, documented);
}

#[test]
fn tables_are_sorted_and_rows_are_numbered() {
    let ids: Vec<_> = tables().iter().map(|table| table.id).collect();
    assert!(ids.is_sorted() && ids.iter().collect::<BTreeSet<_>>().len() == ids.len(), "{ids:?}");
    for table in tables() {
        for (i, row) in table.rows.iter().enumerate() {
            assert_eq!(row.id, format!("{}-{}", table.id, i + 1));
        }
    }
}
