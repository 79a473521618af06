//! In: files, folders or standard input, as kubectl prints them. Out: the documents in them, Lists unpacked.

mod error;

pub use error::ReadError;

use capi_policy_corpus::Case;
use serde_json::{Map, Value};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The most that one file may have: several times the largest fleet that was ever printed.
const MOST_BYTES: u64 = 512 << 20;

/// One thing to evaluate, or to evaluate others with.
#[derive(Clone, Debug)]
pub enum Document {
    /// A Kubernetes object.
    Object(Value),
    /// A snapshot: `now` and the objects of one question.
    Snapshot(Value),
    /// A recorded case of a corpus.
    Case(Box<Case>),
}

/// Reads every document of the files and folders; `-` is standard input.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Document>, ReadError> {
    let mut documents = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            let text = read_text(io::stdin()).map_err(|source| io_error(Path::new("-"), source))?;
            documents.extend(parse("standard input", &text)?);
            continue;
        }
        for file in files(path)? {
            documents.extend(read_file(&file)?);
        }
    }
    if documents.is_empty() {
        let paths: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(ReadError::Empty { paths: paths.join(", ") });
    }
    Ok(documents)
}

/// Whether a file is a corpus, by its name: `.jsonl` or `.jsonl.gz`.
pub fn is_corpus(path: &Path) -> bool {
    let ends_in = |path: &Path, extension: &str| path.extension().is_some_and(|found| found == extension);
    let unzipped = if ends_in(path, "gz") { path.file_stem().map(Path::new) } else { Some(path) };
    unzipped.is_some_and(|path| ends_in(path, "jsonl"))
}

/// The corpus files below a folder, sorted; a file is itself.
pub fn corpus_files(path: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let mut found = files(path)?;
    found.retain(|file| file == path || is_corpus(file));
    Ok(found)
}

/// The files below a folder that may hold objects, sorted; a file is itself.
fn files(path: &Path) -> Result<Vec<PathBuf>, ReadError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(path).map_err(|source| io_error(path, source))? {
        entries.push(entry.map_err(|source| io_error(path, source))?.path());
    }
    entries.sort();
    let mut found = Vec::new();
    for entry in entries {
        let readable = entry.extension().is_some_and(|e| e == "yaml" || e == "yml" || e == "json");
        if entry.is_dir() {
            found.extend(files(&entry)?);
        } else if readable || is_corpus(&entry) {
            found.push(entry);
        }
    }
    Ok(found)
}

fn read_file(path: &Path) -> Result<Vec<Document>, ReadError> {
    if is_corpus(path) {
        let cases = capi_policy_corpus::read(path)?;
        return Ok(cases.into_iter().map(|case| Document::Case(Box::new(case))).collect());
    }
    let text = fs::File::open(path).and_then(read_text).map_err(|source| io_error(path, source))?;
    parse(&path.display().to_string(), &text)
}

fn read_text(from: impl Read) -> io::Result<String> {
    let mut text = String::new();
    from.take(MOST_BYTES.saturating_add(1)).read_to_string(&mut text)?;
    if u64::try_from(text.len()).is_ok_and(|length| length > MOST_BYTES) {
        return Err(io::Error::other(format!("more than {} MB", MOST_BYTES >> 20)));
    }
    Ok(text)
}

fn io_error(path: &Path, source: io::Error) -> ReadError {
    ReadError::Io { path: path.display().to_string(), source }
}

/// The documents of a text.
fn parse(path: &str, text: &str) -> Result<Vec<Document>, ReadError> {
    let values = parse_values(text).map_err(|detail| ReadError::Syntax { path: path.to_owned(), detail })?;
    let mut documents = Vec::new();
    for (i, value) in values.into_iter().enumerate() {
        if !value.is_null() {
            unpack(value, &mut documents).map_err(|found| ReadError::Unknown {
                path: path.to_owned(),
                number: i + 1,
                found,
            })?;
        }
    }
    Ok(documents)
}

fn parse_values(text: &str) -> Result<Vec<Value>, String> {
    // JSON goes its own way: it is most of what large fleets are printed as, and many times faster to read.
    if text.trim_start().starts_with(['{', '[']) {
        let values: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(text).into_iter().collect();
        if let Ok(values) = values {
            return Ok(values);
        }
    }
    // Size is bounded by that of the file, aliases by the library; a fleet of thousands of machines is no attack.
    let options = serde_saphyr::options! { budget: None, strict_booleans: true };
    serde_saphyr::from_multiple_with_options(text, options).map_err(|error| error.to_string())
}

/// Sorts a document into what it is; the error says what it has instead.
fn unpack(value: Value, documents: &mut Vec<Document>) -> Result<(), String> {
    match value {
        Value::Array(values) => values.into_iter().try_for_each(|value| unpack(value, documents)),
        Value::Object(mut fields) => {
            if let Some(Value::Array(items)) = fields.get_mut("items").map(Value::take) {
                return items.into_iter().try_for_each(|item| unpack(typed(item, &fields), documents));
            }
            if let Some(Value::Array(cases)) = fields.get_mut("cases").map(Value::take) {
                return cases.into_iter().try_for_each(|mut case| unpack(case["input"].take(), documents));
            }
            let has = |name: &str| fields.contains_key(name);
            let document = if has("apiVersion") && has("kind") && has("metadata") {
                Document::Object(Value::Object(fields))
            } else if has("input") && has("expected") && has("id") {
                let case = serde_json::from_value(Value::Object(fields)).map_err(|error| error.to_string())?;
                Document::Case(Box::new(case))
            } else if has("now") || capi_policy::Kind::ALL.iter().any(|kind| has(kind.field())) {
                Document::Snapshot(Value::Object(fields))
            } else {
                let names: Vec<_> = fields.keys().take(5).map(String::as_str).collect();
                return Err(if names.is_empty() { "no fields".to_owned() } else { names.join(", ") });
            };
            documents.push(document);
            Ok(())
        }
        other => Err(format!("only {other}")),
    }
}

/// An item of a typed list (`MachineList`) does not say what it is; the list does.
fn typed(mut item: Value, list: &Map<String, Value>) -> Value {
    let kind = list.get("kind").and_then(Value::as_str).and_then(|kind| kind.strip_suffix("List"));
    if let (Some(fields), Some(kind)) = (item.as_object_mut(), kind.filter(|kind| !kind.is_empty())) {
        fields.entry("kind").or_insert_with(|| kind.into());
        fields.entry("apiVersion").or_insert_with(|| list.get("apiVersion").cloned().unwrap_or_default());
    }
    item
}
