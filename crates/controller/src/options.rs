//! How the controller runs, as options of a command line.

use jiff::{Span, SpanRelativeTo};
use std::path::PathBuf;
use std::time::Duration;

/// Decide about a cluster's objects as they change: observe what would be different, or apply it
#[derive(clap::Args)]
pub struct Options {
    /// Write nothing and report differences, or write what is decided
    #[arg(long, value_enum, default_value_t = Mode::Observe)]
    pub mode: Mode,
    /// Which rules apply: documented or cluster-api
    #[arg(long, default_value = "documented", value_parser = ["documented", "cluster-api", "cluster-api-v1.13", "cluster-api-v1.14"])]
    pub profile: String,
    /// How to reach the management cluster [default: as kubectl does, or from inside a pod]
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,
    /// Look after this namespace only
    #[arg(long)]
    pub namespace: Option<String>,
    /// Look after objects only whose label cluster.x-k8s.io/watch-filter has this value
    #[arg(long, value_name = "VALUE")]
    pub watch_filter: Option<String>,
    /// The name under which fields are written; the kind that decided is added to it
    #[arg(long, default_value = "capi-policy")]
    pub field_manager: String,
    /// Write every decision to this file, one line of JSON each
    #[arg(long, value_name = "FILE")]
    pub decision_log: Option<PathBuf>,
    /// Add to the decision log the rows of every table that was looked at, not only of those that set something
    #[arg(long)]
    pub explain: bool,
    /// Decide as if it were so much later, like 20m; to see what is coming
    #[arg(long, value_name = "DURATION", default_value = "0s", value_parser = ahead)]
    pub ahead: Duration,
    /// Start a new decision log at this size; five old ones stay
    #[arg(long, value_name = "BYTES", default_value_t = 100 << 20)]
    pub decision_log_max_bytes: u64,
    /// Decide only while holding the Lease, so that several replicas can run
    #[arg(long)]
    pub leader_elect: bool,
    /// The Lease's name
    #[arg(long, default_value = "capi-policy")]
    pub lease_name: String,
    /// The Lease's namespace [default: that of the pod or of the kubeconfig]
    #[arg(long)]
    pub lease_namespace: Option<String>,
    /// How long a leader that says nothing is believed
    #[arg(long, value_name = "SECONDS", default_value_t = 15, value_parser = clap::value_parser!(u64).range(2..))]
    pub lease_seconds: u64,
    /// Where /healthz, /readyz, /metrics and /differences are served
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: String,
    /// How many objects are decided at a time
    #[arg(long, default_value_t = 16)]
    pub concurrency: usize,
    /// How log lines look
    #[arg(long, value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
    /// What is logged, as in the variable
    #[arg(long, default_value = "info,kube_client=off,kube_runtime=off", env = "RUST_LOG", hide_env_values = true)]
    pub log_level: String,
}

/// Whether decisions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// Write nothing
    Observe,
    /// Write what is decided
    Apply,
}

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// Lines for people
    Text,
    /// One JSON object a line
    Json,
}

impl Options {
    /// Who this replica is: the pod's name, else host and process.
    pub fn identity() -> String {
        std::env::var("POD_NAME").unwrap_or_else(|_| {
            let host = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
            format!("{}-{}", host.trim(), std::process::id())
        })
    }
}

fn ahead(text: &str) -> Result<Duration, String> {
    let duration = text.parse().and_then(|span: Span| span.to_duration(SpanRelativeTo::days_are_24_hours()));
    let ahead = duration.ok().and_then(|duration| Duration::try_from(duration).ok());
    ahead.ok_or_else(|| format!("{text:?} is no duration like 90m or 2h"))
}
