//! Wraps text into lines that fit.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const MORE: &str = " …";

/// Breaks text at spaces, and inside words that are too long. Lines of the text stay lines; what follows a bullet stays
/// under it.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    text.lines().flat_map(|paragraph| wrap_paragraph(paragraph, width)).collect()
}

/// The first lines, with a sign that there are more.
pub fn clip(mut lines: Vec<String>, tallest: Option<usize>, width: usize) -> Vec<String> {
    let Some(tallest) = tallest.filter(|tallest| lines.len() > *tallest) else { return lines };
    lines.truncate(tallest);
    if let Some(last) = lines.last_mut() {
        if last.width() + MORE.width() > width {
            let words =
                last.trim_end().rfind(' ').filter(|end| last.get(..*end).is_some_and(|kept| !kept.trim().is_empty()));
            last.truncate(words.unwrap_or(0));
        }
        last.push_str(MORE);
    }
    lines
}

fn wrap_paragraph(paragraph: &str, width: usize) -> Vec<String> {
    let text = paragraph.trim_start();
    let spaces = paragraph.width() - text.width();
    let hanging = spaces + if text.starts_with("* ") { 2 } else { 0 };
    // Where indentation would leave no room for words, it goes.
    let hanging = " ".repeat(if hanging * 2 > width { 0 } else { hanging });
    let mut lines = Vec::new();
    let mut line = " ".repeat(spaces);
    for word in text.split_inclusive(' ') {
        if !line.trim().is_empty() && line.width() + word.trim_end().width() > width {
            lines.push(std::mem::replace(&mut line, hanging.clone()));
        }
        for letter in word.chars() {
            if line.width() + letter.width().unwrap_or(0) > width && letter != ' ' {
                lines.push(std::mem::replace(&mut line, hanging.clone()));
            }
            line.push(letter);
        }
    }
    lines.push(line);
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::{clip, wrap};

    #[test]
    fn long_text_is_broken_at_spaces_and_only_then_inside_words() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij kl", 4), ["abcd", "efgh", "ij", "kl"]);
    }

    #[test]
    fn lines_stay_and_bullets_hang() {
        assert_eq!(wrap("* a\n* b", 20), ["* a", "* b"]);
        assert_eq!(wrap("  * one two three", 12), ["  * one two", "    three"]);
    }

    #[test]
    fn what_is_clipped_says_so() {
        let lines = || ["one two", "three", "four"].map(str::to_owned).to_vec();
        assert_eq!(clip(lines(), Some(2), 7), ["one two", "three …"]);
        assert_eq!(clip(lines(), Some(1), 7), ["one …"]);
        assert_eq!(clip(lines(), Some(3), 7), lines());
    }
}
