//! Go's error message for a text that is not RFC 3339, which Cluster API shows to people.

const LAYOUT: &str = "2006-01-02T15:04:05Z07:00";

/// A number of the layout: what stands before it, its place in the layout, its digits, the range and its name.
struct Number {
    before: &'static str,
    layout: &'static str,
    digits: usize,
    range: std::ops::RangeInclusive<u32>,
    name: &'static str,
}

const NUMBERS: &[Number] = &[
    Number { before: "", layout: "2006", digits: 4, range: 0..=9999, name: "year" },
    Number { before: "-", layout: "01", digits: 2, range: 1..=12, name: "month" },
    // Which days a month has is looked at when everything was read.
    Number { before: "-", layout: "02", digits: 2, range: 0..=99, name: "day" },
    Number { before: "T", layout: "15", digits: 2, range: 0..=23, name: "hour" },
    Number { before: ":", layout: "04", digits: 2, range: 0..=59, name: "minute" },
    Number { before: ":", layout: "05", digits: 2, range: 0..=59, name: "second" },
];

/// What is wrong with the text; `None` when it is a time.
pub fn complaint(text: &str) -> Option<String> {
    let quoted = |part: &str| format!("\"{}\"", part.replace('\\', "\\\\").replace('"', "\\\""));
    let cannot_parse = |rest: &str, element: &str| {
        let (text, rest) = (quoted(text), quoted(rest));
        Some(format!("parsing time {text} as \"{LAYOUT}\": cannot parse {rest} as \"{element}\""))
    };
    let out_of_range = |name: &str| Some(format!("parsing time {}: {name} out of range", quoted(text)));

    let mut rest = text;
    let mut date = Vec::new();
    for number in NUMBERS {
        let Some(after) = rest.strip_prefix(number.before) else { return cannot_parse(rest, number.before) };
        let digits = after.bytes().take(number.digits).take_while(u8::is_ascii_digit).count();
        // An hour may have one digit.
        let enough = digits == number.digits || (number.name == "hour" && digits == 1);
        let Some((value, behind)) = after.split_at_checked(digits).filter(|_| enough) else {
            return cannot_parse(after, number.layout);
        };
        let value: u32 = value.parse().unwrap_or_default();
        if !number.range.contains(&value) {
            return out_of_range(number.name);
        }
        date.push(value);
        rest = behind;
    }
    if let Some(fraction) = rest.strip_prefix(['.', ',']) {
        let behind = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        if behind.len() < fraction.len() {
            rest = behind;
        }
    }
    let behind = match rest.as_bytes() {
        [b'Z', ..] => rest.get(1..),
        [b'+' | b'-', h1, h2, b':', m1, m2, ..] if [h1, h2, m1, m2].iter().all(|c| c.is_ascii_digit()) => rest.get(6..),
        _ => None,
    };
    let Some(behind) = behind else { return cannot_parse(rest, "Z07:00") };
    if !behind.is_empty() {
        return Some(format!("parsing time {}: extra text: {}", quoted(text), quoted(behind)));
    }
    match *date {
        [year, month, day, ..] if !(1..=days_in(year, month)).contains(&day) => out_of_range("day"),
        _ => None,
    }
}

fn days_in(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::complaint;

    #[test]
    fn what_is_a_time_passes() {
        for text in ["2024-02-29T23:59:59Z", "2024-01-01T00:00:00.123+02:00", "2024-01-01T00:00:00-07:00"] {
            assert_eq!(complaint(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_not_a_time_is_refused_in_the_words_of_go() {
        let layout = "2006-01-02T15:04:05Z07:00";
        for (text, rest, element) in [
            ("yesterday", "yesterday", "2006"),
            ("", "", "2006"),
            ("20", "20", "2006"),
            ("2024", "", "-"),
            ("2024-1-01T00:00:00Z", "1-01T00:00:00Z", "01"),
            ("2024-01-01 00:00:00Z", " 00:00:00Z", "T"),
            ("2024-01-01T00:00:00", "", "Z07:00"),
            ("2024-01-01T00:00:00+0200", "+0200", "Z07:00"),
        ] {
            let said = format!("parsing time \"{text}\" as \"{layout}\": cannot parse \"{rest}\" as \"{element}\"");
            assert_eq!(complaint(text), Some(said), "{text}");
        }
        for (text, said) in [
            ("2024-13-01T00:00:00Z", "month out of range"),
            ("2023-02-29T00:00:00Z", "day out of range"),
            ("2024-01-01T24:00:00Z", "hour out of range"),
            ("2024-01-01T00:00:00Zulu", "extra text: \"ulu\""),
        ] {
            assert_eq!(complaint(text), Some(format!("parsing time \"{text}\": {said}")), "{text}");
        }
    }
}
