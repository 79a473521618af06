//! How the controller runs, as options of a command line.

use crate::key::GroupKind;
use crate::server_list::ServerList;
use anyhow::{Result, ensure};
use clap::builder::NonEmptyStringValueParser;
use jiff::{Span, SpanRelativeTo};
use std::path::PathBuf;
use std::time::Duration;

/// Decide about a cluster's objects as they change: observe what would be different, or apply it
#[derive(clap::Args)]
pub struct Options {
    /// Write nothing and report differences, or write what is decided
    #[arg(long, value_enum, default_value_t = Mode::Observe)]
    pub mode: Mode,
    /// Which rules apply; auto: those of the Cluster API release that is installed. Where none fit, observing takes the nearest,
    /// and applying needs a name here
    #[arg(long, default_value = "auto", value_parser = ["auto", "documented", "cluster-api", "cluster-api-v1.13", "cluster-api-v1.14"])]
    pub profile: String,
    /// How to reach the management cluster [default: as kubectl does, or from inside a pod]
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,
    /// Decide about these kinds only: MachineHealthCheck, Machine, … [default: all when observing, MachineHealthCheck when
    /// applying, since that can be taken from Cluster API's own controllers]
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', value_parser = kind)]
    kinds: Vec<String>,
    /// Which servers kubeconfig Secrets may lead to: HOST, HOST:PORT, *.DOMAIN or a network like 10.0.0.0/8 [default: any]
    #[arg(long, value_name = "SERVER,…")]
    pub workload_servers: Option<ServerList>,
    /// Look after this namespace only
    #[arg(long, value_parser = NonEmptyStringValueParser::new())]
    pub namespace: Option<String>,
    /// Look after objects only whose label cluster.x-k8s.io/watch-filter has this value
    #[arg(long, value_name = "VALUE", value_parser = NonEmptyStringValueParser::new())]
    pub watch_filter: Option<String>,
    /// The name under which fields are written; the kind that decided is added to it
    #[arg(long, default_value = "capi-policy", value_parser = field_manager)]
    pub field_manager: String,
    /// Write every decision to this file, one line of JSON each
    #[arg(long, value_name = "FILE")]
    pub decision_log: Option<PathBuf>,
    /// Add to the decision log the rows of every table that was looked at, not only of those that set something
    #[arg(long)]
    pub explain: bool,
    /// Decide as if it were so much later, like 20m; to see what is coming, so only when observing
    #[arg(long, value_name = "DURATION", default_value = "0s", value_parser = ahead)]
    pub ahead: Duration,
    /// Start a new decision log at this size; five old ones stay
    #[arg(long, value_name = "BYTES", default_value_t = 100 << 20, value_parser = clap::value_parser!(u64).range(1024..))]
    pub decision_log_max_bytes: u64,
    /// Decide only while holding the Lease, so that several replicas can run
    #[arg(long)]
    pub leader_elect: bool,
    /// The Lease's name
    #[arg(long, default_value = "capi-policy", value_parser = NonEmptyStringValueParser::new())]
    pub lease_name: String,
    /// The Lease's namespace [default: that of the pod or of the kubeconfig]
    #[arg(long, value_parser = NonEmptyStringValueParser::new())]
    pub lease_namespace: Option<String>,
    /// How long a leader that says nothing is believed
    #[arg(long, value_name = "SECONDS", default_value_t = 15, value_parser = clap::value_parser!(u64).range(2..=3600))]
    pub lease_seconds: u64,
    /// Where /healthz, /readyz, /metrics and /differences are served
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: String,
    /// How many objects are decided at a time
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
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
    /// Refuses what does not go together.
    pub fn check(&self, policy: Option<&str>) -> Result<()> {
        ensure!(
            self.mode == Mode::Observe
                || policy.is_none_or(|policy| !policy.starts_with("oci://") || policy.contains("@sha256:")),
            "--mode apply needs a policy that is pinned: oci://registry/name:tag@sha256:…, as `capi-policy pull` prints it"
        );
        ensure!(
            self.mode == Mode::Observe || self.ahead.is_zero(),
            "--ahead is for observing: --mode apply would carry out what is not due yet"
        );
        Ok(())
    }

    /// Whether it decides about a kind.
    pub fn decides(&self, kind: &str) -> bool {
        match (self.kinds.is_empty(), self.mode) {
            (true, Mode::Observe) => true,
            (true, Mode::Apply) => kind == "MachineHealthCheck",
            (false, _) => self.kinds.iter().any(|named| named == kind),
        }
    }

    /// How many objects are decided at a time.
    pub fn concurrency(&self) -> usize {
        self.concurrency.into()
    }

    /// Who this replica is: the pod's name, else host and process.
    pub fn identity() -> String {
        std::env::var("POD_NAME").unwrap_or_else(|_| {
            let host = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
            format!("{}-{}", host.trim(), std::process::id())
        })
    }
}

fn kind(text: &str) -> Result<String, String> {
    let known = || GroupKind::decidable().map(|kind| kind.kind.to_string());
    let kind = known().find(|kind| kind.eq_ignore_ascii_case(text));
    kind.ok_or_else(|| format!("the kinds are {}", known().collect::<Vec<_>>().join(", ")))
}

/// The server takes 128 characters, and a kind is added.
fn field_manager(text: &str) -> Result<String, String> {
    let fits = !text.is_empty() && text.len() <= 100 && text.chars().all(|c| !c.is_control() && !c.is_whitespace());
    fits.then(|| text.to_owned()).ok_or_else(|| "expected 1 to 100 characters, none of them a space".to_owned())
}

/// No further ahead: times have an end.
const LONGEST_AHEAD: Duration = Duration::from_hours(24 * 3_660);

fn ahead(text: &str) -> Result<Duration, String> {
    let duration = text.parse().and_then(|span: Span| span.to_duration(SpanRelativeTo::days_are_24_hours()));
    let ahead = duration.ok().and_then(|duration| Duration::try_from(duration).ok());
    let ahead = ahead.ok_or_else(|| format!("{text:?} is no duration like 90m or 2h"))?;
    if ahead > LONGEST_AHEAD { Err("more than ten years ahead".to_owned()) } else { Ok(ahead) }
}

#[cfg(test)]
mod tests {
    use super::{Mode, Options};
    use clap::Parser;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        options: Options,
    }

    fn parsed(arguments: &[&str]) -> Result<Options, String> {
        let all = ["watch"].iter().chain(arguments);
        Command::try_parse_from(all).map(|command| command.options).map_err(|error| error.to_string())
    }

    #[test]
    fn nonsense_is_refused_at_the_start() {
        for arguments in [
            ["--concurrency", "0"],
            ["--concurrency", "-1"],
            ["--concurrency", "100000"],
            ["--lease-seconds", "0"],
            ["--lease-seconds", "999999999999"],
            ["--ahead", "-5m"],
            ["--ahead", "soon"],
            ["--ahead", "P1Y"],
            ["--ahead", "999999999h"],
            ["--ahead", "100000000h"],
            ["--kinds", "Machines"],
            ["--kinds", "Machine,,Cluster"],
            ["--kinds", ""],
            ["--namespace", ""],
            ["--watch-filter", ""],
            ["--field-manager", "with space"],
            ["--workload-servers", ""],
            ["--workload-servers", "*"],
            ["--decision-log-max-bytes", "0"],
            ["--mode", "maybe"],
            ["--profile", "newest"],
        ] {
            let joined = format!("{}={}", arguments[0], arguments[1]);
            assert!(parsed(&[&joined]).is_err(), "{joined}");
        }
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        let checked = |arguments: &[&str], policy: Option<&str>| parsed(arguments).expect("options").check(policy);
        assert!(checked(&["--ahead", "20m"], None).is_ok());
        assert!(checked(&["--ahead", "20m", "--mode", "apply"], None).is_err());
        assert!(checked(&["--mode", "apply"], Some("oci://r/p:1")).is_err());
        assert!(checked(&["--mode", "apply"], Some("oci://r/p:1@sha256:ab")).is_ok());
        let apply = parsed(&["--mode", "apply"]).expect("options");
        assert!(apply.mode == Mode::Apply && apply.decides("MachineHealthCheck") && !apply.decides("Machine"));
    }
}
