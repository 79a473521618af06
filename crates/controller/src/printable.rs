//! Text from objects, made safe to show: a name or a message must not move the cursor, hide itself or reorder its line.

use std::borrow::Cow;
use std::fmt::Write;

/// How many characters of a server's error are shown.
const SHORT: usize = 1_000;

/// The text with control, C1 and bidirectional characters, and others that have no shape, written out; line ends and tabs stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    escape(text, |c| !matches!(c, '\n' | '\t'), write_out)
}

/// The same for JSON text, in JSON's own manner: it stays the same value.
pub fn printable_json(text: &str) -> Cow<'_, str> {
    escape(text, |c| !matches!(c, '\n' | '\t'), json_escape)
}

/// As much of a text as a log line or a metric has room for.
pub fn short(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHORT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()).into(),
        None => text.into(),
    }
}

/// One log line, in JSON or not; `styled` when the escape character is a colour's.
pub fn printable_line(line: &str, json: bool, styled: bool) -> Cow<'_, str> {
    let unwanted = |c| c != '\t' && !(styled && c == '\u{1b}');
    if json { escape(line, unwanted, json_escape) } else { escape(line, unwanted, write_out) }
}

fn write_out(c: char, text: &mut String) {
    let _ = write!(text, "\\u{{{:x}}}", u32::from(c));
}

fn json_escape(c: char, text: &mut String) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        let _ = write!(text, "\\u{unit:04x}");
    }
}

fn escape(text: &str, unwanted: impl Fn(char) -> bool, write: impl Fn(char, &mut String)) -> Cow<'_, str> {
    let unwanted = |c: char| hidden(c) && unwanted(c);
    if !text.contains(unwanted) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len().saturating_add(16));
    for c in text.chars() {
        if unwanted(c) {
            write(c, &mut escaped);
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// Whether a character does something else than be seen.
pub fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::{printable, printable_json, printable_line, short};

    const NASTY: &str = "m1\u{1b}[2J\u{9b}31m\u{202e}txt\u{200b}\r\u{7f}";

    #[test]
    fn nothing_but_text_is_left() {
        assert_eq!(printable(NASTY), "m1\\u{1b}[2J\\u{9b}31m\\u{202e}txt\\u{200b}\\u{d}\\u{7f}");
        assert_eq!(printable("zwei Zeilen\nüber 世界\t🙂"), "zwei Zeilen\nüber 世界\t🙂");
        assert_eq!(printable("a\u{3164}b\u{e0100}\u{115f}"), "a\\u{3164}b\\u{e0100}\\u{115f}");
        assert_eq!(printable_line("a\nb\u{1b}[1m", false, true), "a\\u{a}b\u{1b}[1m");
    }

    #[test]
    fn a_page_is_shortened() {
        assert_eq!(short("über"), "über");
        assert_eq!(short(&"ü".repeat(5_000)), format!("{}…", "ü".repeat(1_000)));
    }

    #[test]
    fn json_stays_the_same_value() {
        let value = serde_json::json!({ "name": NASTY, "tag": "\u{e0041}" });
        let text = printable_json(&value.to_string()).into_owned();
        assert!(text.chars().all(|c| (' '..='~').contains(&c)), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("JSON"), value);
    }
}
