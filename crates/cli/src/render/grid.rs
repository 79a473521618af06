//! Aligned columns for the terminal: as wide as they need to be, the last ones wrapped to its width.

use super::wrap::{clip, wrap};
use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

const GAP: usize = 2;
/// No wrapped column gets narrower than this, whatever the terminal.
const NARROWEST: usize = 24;

/// Text with a style.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    text: String,
    style: Style,
    /// What stands below it where other cells of its row have more lines.
    below: String,
}

/// Aligned lines under headings.
#[derive(Default)]
pub struct Grid {
    columns: Vec<Column>,
    lines: Vec<Line>,
    indent: usize,
    tallest: Option<usize>,
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
    Cell { text: text.into(), style, below: String::new() }
}

/// A cell without one.
pub fn plain(text: impl Into<String>) -> Cell {
    styled(text, Style::new())
}

impl Cell {
    /// Goes on with this below, for as many lines as the row has.
    #[must_use]
    pub fn over(self, below: &str) -> Self {
        Self { below: below.to_owned(), ..self }
    }
}

impl Grid {
    /// A grid with a title for each column; a title that ends in `…` marks a column that may be wrapped.
    pub fn new(titles: &[&'static str]) -> Self {
        let columns = titles.iter().map(|title| match title.strip_suffix('…') {
            Some(title) => Column { title, wraps: true },
            None => Column { title, wraps: false },
        });
        Self { columns: columns.collect(), lines: Vec::new(), indent: 0, tallest: None }
    }

    /// Moves everything but free text to the right.
    #[must_use]
    pub fn indented(mut self, by: usize) -> Self {
        self.indent = by;
        self
    }

    /// Shows no more than so many lines of a cell.
    #[must_use]
    pub fn clipped(mut self, to: usize) -> Self {
        self.tallest = Some(to);
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
                Line::Text(cell) => out.push_str(&(paint(&cell.text, cell.style) + "\n")),
                Line::Row(cells) => self.write_row(cells, &widths, &mut out),
            }
        }
        out
    }

    /// Width of each column; none for a column that is empty all the way down.
    fn widths(&self, total: usize) -> Vec<Option<usize>> {
        let mut widths: Vec<Option<usize>> = (0..self.columns.len()).map(|i| self.natural_width(i)).collect();
        let shown = widths.iter().flatten().count();
        let gaps = GAP * shown.saturating_sub(1) + self.indent;
        let fixed: usize = widths.iter().zip(&self.columns).filter(|(_, c)| !c.wraps).filter_map(|(w, _)| *w).sum();
        let mut left = total.saturating_sub(fixed + gaps);
        let mut wrapping = widths.iter().zip(&self.columns).filter(|(w, c)| c.wraps && w.is_some()).count();
        // From left to right each gets its share of what is left; what one does not need is left to the next.
        for (width, _) in widths.iter_mut().zip(&self.columns).filter(|(_, column)| column.wraps) {
            if let Some(width) = width {
                *width = (*width).min((left / wrapping.max(1)).max(NARROWEST));
                left = left.saturating_sub(*width);
                wrapping = wrapping.saturating_sub(1);
            }
        }
        widths
    }

    fn natural_width(&self, i: usize) -> Option<usize> {
        let cells = self.lines.iter().filter_map(|line| match line {
            Line::Row(cells) => cells.get(i),
            Line::Text(_) => None,
        });
        let widest = cells.flat_map(|cell| cell.text.lines()).map(UnicodeWidthStr::width).max().unwrap_or(0);
        let title = self.columns.get(i).map_or(0, |column| column.title.width());
        (widest > 0).then(|| widest.max(title))
    }

    fn write_row(&self, cells: &[Cell], widths: &[Option<usize>], out: &mut String) {
        let shown = cells.iter().zip(widths).filter_map(|(cell, width)| Some((cell, (*width)?)));
        let shown: Vec<_> =
            shown.map(|(cell, width)| (cell, width, clip(wrap(&cell.text, width), self.tallest, width))).collect();
        let height = shown.iter().map(|(_, _, lines)| lines.len()).max().unwrap_or(0);
        for i in 0..height {
            let mut line = " ".repeat(self.indent);
            let mut pending = 0;
            for (cell, width, lines) in &shown {
                let text = lines.get(i).map_or(&*cell.below, String::as_str);
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

#[cfg(test)]
mod tests {
    use super::{Grid, plain};

    #[test]
    fn columns_line_up_and_nothing_trails() {
        let mut grid = Grid::new(&["A", "B…", "C"]);
        grid.row(vec![plain("x"), plain("the quick brown fox jumps over"), plain("1")]);
        grid.row(vec![plain("long"), plain(""), plain("2")]);
        let text = anstream::adapter::strip_str(&grid.render(35)).to_string();
        assert_eq!(
            text,
            "A     B                           C\nx     the quick brown fox jumps   1\n      over\nlong                              2\n"
        );
    }
}
