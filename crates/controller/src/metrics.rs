//! What Prometheus asks for.

use prometheus_client::encoding::{EncodeLabelSet, text::encode};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;
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

/// The metrics, each with its labels.
pub struct Metrics {
    registry: Mutex<Registry>,
    evaluations: Family<Evaluated, Counter>,
    duration: Family<OfKind, Histogram>,
    differences: Family<Differing, Gauge>,
    writes: Family<Writing, Counter>,
    watch_starts: Family<OfKind, Counter>,
    watch_current: Family<OfKind, Gauge>,
    watch_failures: Family<OfKind, Counter>,
    connected: Family<OfCluster, Gauge>,
    kubeconfigs_refused: Family<Reason, Counter>,
    forbidden: Family<OfKind, Counter>,
    retries: Family<Reason, Counter>,
    writer_conflicts: Family<Differing, Counter>,
    log_failures: Counter,
    leading: Gauge,
    policy: Family<Policy, Gauge>,
    reload_failures: Counter,
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
struct Policy {
    digest: String,
}

impl Metrics {
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("capi_policy");
        let duration: Family<OfKind, Histogram> =
            Family::new_with_constructor(|| Histogram::new(exponential_buckets(0.000_05, 2.0, 18)));
        let metrics = Self {
            registry: Mutex::default(),
            evaluations: Family::default(),
            duration,
            differences: Family::default(),
            writes: Family::default(),
            watch_starts: Family::default(),
            watch_current: Family::default(),
            watch_failures: Family::default(),
            connected: Family::default(),
            kubeconfigs_refused: Family::default(),
            forbidden: Family::default(),
            retries: Family::default(),
            writer_conflicts: Family::default(),
            log_failures: Counter::default(),
            leading: Gauge::default(),
            policy: Family::default(),
            reload_failures: Counter::default(),
        };
        let build = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "This program", build);
        registry.register("evaluations", "Evaluations by kind and result", metrics.evaluations.clone());
        registry.register("evaluation_seconds", "Time the policy took to decide", metrics.duration.clone());
        registry.register(
            "differences",
            "Decided conditions that differ from the stored ones now",
            metrics.differences.clone(),
        );
        registry.register("writes", "Writes by kind of write and result", metrics.writes.clone());
        registry.register(
            "watch_lists",
            "Complete lists by kind; more than one means a watch was restarted",
            metrics.watch_starts.clone(),
        );
        registry.register("watch_current", "1 while a kind is listed and watched", metrics.watch_current.clone());
        registry.register("watch_failures", "Interrupted watches by kind", metrics.watch_failures.clone());
        registry.register(
            "workload_connected",
            "1 while a workload cluster's Nodes are known",
            metrics.connected.clone(),
        );
        registry.register(
            "kubeconfigs_refused",
            "Attempts with a kubeconfig Secret that is not accepted, by the field that is not",
            metrics.kubeconfigs_refused.clone(),
        );
        registry.register("forbidden", "Reads that the server did not allow, by kind", metrics.forbidden.clone());
        registry.register("retries", "Evaluations and writes that failed and are tried again", metrics.retries.clone());
        registry.register(
            "writer_conflicts",
            "Fields that somebody else writes too, each time they are left to that one",
            metrics.writer_conflicts.clone(),
        );
        registry.register(
            "log_failures",
            "Records that could not be written to the decision log",
            metrics.log_failures.clone(),
        );
        registry.register("leading", "1 while this replica decides", metrics.leading.clone());
        registry.register("policy", "1 for the policy that decides", metrics.policy.clone());
        registry.register(
            "policy_reload_failures",
            "Policies that could not be loaded",
            metrics.reload_failures.clone(),
        );
        Self { registry: Mutex::new(registry), ..metrics }
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

    pub fn written(&self, what: &'static str, result: &'static str) {
        self.writes.get_or_create(&Writing { what, result }).inc();
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
