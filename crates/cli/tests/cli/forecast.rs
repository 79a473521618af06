use crate::command::{NOW, fleet, run};

fn forecast(arguments: &[&str]) -> Vec<String> {
    let run = run(&[&["forecast", "-f", &fleet(), "--now", NOW, "mhc/blue-workers"], arguments].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn every_machine_has_a_bar_that_turns_when_its_time_is_up() {
    let lines = forecast(&["--until", "16m"]);
    let line = |name: &str| lines.iter().find(|line| line.contains(name)).cloned().unwrap_or_default();
    let cells = |name: &str, cell: char| line(name).matches(cell).count();
    // A bar has 48 cells, so 20 seconds each: turns after 2m1s and 8m1s.
    assert_eq!((cells("2fl8s", '─'), cells("9kqzd", '█')), (48, 48));
    assert_eq!((cells("h7w4c", '░'), cells("h7w4c", '█')), (6, 42));
    assert_eq!((cells("nx5rb", '░'), cells("nx5rb", '█')), (24, 24));
    assert!(line("h7w4c").ends_with("unhealthy in 2m1s"));
    assert!(lines.iter().any(|line| line.contains("2m1s")
        && line.contains("2026-01-15T12:02:01Z")
        && line.contains("waiting → unhealthy")));
}

#[test]
fn the_horizon_is_a_duration_or_a_time() {
    let moments = |until: &str| {
        let run =
            run(&["forecast", "-f", &fleet(), "--now", NOW, "mhc/blue-workers", "--until", until, "-o", "json"]).json();
        (run[0]["until"].as_str().map(str::to_owned), run[0]["moments"].as_array().map(Vec::len))
    };
    assert_eq!(moments("5m"), (Some("2026-01-15T12:05:00Z".to_owned()), Some(1)));
    assert_eq!(moments("2026-01-15T13:00:00Z"), (Some("2026-01-15T13:00:00Z".to_owned()), Some(2)));
}

#[test]
fn what_does_not_change_is_counted() {
    run(&["forecast", "-f", &fleet(), "--now", NOW, "md", "--until", "1m"])
        .says(0, &["3 objects do not change by themselves"]);
}
