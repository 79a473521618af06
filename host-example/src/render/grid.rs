//! Cells in, aligned text out: columns as wide as they need to be, the last ones wrapped to the width of the terminal.

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const GAP: usize = 2;
/// No wrapped column gets narrower than this, whatever the terminal.
const NARROWEST: usize = 24;

/// Text with a style.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    text: String,
    style: Style,
}

/// Aligned lines under headings.
#[derive(Default)]
pub struct Grid {
    columns: Vec<Column>,
    lines: Vec<Line>,
    indent: usize,
}

struct Column {
    title: &'static str,
    wraps: bool,
}

enum Line {
    Text(Cell),
    Row(Vec<Cell>),
}

pub const BOLD: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
pub const GREEN: Style = AnsiColor::Green.on_default();
pub const RED: Style = AnsiColor::Red.on_default();
pub const YELLOW: Style = AnsiColor::Yellow.on_default();

/// A cell with a style.
pub fn styled(text: impl Into<String>, style: Style) -> Cell {
    Cell { text: text.into(), style }
}

/// A cell without one.
pub fn plain(text: impl Into<String>) -> Cell {
    styled(text, Style::new())
}

impl Grid {
    /// A grid with a title for each column; a title that ends in `…` marks a column that may be wrapped.
    pub fn new(titles: &[&'static str]) -> Self {
        let columns = titles.iter().map(|title| match title.strip_suffix('…') {
            Some(title) => Column { title, wraps: true },
            None => Column { title, wraps: false },
        });
        Self { columns: columns.collect(), lines: Vec::new(), indent: 0 }
    }

    /// Moves everything but free text to the right.
    #[must_use]
    pub fn indented(mut self, by: usize) -> Self {
        self.indent = by;
        self
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<Cell>) {
        self.lines.push(Line::Row(cells));
    }

    /// Adds a line of free text.
    pub fn text(&mut self, cell: Cell) {
        self.lines.push(Line::Text(cell));
    }

    /// The grid as text.
    pub fn render(&self, width: usize) -> String {
        let widths = self.widths(width);
        let mut out = String::new();
        if self.columns.iter().any(|column| !column.title.is_empty()) {
            let titles: Vec<_> = self.columns.iter().map(|column| styled(column.title, DIM)).collect();
            self.write_row(&titles, &widths, &mut out);
        }
        for line in &self.lines {
            match line {
                Line::Text(cell) => out.push_str(&format!("{}\n", paint(&cell.text, cell.style))),
                Line::Row(cells) => self.write_row(cells, &widths, &mut out),
            }
        }
        out
    }

    fn widths(&self, total: usize) -> Vec<usize> {
        let natural: Vec<usize> = self
            .columns
            .iter()
            .enumerate()
            .map(|(i, column)| {
                let cells = self.lines.iter().filter_map(|line| match line {
                    Line::Row(cells) => cells.get(i),
                    Line::Text(_) => None,
                });
                let widest = |text: &str| text.lines().map(UnicodeWidthStr::width).max().unwrap_or(0);
                cells.map(|cell| widest(&cell.text)).max().unwrap_or(0).max(column.title.width())
            })
            .collect();
        let gaps = GAP * self.columns.len().saturating_sub(1) + self.indent;
        let wrapping = self.columns.iter().filter(|column| column.wraps).count().max(1);
        let fixed: usize =
            natural.iter().zip(&self.columns).filter(|(_, column)| !column.wraps).map(|(width, _)| width).sum();
        let each = (total.saturating_sub(fixed + gaps) / wrapping).max(NARROWEST);
        natural
            .iter()
            .zip(&self.columns)
            .map(|(width, column)| if column.wraps { (*width).min(each) } else { *width })
            .collect()
    }

    fn write_row(&self, cells: &[Cell], widths: &[usize], out: &mut String) {
        let wrapped: Vec<Vec<String>> = cells.iter().zip(widths).map(|(cell, width)| wrap(&cell.text, *width)).collect();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
        for i in 0..height {
            let mut line = " ".repeat(self.indent);
            let mut pending = 0;
            for ((cell, part), width) in cells.iter().zip(&wrapped).zip(widths) {
                let text = part.get(i).map_or("", String::as_str);
                if !text.is_empty() {
                    line.push_str(&" ".repeat(pending));
                    line.push_str(&paint(text, cell.style));
                    pending = 0;
                }
                pending += width.saturating_sub(text.width()) + GAP;
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
}

/// Text in a style.
pub fn paint(text: &str, style: Style) -> String {
    if text.is_empty() { String::new() } else { format!("{style}{text}{style:#}") }
}

/// Breaks text at spaces, and inside words that are too long; lines of the text stay lines.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_inclusive(' ') {
            if !line.is_empty() && line.width() + word.trim_end().width() > width {
                lines.push(std::mem::take(&mut line).trim_end().to_owned());
            }
            for letter in word.chars() {
                if line.width() + letter.width().unwrap_or(0) > width && letter != ' ' {
                    lines.push(std::mem::take(&mut line));
                }
                line.push(letter);
            }
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{Grid, plain, wrap};

    #[test]
    fn long_text_is_broken_at_spaces_and_only_then_inside_words() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij kl", 4), ["abcd", "efgh", "ij", "kl"]);
        assert_eq!(wrap("* a\n* b", 20), ["* a", "* b"]);
    }

    #[test]
    fn columns_line_up_and_nothing_trails() {
        let mut grid = Grid::new(&["A", "B…", "C"]);
        grid.row(vec![plain("x"), plain("the quick brown fox jumps over"), plain("1")]);
        grid.row(vec![plain("long"), plain(""), plain("2")]);
        let text = anstream::adapter::strip_str(&grid.render(35)).to_string();
        assert_eq!(
            text,
            "A     B                         C\nx     the quick brown fox       1\n      jumps over\nlong                            2\n"
        );
    }
}
