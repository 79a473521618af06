//! The set of tables as a whole: ids, order, documents.

use capi_policy::catalog::tables;
use capi_policy_documents::{Examples, document};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[test]
fn every_document_is_what_the_code_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (rules, examples) = (root.join("src/rules"), Examples::read(root));
    for table in tables() {
        let path = rules.join(table.file());
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(
            text == document(&table, &examples, root),
            "{} differs from its table: run `cargo xtask tables`",
            table.file()
        );
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
fn tables_are_sorted_and_rows_have_ids_of_their_table() {
    let ids: Vec<_> = tables().iter().map(|table| table.id).collect();
    assert!(ids.is_sorted() && ids.iter().collect::<BTreeSet<_>>().len() == ids.len(), "{ids:?}");
    for table in tables() {
        for row in &table.rows {
            let number = row.id.strip_prefix(table.id).and_then(|rest| rest.strip_prefix('-'));
            assert!(number.is_some_and(|n| n.parse::<u32>().is_ok()), "{} is no id of {}", row.id, table.id);
        }
    }
}

/// `src/rules/codes.lock`: `CODE guard` for every row there is, `CODE retired: why` for every row there was.
#[test]
fn codes_are_given_once() {
    let lock = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules/codes.lock"));
    let lock = lock.expect("src/rules/codes.lock");
    let mut noted = BTreeMap::new();
    for line in lock.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (code, guard) = line.split_once(' ').expect("a code and its guard");
        assert!(noted.insert(code, guard.trim()).is_none(), "{code} is noted twice");
    }
    for row in tables().iter().flat_map(|table| &table.rows) {
        match noted.remove(row.id) {
            None => panic!("{} is new: `cargo xtask tables` notes it", row.id),
            Some(guard) if guard.starts_with("retired:") => panic!("{} is retired and can't be used again", row.id),
            Some(guard) => assert_eq!(
                guard, row.guard,
                "{} was given to another guard: a new row takes a new code; where only the words changed, correct codes.lock",
                row.id
            ),
        }
    }
    for (code, guard) in noted {
        let why = guard.strip_prefix("retired:").map(str::trim);
        assert!(why.is_some_and(|why| !why.is_empty()), "{code} is gone: write `{code} retired: why` in codes.lock");
    }
}

#[test]
fn messages_name_facts_of_their_table() {
    for table in tables() {
        for row in &table.rows {
            let outcomes = row.columns.iter().map(|(_, outcome)| outcome).chain([&row.then]);
            for text in outcomes.flat_map(|outcome| [&outcome.reason, &outcome.message]) {
                for name in text.split('{').skip(1).map(|rest| rest.split('}').next().unwrap_or(rest)) {
                    assert!(table.facts.contains(&name), "{}: {{{name}}} is no fact of {}", row.id, table.id);
                }
            }
        }
    }
}
