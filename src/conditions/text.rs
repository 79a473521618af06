//! Pieces of messages: plurals, name lists cut at three, durations as Go prints them.

use crate::sorted::Sorted;

/// At most this many names are spelled out.
const NAMES_SHOWN: usize = 3;

/// `m1, m2, m3, ... (2 more)`, in the order given.
pub fn name_list(names: &[&str]) -> String {
    let shown = names.get(..NAMES_SHOWN).unwrap_or(names).join(", ");
    match names.len().saturating_sub(NAMES_SHOWN) {
        0 => shown,
        more => format!("{shown}, ... ({more} more)"),
    }
}

/// `Machine m1 is` or `Machines m1, m2 are`, sorted.
pub fn machines_are(mut names: Vec<&str>) -> String {
    names.order_by(Ord::cmp);
    let (noun, verb) = if names.len() == 1 { ("Machine", "is") } else { ("Machines", "are") };
    format!("{noun} {} {verb}", name_list(&names))
}

/// Whether a text has this part. The standard library's search, made for long texts, would be a fiftieth of the artifact.
pub fn contains(text: &str, part: &str) -> bool {
    let text = text.as_bytes();
    (0..text.len()).any(|at| text.get(at..).is_some_and(|rest| rest.starts_with(part.as_bytes())))
}

/// `1 machine`, `2 machines`.
pub fn count(number: i64, noun: &str) -> String {
    if number == 1 { format!("{number} {noun}") } else { format!("{number} {noun}s") }
}

/// Seconds as Go prints a duration: `10m0s`, `1h0m30s`, `45s`.
pub fn go_duration(seconds: i64) -> String {
    let sign = if seconds < 0 { "-" } else { "" };
    let total = seconds.unsigned_abs();
    let (hours, minutes, seconds) = (total / 3_600, total / 60 % 60, total % 60);
    match (hours, minutes) {
        (0, 0) => format!("{sign}{seconds}s"),
        (0, _) => format!("{sign}{minutes}m{seconds}s"),
        _ => format!("{sign}{hours}h{minutes}m{seconds}s"),
    }
}

/// One line for each text, each with a bullet.
pub fn bullets(texts: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let lines: Vec<_> = texts.into_iter().map(|text| format!("* {}", text.as_ref())).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_at_three() {
        assert_eq!(name_list(&[]), "");
        assert_eq!(name_list(&["a", "b", "c"]), "a, b, c");
        assert_eq!(name_list(&["a", "b", "c", "d", "e"]), "a, b, c, ... (2 more)");
    }

    #[test]
    fn machines_are_sorted_and_agree_with_their_verb() {
        assert_eq!(machines_are(vec!["m1"]), "Machine m1 is");
        assert_eq!(machines_are(vec!["m2", "m1"]), "Machines m1, m2 are");
    }

    #[test]
    fn only_one_is_singular() {
        assert_eq!(
            [count(0, "machine"), count(1, "machine"), count(2, "machine")],
            ["0 machines", "1 machine", "2 machines"]
        );
    }

    #[test]
    fn durations_read_as_in_go() {
        for (seconds, text) in
            [(0, "0s"), (45, "45s"), (600, "10m0s"), (3_630, "1h0m30s"), (90_000, "25h0m0s"), (-61, "-1m1s")]
        {
            assert_eq!(go_duration(seconds), text);
        }
    }
}
