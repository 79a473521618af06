//! The library gives the answers that Cluster API gave: one named test per recorded case of every version.
//! `src/conformance.lock` says which versions these are, for the catalog; `WRITE_LOCK=1` writes it.

use capi_policy_corpus::{Case, compare, read_all};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Families whose answers the policy does not give yet, by version. The list only ever shrinks.
const NOT_YET: &[(&str, &str)] = &[];

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let cases = read_all(&folder).expect("the recorded answers");
    let locked = cases.clone();
    let (later, now): (Vec<_>, Vec<_>) =
        cases.into_iter().partition(|case| NOT_YET.iter().any(|not| family(case) == *not));
    let mut trials: Vec<_> = NOT_YET.iter().map(|not_yet| shrinks(*not_yet, &later)).collect();
    trials
        .extend(now.into_iter().map(|case| Trial::test(format!("{} {}", case.version, case.id), move || check(&case))));
    trials.push(Trial::test("the lock file says what holds", move || lock_holds(&folder, &locked)));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn family(case: &Case) -> (&str, &str) {
    (&case.version, &case.kind)
}

/// A family whose answers are all given leaves the list.
fn shrinks(not_yet: (&'static str, &'static str), later: &[Case]) -> Trial {
    let cases: Vec<_> = later.iter().filter(|case| family(case) == not_yet).cloned().collect();
    Trial::test(format!("{} {} is still missing", not_yet.0, not_yet.1), move || {
        let failed = cases.iter().filter(|case| check(case).is_err()).count();
        println!("{} {}: {failed} of {} differ", not_yet.0, not_yet.1, cases.len());
        if failed == 0 { Err("all its answers are given: take it off the list".into()) } else { Ok(()) }
    })
}

/// The catalog claims a version when every recorded answer of it is given, and not before.
fn lock_holds(folder: &Path, cases: &[Case]) -> Result<(), Failed> {
    let mut families: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for case in cases {
        let (given, all) = families.entry(family(case)).or_default();
        *given += usize::from(check(case).is_ok());
        *all += 1;
    }
    let mut lock = "\
# Which recorded answers of Cluster API the policy gives, by release and family; the catalog claims the releases of which it gives
# all. Written by `WRITE_LOCK=1 cargo test --test conformance lock`, which a test repeats.
"
    .to_owned();
    let mut versions: Vec<_> = families.keys().map(|(version, _)| *version).collect();
    versions.dedup();
    for version in versions {
        let of_version = || families.iter().filter(|((other, _), _)| *other == version);
        let release = release(&folder.join(version))?;
        if of_version().all(|(_, (given, all))| given == all) {
            writeln!(lock, "\nconformant {release}")?;
        } else {
            writeln!(lock, "\nincomplete {release}")?;
        }
        for ((_, family), (given, all)) in of_version() {
            writeln!(lock, "  {family} {given} of {all}")?;
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/conformance.lock");
    if std::env::var_os("WRITE_LOCK").is_some() {
        return Ok(std::fs::write(path, lock)?);
    }
    if std::fs::read_to_string(path).unwrap_or_default() == lock {
        return Ok(());
    }
    Err(format!("src/conformance.lock differs from what holds; WRITE_LOCK=1 writes\n{lock}").into())
}

/// The release that a folder's answers were recorded from, as its FORMAT.md names it first.
fn release(folder: &Path) -> Result<String, Failed> {
    let text = std::fs::read_to_string(folder.join("FORMAT.md"))?;
    let version = folder.file_name().unwrap_or_default().display().to_string();
    let from = text.find(&format!("{version}.")).ok_or("FORMAT.md names no release")?;
    let named = text[from..].split(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).next().unwrap_or_default();
    Ok(named.trim_end_matches('.').to_owned())
}

fn check(case: &Case) -> Result<(), Failed> {
    let evaluation = capi_policy::evaluate_json(&case.snapshot().to_string())?;
    let comparison = compare(case, &serde_json::from_str(&evaluation)?);
    if comparison.differences.is_empty() {
        return Ok(());
    }
    let lines: Vec<_> = comparison
        .differences
        .iter()
        .map(|d| format!("{}\n  recorded: {}\n  computed: {}", d.path, d.recorded, d.computed))
        .collect();
    Err(lines.join("\n").into())
}
