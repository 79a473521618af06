//! Tables in Markdown.

/// A table with a title for each column.
pub fn table(titles: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = row(titles.iter().map(ToString::to_string));
    text.push_str(&line(titles.len()));
    rows.for_each(|cells| text.push_str(&row(cells.into_iter())));
    text
}

/// The line below the titles.
fn line(columns: usize) -> String {
    format!("|{}\n", "---|".repeat(columns))
}

/// One line of a table.
fn row(cells: impl Iterator<Item = String>) -> String {
    let mut line = "|".to_owned();
    for cell in cells {
        line.push(' ');
        line.push_str(&cell);
        line.push_str(if cell.is_empty() { "|" } else { " |" });
    }
    line.push('\n');
    line
}

/// A text that may stand in a cell.
pub fn cell(text: &str) -> String {
    text.replace('<', "&lt;").replace('|', "\\|").replace('\n', "<br>")
}
