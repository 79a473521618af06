//! What health checks have ahead of them, as Prometheus reads it: figures of the last decision, compared with the time of the scrape.

use super::clock;
use super::key::Key;
use jiff::{SignedDuration, Timestamp};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, MetricEncoder};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::gauge::ConstGauge;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How far ahead remediations are counted.
const AHEAD: SignedDuration = SignedDuration::from_hours(1);

/// What one health check has ahead of it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Outlook {
    next_change: Option<Timestamp>,
    headroom: Option<i64>,
    blocked_since: Option<Timestamp>,
    /// When each machine that waits turns unhealthy.
    deadlines: Vec<Timestamp>,
}

/// The outlook of every health check.
#[derive(Clone, Debug, Default)]
pub struct Outlooks(Arc<Mutex<BTreeMap<Key, Outlook>>>);

impl Outlooks {
    /// Keeps what was decided about a health check; other kinds have no outlook.
    pub fn note(&self, key: &Key, evaluation: &Value) {
        if &*key.kind.kind == "MachineHealthCheck" {
            self.all().insert(key.clone(), Outlook::of(evaluation));
        }
    }

    /// The object is gone.
    pub fn forget(&self, key: &Key) {
        self.all().remove(key);
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<Key, Outlook>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outlook {
    fn of(evaluation: &Value) -> Self {
        let time = |value: &Value| value.as_str().and_then(|text| text.parse().ok());
        let conditions = evaluation["conditions"].as_array().into_iter().flatten();
        let mut blocked = conditions.filter(|c| c["type"] == "RemediationAllowed" && c["status"] == "False");
        let machines = evaluation["machines"].as_array().into_iter().flatten();
        let waiting = machines.filter(|machine| machine["verdict"] == "waiting");
        Self {
            next_change: time(&evaluation["nextChange"]),
            headroom: evaluation["status"]["remediationsAllowed"].as_i64(),
            blocked_since: blocked.next().and_then(|condition| time(&condition["lastTransitionTime"])),
            deadlines: waiting.filter_map(|machine| time(&machine["deadline"])).collect(),
        }
    }

    /// Machines whose time is up within the next hour, if nothing but time changes.
    fn remediations(&self, now: Timestamp) -> i64 {
        let due = self.deadlines.iter().filter(|deadline| deadline.duration_since(now) <= AHEAD);
        i64::try_from(due.count()).unwrap_or(i64::MAX)
    }
}

/// One figure of an outlook; none where there is nothing to report.
type Figure = fn(&Outlook, Timestamp) -> Option<i64>;

#[rustfmt::skip]
const FIGURES: &[(&str, &str, Figure)] = &[
    ("next_change_timestamp_seconds", "When time alone changes the decision about a health check next", |o, _| o.next_change.map(Timestamp::as_second)),
    ("remediations_allowed", "How many more machines of a health check may become unhealthy before remediation is blocked", |o, _| o.headroom),
    ("remediation_blocked_timestamp_seconds", "Since when remediation is not allowed", |o, _| o.blocked_since.map(Timestamp::as_second)),
    ("remediations_forecast", "Machines that turn unhealthy within an hour if nothing but time changes", |o, now| Some(o.remediations(now))),
];

impl Collector for Outlooks {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let (all, now) = (self.all(), clock::now());
        for (name, help, figure) in FIGURES {
            let mut metric = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            for (key, outlook) in all.iter() {
                if let Some(value) = figure(outlook, now) {
                    encode(&mut metric, key, value)?;
                }
            }
        }
        Ok(())
    }
}

fn encode(metric: &mut MetricEncoder<'_>, key: &Key, value: i64) -> Result<(), fmt::Error> {
    let labels = [("namespace", &*key.namespace), ("name", &*key.name)];
    ConstGauge::new(value).encode(metric.encode_family(&labels)?)
}

#[cfg(test)]
mod tests {
    use super::Outlook;
    use serde_json::json;

    #[test]
    fn deadlines_within_an_hour_are_counted() {
        let machine = |verdict: &str, deadline: &str| json!({ "verdict": verdict, "deadline": deadline });
        let outlook = Outlook::of(&json!({
            "nextChange": "2026-01-15T12:02:01Z",
            "status": { "remediationsAllowed": 0 },
            "conditions": [{ "type": "RemediationAllowed", "status": "False", "lastTransitionTime": "2026-01-15T11:00:00Z" }],
            "machines": [
                machine("waiting", "2026-01-15T12:02:01Z"),
                machine("waiting", "2026-01-15T13:00:01Z"),
                machine("unhealthy", "2026-01-15T11:02:01Z"),
                { "verdict": "healthy" },
            ],
        }));
        let now = "2026-01-15T12:00:00Z".parse().expect("a time");
        assert_eq!(outlook.remediations(now), 1);
        assert_eq!((outlook.headroom, outlook.blocked_since), (Some(0), "2026-01-15T11:00:00Z".parse().ok()));
        assert_eq!(outlook.next_change, "2026-01-15T12:02:01Z".parse().ok());
    }

    #[test]
    fn what_was_not_decided_is_not_reported() {
        let outlook = Outlook::of(&json!({ "conditions": [{ "type": "RemediationAllowed", "status": "True" }] }));
        assert_eq!(outlook, Outlook::default());
    }
}
