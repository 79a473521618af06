//! Questions and answers for every other build of the policy: `target/vectors.jsonl`, answered by the library.
//!
//! One line per recorded answer of Cluster API, per case of `tests/cases` and per story of the playground:
//! `{"id", "snapshot", "evaluation"}`, or `"error"` in place of the evaluation. The evaluation stands there in the very bytes
//! that the library gave.

mod fleets;

use crate::run;
use anyhow::{Context, Result};
use capi_policy_documents::{Case, CaseFile};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

#[derive(Serialize)]
struct Vector<'a> {
    id: &'a str,
    snapshot: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluation: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Writes the file and says where.
pub fn write() -> Result<PathBuf> {
    let root = run::root();
    let path = root.join("target/vectors.jsonl");
    fs::create_dir_all(root.join("target"))?;
    let mut out = BufWriter::new(fs::File::create(&path).with_context(|| path.display().to_string())?);
    let mut lines = 0_usize;
    for (id, snapshot) in questions(&root)? {
        let vector = match capi_policy::evaluate_json(&snapshot.to_string()) {
            Ok(answer) => {
                Vector { id: &id, snapshot: &snapshot, evaluation: Some(RawValue::from_string(answer)?), error: None }
            }
            Err(error) => Vector { id: &id, snapshot: &snapshot, evaluation: None, error: Some(error.to_string()) },
        };
        serde_json::to_writer(&mut out, &vector)?;
        out.write_all(b"\n")?;
        lines += 1;
    }
    out.flush()?;
    run::say(&format!("wrote {lines} questions and answers to target/vectors.jsonl"));
    fleets::write(&root)?;
    Ok(path)
}

fn questions(root: &Path) -> Result<Vec<(String, Value)>> {
    let mut questions = Vec::new();
    let recorded = capi_policy_corpus::read_all(&root.join("tests/conformance"))?;
    questions.extend(recorded.iter().map(|case| (format!("{} {}", case.version, case.id), case.snapshot())));
    for folder in ["tests/cases", "pkg/playground/stories"] {
        for file in CaseFile::read_all(&root.join(folder)) {
            let question = |case: &Case| (format!("{}: {}", file.name, case.note), case.snapshot());
            questions.extend(file.cases.iter().map(question));
        }
    }
    Ok(questions)
}
