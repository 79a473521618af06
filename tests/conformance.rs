//! The library gives the answers that Cluster API gave: one named test per recorded case of every version.

use capi_policy_corpus::{Case, compare, read_all};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;

/// Families whose answers the policy does not give yet, by version. The list only ever shrinks.
const NOT_YET: &[(&str, &str)] = &[
    ("v1.14", "KubeadmControlPlaneRemediation"),
    ("v1.14", "KubeadmControlPlaneScaling"),
    ("v1.14", "MachineDeploymentRollout"),
    ("v1.14", "MachineDeploymentTrace"),
    ("v1.14", "MachineSetRemediation"),
    ("v1.14", "MachineSetScaling"),
];

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let cases = read_all(&folder).expect("the recorded answers");
    let (later, now): (Vec<_>, Vec<_>) =
        cases.into_iter().partition(|case| NOT_YET.iter().any(|not| family(case) == *not));
    let mut trials: Vec<_> = NOT_YET.iter().map(|not_yet| shrinks(*not_yet, &later)).collect();
    trials
        .extend(now.into_iter().map(|case| Trial::test(format!("{} {}", case.version, case.id), move || check(&case))));
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
