//! Prints decisions for people. Colour is always in the text; [`print`] takes it out where nobody sees it.

pub mod answer;
pub mod bars;
pub mod evaluations;
pub mod explanation;
pub mod grid;
mod owner;
pub mod plan;
pub mod simulate;
pub mod tree;
pub mod words;
mod wrap;

use capi_policy_controller::printable::printable;
use std::io::{self, Write};

const WIDTH: usize = 120;
const WIDEST: usize = 160;

/// Columns of the terminal; a fixed number where there is none, so that files look the same everywhere.
pub fn width() -> usize {
    let terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    terminal.map_or(WIDTH, |columns| columns.min(WIDEST))
}

/// Writes text to standard output, in colour on a terminal only, never where `NO_COLOR` is set.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Whoever reads has seen enough: `capi-policy … | head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Writes text in place of what the terminal shows; elsewhere below it.
pub fn redraw(text: &str) -> io::Result<()> {
    print(&format!("\u{1b}[H\u{1b}[2J{text}"))
}

/// Tells the person at the terminal something that is not the answer.
pub fn note(text: &str) {
    let style = grid::DIM;
    anstream::eprintln!("{style}note: {}{style:#}", printable(text));
}
