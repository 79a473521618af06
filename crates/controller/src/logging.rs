//! Log lines on standard error, for people or for machines.

use super::options::LogFormat;
use super::printable::printable_line;
use anyhow::{Context, Result};
use std::io::{self, IsTerminal, Write};
use tracing_subscriber::EnvFilter;

/// Starts logging.
pub fn start(format: LogFormat, level: &str) -> Result<()> {
    let filter = EnvFilter::try_new(level).with_context(|| format!("--log-level {level}"))?;
    let (json, styled) = (format == LogFormat::Json, format == LogFormat::Text && io::stderr().is_terminal());
    let writer = move || Lines { json, styled };
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(writer).with_target(false);
    match format {
        LogFormat::Text => lines.with_ansi(styled).init(),
        LogFormat::Json => lines.json().flatten_event(true).init(),
    }
    Ok(())
}

/// Standard error, one line for each event whatever is in it.
struct Lines {
    json: bool,
    styled: bool,
}

impl Write for Lines {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        let line = text.strip_suffix('\n').unwrap_or(&text);
        let line = format!("{}\n", printable_line(line, self.json, self.styled));
        io::stderr().write_all(line.as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
