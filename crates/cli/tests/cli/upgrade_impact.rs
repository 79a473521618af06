use crate::command::{NOW, fleet, run};

const FROM: &str = "cluster-api-v1.13";
const TO: &str = "cluster-api-v1.14";

#[test]
fn an_upgrade_shows_the_machines_that_are_no_longer_up_to_date() {
    let run = run(&["upgrade-impact", "--profile", FROM, "--profile", TO, "-f", &fleet(), "--now", NOW, "Machine"]);
    run.says(
        1,
        &[
            "cluster-api-v1.13 and cluster-api-v1.14: other decisions about 7 of 11 objects",
            "7      Machine  UpToDate  M-UTD-5  kubelet differs",
            "Machine UpToDate: kubelet differs 7 objects",
            "prod/blue-gpu-7d9c5-6bd2p",
            "v1.33.1-eks-1234",
            "and 4 more; --all shows them",
        ],
    );
}

#[test]
fn what_reads_machines_changes_with_them() {
    let run = run(&["diff", "--profile", FROM, "--profile", TO, "-f", &fleet(), "--now", NOW, "-o", "json"]);
    let impact: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let causes = impact["causes"].as_array().expect("causes");
    let whats: Vec<_> = causes.iter().map(|cause| format!("{} {}", cause["kind"], cause["what"])).collect();
    for expected in [
        r#""Machine" "UpToDate""#,
        r#""MachineDeployment" "MachinesUpToDate""#,
        r#""Cluster" "WorkerMachinesUpToDate""#,
    ] {
        assert!(whats.iter().any(|what| what == expected), "{expected} is not in {whats:?}");
    }
    let counts: Vec<_> = causes.iter().map(|cause| cause["count"].as_u64().expect("a count")).collect();
    assert!(counts.is_sorted_by(|a, b| a >= b), "{counts:?}");
    assert_eq!(impact["changed"].as_u64().map(|changed| changed > 7), Some(true));
}

#[test]
fn a_change_request_gets_markdown() {
    run(&[
        "upgrade-impact",
        "--profile",
        FROM,
        "--profile",
        TO,
        "-f",
        &fleet(),
        "--now",
        NOW,
        "-o",
        "markdown",
        "Machine",
    ])
    .says(1, &["| 7 | Machine | UpToDate | M-UTD-5 | kubelet differs |", "### Machine UpToDate: kubelet differs"]);
}

/// A name that would colour the terminal is written out, in every format and in paths too.
#[test]
fn names_are_escaped_where_they_are_printed() {
    let text = std::fs::read_to_string(fleet()).expect("the fleet");
    let name = "name: blue-gpu-7d9c5-6bd2p";
    assert!(text.contains(name));
    let file = tempfile::NamedTempFile::with_suffix(".yaml").expect("a file");
    std::fs::write(&file, text.replace(name, "name: \"red\\e[31m\\x9b1m\\u202e\"")).expect("a file");
    let file = file.path().to_str().expect("a path");
    for output in ["table", "json", "markdown"] {
        let arguments = ["upgrade-impact", "--profile", FROM, "--profile", TO, "-f", file, "--now", NOW, "--all"];
        let run = run(&[&arguments[..], &["-o", output]].concat());
        assert!(run.stdout.contains("[31m"), "{output}: {}", run.stdout);
        assert!(!run.stdout.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{output}: {:?}", run.stdout);
    }
}

#[test]
fn a_profile_decides_as_it_does() {
    run(&["upgrade-impact", "--profile", TO, "--profile", "cluster-api", "-f", &fleet(), "--now", NOW])
        .says(0, &["the same decisions about 21 objects"]);
}

#[test]
fn two_profiles_or_two_policies_are_needed() {
    run(&["upgrade-impact", "--profile", TO, "-f", &fleet()]).says(2, &["expected --profile twice or --policy twice"]);
    run(&["evaluate", "--profile", TO, "--profile", FROM, "-f", &fleet()])
        .says(2, &["--profile can be given once here"]);
}
