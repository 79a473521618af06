//! What Prometheus asks for.

use super::outlook::Outlooks;
use prometheus_client::encoding::{EncodeLabelSet, text::encode};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Metric, Registry};
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfKind {
    kind: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Evaluated {
    kind: String,
    result: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Differing {
    kind: String,
    condition: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Writing {
    what: &'static str,
    result: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfOwner {
    kind: String,
    step: &'static str,
    result: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfCluster {
    cluster: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Reason {
    reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Certificate {
    server: &'static str,
    reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Policy {
    digest: String,
}

/// The metrics, each with its labels.
pub struct Metrics {
    registry: Mutex<Registry>,
    evaluations: Family<Evaluated, Counter>,
    duration: Family<OfKind, Histogram, fn() -> Histogram>,
    differences: Family<Differing, Gauge>,
    owner_steps: Family<OfOwner, Counter>,
    writes: Family<Writing, Counter>,
    queue_depth: Gauge,
    queue_oldest: Gauge<f64, AtomicU64>,
    queue_wait: Histogram,
    watch_starts: Family<OfKind, Counter>,
    watch_current: Family<OfKind, Gauge>,
    watch_failures: Family<OfKind, Counter>,
    connected: Family<OfCluster, Gauge>,
    kubeconfigs_refused: Family<Reason, Counter>,
    certificate_failures: Family<Certificate, Counter>,
    clock_jumps: Counter,
    clock_apart: Gauge,
    forbidden: Family<OfKind, Counter>,
    retries: Family<Reason, Counter>,
    writer_conflicts: Family<Differing, Counter>,
    log_failures: Counter,
    leading: Gauge,
    policy: Family<Policy, Gauge>,
    reload_failures: Counter,
    /// What health checks have ahead of them.
    pub outlooks: Outlooks,
}

/// From 100 µs to 3 s.
fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.0001, 2.0, 16))
}

/// Adds metrics to what is served.
struct Registering(Registry);

impl Registering {
    fn add<M: Metric + Clone + Default>(&mut self, name: &str, help: &str) -> M {
        self.take(name, help, M::default())
    }

    fn take<M: Metric + Clone>(&mut self, name: &str, help: &str, metric: M) -> M {
        self.0.register(name, help, metric.clone());
        metric
    }
}

impl Metrics {
    #[rustfmt::skip]
    pub fn new() -> Self {
        let mut new = Registering(Registry::with_prefix("capi_policy"));
        let outlooks = Outlooks::default();
        new.0.register_collector(Box::new(outlooks.clone()));
        new.0.register("build", "This program", Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]));
        Self {
            evaluations: new.add("evaluations", "Evaluations by kind and result"),
            duration: new.take("evaluation_seconds", "Time the policy took to decide", Family::new_with_constructor(seconds)),
            differences: new.add("differences", "Decided conditions that differ from the stored ones now"),
            owner_steps: new.add("owner_steps", "Steps of owners of machines that were predicted, came true, were withdrawn, or were done otherwise"),
            writes: new.add("writes", "Writes by kind of write and result"),
            queue_depth: new.add("queue_depth", "Objects that are due and wait for their turn"),
            queue_oldest: new.add("queue_oldest_seconds", "How long the object that waits longest has waited"),
            queue_wait: new.take("queue_wait_seconds", "Time that objects wait for their turn", seconds()),
            watch_starts: new.add("watch_lists", "Complete lists by kind; more than one means a watch was restarted"),
            watch_current: new.add("watch_current", "1 while a kind is listed and watched"),
            watch_failures: new.add("watch_failures", "Interrupted watches by kind"),
            connected: new.add("workload_connected", "1 while a workload cluster's Nodes are known"),
            kubeconfigs_refused: new.add("kubeconfigs_refused", "Attempts with a kubeconfig Secret that is not accepted, by the field that is not"),
            certificate_failures: new.add("certificate_failures", "Connections that were not made because of a certificate, to the management cluster's server or a workload cluster's"),
            clock_jumps: new.add("clock_jumps", "How often this machine's clock has jumped"),
            clock_apart: new.add("clock_apart_seconds", "How far this machine's clock is ahead of the API server's; negative: behind"),
            forbidden: new.add("forbidden", "Reads that the server did not allow, by kind"),
            retries: new.add("retries", "Evaluations and writes that failed and are tried again"),
            writer_conflicts: new.add("writer_conflicts", "Fields that somebody else writes too, each time they are left to that one"),
            log_failures: new.add("log_failures", "Records that could not be written to the decision log"),
            leading: new.add("leading", "1 while this replica decides"),
            policy: new.add("policy", "1 for the policy that decides"),
            reload_failures: new.add("policy_reload_failures", "Policies that could not be loaded"),
            outlooks,
            registry: Mutex::new(new.0),
        }
    }

    /// The text that Prometheus reads.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let registry = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        // Writing to a String does not fail.
        let _ = encode(&mut text, &registry);
        text
    }

    pub fn evaluated(&self, kind: &str, result: &'static str, took: Duration) {
        self.evaluations.get_or_create(&Evaluated { kind: kind.to_owned(), result }).inc();
        self.duration.get_or_create(&OfKind { kind: kind.to_owned() }).observe(took.as_secs_f64());
    }

    /// One more or one less difference.
    pub fn differs(&self, kind: &str, condition: &str, more: bool) {
        let gauge =
            self.differences.get_or_create(&Differing { kind: kind.to_owned(), condition: condition.to_owned() });
        if more {
            gauge.inc()
        } else {
            gauge.dec()
        };
    }

    /// What became of a step that the owner of machines was expected to take.
    pub fn owner_step(&self, kind: &str, step: &'static str, result: &'static str) {
        self.owner_steps.get_or_create(&OfOwner { kind: kind.to_owned(), step, result }).inc();
    }

    pub fn written(&self, what: &'static str, result: &'static str) {
        self.writes.get_or_create(&Writing { what, result }).inc();
    }

    /// An object has waited so long for its turn.
    pub fn waited(&self, waited: Duration) {
        self.queue_wait.observe(waited.as_secs_f64());
    }

    /// How many objects wait for their turn, and how long the first of them has.
    pub fn queue(&self, depth: usize, oldest: Duration) {
        self.queue_depth.set(i64::try_from(depth).unwrap_or(i64::MAX));
        self.queue_oldest.set(oldest.as_secs_f64());
    }

    pub fn watch_started(&self, kind: &str) {
        self.watch_starts.get_or_create(&OfKind { kind: kind.to_owned() }).inc();
    }

    pub fn watch_current(&self, kind: &str, current: bool) {
        self.watch_current.get_or_create(&OfKind { kind: kind.to_owned() }).set(i64::from(current));
    }

    pub fn watch_failed(&self, kind: &str) {
        self.watch_failures.get_or_create(&OfKind { kind: kind.to_owned() }).inc();
    }

    pub fn connected(&self, cluster: &str, connected: bool) {
        self.connected.get_or_create(&OfCluster { cluster: cluster.to_owned() }).set(i64::from(connected));
    }

    /// A workload cluster is gone.
    pub fn disconnected_for_good(&self, cluster: &str) {
        self.connected.remove(&OfCluster { cluster: cluster.to_owned() });
    }

    pub fn kubeconfig_refused(&self, reason: &'static str) {
        self.kubeconfigs_refused.get_or_create(&Reason { reason }).inc();
    }

    /// No connection because of a certificate.
    pub fn certificate_failed(&self, server: &'static str, reason: &'static str) {
        self.certificate_failures.get_or_create(&Certificate { server, reason }).inc();
    }

    pub fn clock_jumped(&self) {
        self.clock_jumps.inc();
    }

    pub fn clock_apart(&self, seconds: i64) {
        self.clock_apart.set(seconds);
    }

    pub fn forbidden(&self, kind: &str) {
        self.forbidden.get_or_create(&OfKind { kind: kind.to_owned() }).inc();
    }

    pub fn retried(&self, reason: &'static str) {
        self.retries.get_or_create(&Reason { reason }).inc();
    }

    pub fn writer_conflict(&self, kind: &str, condition: &str) {
        let labels = Differing { kind: kind.to_owned(), condition: condition.to_owned() };
        self.writer_conflicts.get_or_create(&labels).inc();
    }

    pub fn log_failed(&self) {
        self.log_failures.inc();
    }

    pub fn leading(&self, leading: bool) {
        self.leading.set(i64::from(leading));
    }

    pub fn policy(&self, digest: &str) {
        self.policy.clear();
        self.policy.get_or_create(&Policy { digest: digest.to_owned() }).set(1);
    }

    pub fn reload_failed(&self) {
        self.reload_failures.inc();
    }
}

#[cfg(test)]
mod tests {
    use super::Metrics;
    use crate::key::{GroupKind, Key};
    use serde_json::json;
    use std::path::Path;
    use std::time::Duration;

    /// Every metric with a value, so that its labels are seen.
    fn in_use() -> Metrics {
        let metrics = Metrics::new();
        metrics.evaluated("Machine", "decided", Duration::from_millis(1));
        metrics.differs("Machine", "Ready", true);
        metrics.written("status", "ok");
        metrics.waited(Duration::from_millis(1));
        metrics.queue(1, Duration::from_millis(1));
        metrics.watch_started("Machine");
        metrics.watch_current("Machine", true);
        metrics.watch_failed("Machine");
        metrics.connected("prod/blue", true);
        metrics.kubeconfig_refused("exec");
        metrics.certificate_failed("workload", "expired");
        metrics.clock_jumped();
        metrics.clock_apart(1);
        metrics.forbidden("Machine");
        metrics.retried("conflict");
        metrics.writer_conflict("Machine", "Ready");
        metrics.log_failed();
        metrics.leading(true);
        metrics.policy("sha256:0");
        metrics.reload_failed();
        let blocked =
            json!({ "type": "RemediationAllowed", "status": "False", "lastTransitionTime": "2026-01-15T12:00:00Z" });
        metrics.outlooks.note(
            &Key::new(GroupKind::new("cluster.x-k8s.io", "MachineHealthCheck"), "prod", "workers"),
            &json!({ "nextChange": "2026-01-15T12:00:00Z", "status": { "remediationsAllowed": 0 }, "conditions": [blocked] }),
        );
        metrics
    }

    /// What is served, as a table: name, type, labels and what it says.
    fn reference(text: &str) -> String {
        let samples: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let kinds = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
        let rows = kinds.map(|(name, kind)| {
            let help = text.lines().find_map(|line| line.strip_prefix(&format!("# HELP {name} "))).expect("a sentence");
            let sample =
                samples.iter().find(|sample| sample.starts_with(name)).unwrap_or_else(|| panic!("{name} has no value"));
            let (full_name, labels) = sample
                .split_once('{')
                .map_or((sample.split(' ').next().unwrap_or_default(), ""), |(full, rest)| (full, rest));
            let labels: Vec<_> = labels
                .split("\",")
                .filter_map(|label| label.split_once("=\""))
                .map(|(label, _)| format!("`{label}`"))
                .collect();
            let labels: Vec<_> = labels.into_iter().filter(|label| label != "`le`").collect();
            let full_name = if kind == "histogram" { name } else { full_name };
            format!("| `{full_name}` | {kind} | {} | {} |\n", labels.join(", "), help.trim_end_matches('.'))
        });
        rows.collect::<Vec<_>>().concat()
    }

    #[test]
    fn the_reference_lists_what_is_served() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/metrics.md");
        let heading = "| metric | type | labels | what it says |\n|---|---|---|---|\n";
        let text = std::fs::read_to_string(&path).expect("docs/metrics.md");
        let (before, table) = text.split_once(heading).expect("a table");
        let served = reference(&in_use().text());
        if std::env::var_os("ACCEPT_METRICS").is_some() {
            std::fs::write(&path, format!("{before}{heading}{served}")).expect("docs/metrics.md");
        } else {
            assert_eq!(table, served, "ACCEPT_METRICS=1 cargo test -p capi-policy-controller reference writes it");
        }
    }
}
