//! Log lines on standard error, for people or for machines.

use super::options::LogFormat;
use anyhow::{Context, Result};
use tracing_subscriber::EnvFilter;

/// Starts logging.
pub fn start(format: LogFormat, level: &str) -> Result<()> {
    let filter = EnvFilter::try_new(level).with_context(|| format!("--log-level {level}"))?;
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_target(false);
    match format {
        LogFormat::Text => lines.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).init(),
        LogFormat::Json => lines.json().flatten_event(true).init(),
    }
    Ok(())
}
