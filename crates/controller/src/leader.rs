//! Which replica decides: the one that holds the Lease.

use super::clock;
use super::metrics::Metrics;
use anyhow::Result;
use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use kube::api::{ObjectMeta, PostParams};
use kube::{Api, Client};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// A candidate.
pub struct Candidate {
    pub client: Client,
    pub namespace: String,
    /// The Lease's name.
    pub name: String,
    /// Who we are.
    pub identity: String,
    /// How long a leader that says nothing is believed.
    pub duration: Duration,
}

/// What a look at the Lease led to.
enum Held {
    ByUs,
    ByAnother,
    /// Somebody else wrote it at the same time; the next look will tell who.
    Unclear,
}

/// The Lease as it was last seen, and when it was first seen so: only our own clock counts.
struct Seen {
    renewed: Option<MicroTime>,
    holder: Option<String>,
    at: Instant,
}

/// Keeps `leading` true to the facts until `stop` ends. Without a candidate, this replica always leads.
pub async fn elect(
    candidate: Option<Candidate>,
    leading: Arc<AtomicBool>,
    metrics: Arc<Metrics>,
    stop: impl Future<Output = ()>,
) -> Result<()> {
    let tell = |leads| {
        leading.store(leads, Ordering::Relaxed);
        metrics.leading(leads);
    };
    if let Some(candidate) = candidate {
        return candidate.run(tell, stop).await;
    }
    tell(true);
    stop.await;
    Ok(())
}

impl Candidate {
    /// Calls `tell` with whether we lead, whenever that changes. Gives the Lease back when `stop` ends; fails when
    /// the Lease could not be renewed in time, for then another may lead.
    pub async fn run(self, tell: impl Fn(bool), stop: impl Future<Output = ()>) -> Result<()> {
        let leases = Api::<Lease>::namespaced(self.client.clone(), &self.namespace);
        let retry = self.duration / 8;
        let renew_within = self.duration.saturating_mul(2) / 3;
        let mut stop = pin!(stop);
        let mut seen = Seen { renewed: None, holder: None, at: now() };
        let mut renewed: Option<Instant> = None;
        loop {
            let start = now();
            let attempt = tokio::time::timeout(renew_within, self.attempt(&leases, &mut seen));
            let attempt = tokio::select! {
                attempt = attempt => attempt,
                () = &mut stop => break,
            };
            match attempt {
                Ok(Ok(Held::ByUs)) => {
                    if renewed.replace(start).is_none() {
                        tracing::info!(identity = self.identity, "leading");
                        tell(true);
                    }
                }
                Ok(Ok(Held::ByAnother)) => {
                    anyhow::ensure!(renewed.is_none(), "another replica took the Lease {}", self.name);
                }
                Ok(Ok(Held::Unclear)) => {}
                Ok(Err(error)) => tracing::warn!(%error, "Lease not renewed"),
                Err(_) => tracing::warn!("Lease not renewed in time"),
            }
            if renewed.is_some_and(|renewed| renewed.elapsed() > renew_within) {
                tell(false);
                anyhow::bail!("the Lease {} could not be renewed within {renew_within:?}", self.name);
            }
            tokio::select! {
                () = tokio::time::sleep(retry) => {}
                () = &mut stop => break,
            }
        }
        tell(false);
        if renewed.is_some() {
            self.release(&leases).await;
        }
        Ok(())
    }

    async fn attempt(&self, leases: &Api<Lease>, seen: &mut Seen) -> kube::Result<Held> {
        let Some(mut lease) = leases.get_opt(&self.name).await? else {
            let metadata = ObjectMeta { name: Some(self.name.clone()), ..ObjectMeta::default() };
            let lease = Lease { metadata, spec: Some(self.spec(None)) };
            return won(leases.create(&PostParams::default(), &lease).await);
        };
        let spec = lease.spec.unwrap_or_default();
        if (&spec.renew_time, &spec.holder_identity) != (&seen.renewed, &seen.holder) {
            *seen = Seen { renewed: spec.renew_time.clone(), holder: spec.holder_identity.clone(), at: now() };
        }
        let ours = spec.holder_identity.as_ref() == Some(&self.identity);
        let free = spec.holder_identity.as_deref().is_none_or(str::is_empty);
        if !ours && !free && seen.at.elapsed() < self.duration {
            return Ok(Held::ByAnother);
        }
        lease.spec = Some(self.spec(Some(&spec)));
        // The resource version in the metadata makes sure that only one candidate wins.
        won(leases.replace(&self.name, &PostParams::default(), &lease).await)
    }

    fn spec(&self, before: Option<&LeaseSpec>) -> LeaseSpec {
        let time = MicroTime(clock::now());
        let ours = before.is_some_and(|before| before.holder_identity.as_ref() == Some(&self.identity));
        let transitions = before.and_then(|before| before.lease_transitions).unwrap_or(0);
        LeaseSpec {
            holder_identity: Some(self.identity.clone()),
            lease_duration_seconds: i32::try_from(self.duration.as_secs()).ok(),
            acquire_time: before.filter(|_| ours).and_then(|before| before.acquire_time.clone()).or(Some(time.clone())),
            renew_time: Some(time),
            lease_transitions: Some(if ours || before.is_none() { transitions } else { transitions.saturating_add(1) }),
            ..LeaseSpec::default()
        }
    }

    async fn release(&self, leases: &Api<Lease>) {
        let Ok(mut lease) = leases.get(&self.name).await else { return };
        if let Some(spec) = lease.spec.as_mut().filter(|spec| spec.holder_identity.as_ref() == Some(&self.identity)) {
            spec.holder_identity = None;
            let _ = leases.replace(&self.name, &PostParams::default(), &lease).await;
        }
    }
}

fn won(result: kube::Result<Lease>) -> kube::Result<Held> {
    match result {
        Ok(_) => Ok(Held::ByUs),
        Err(kube::Error::Api(status)) if status.code == 409 => Ok(Held::Unclear),
        Err(error) => Err(error),
    }
}

#[allow(clippy::disallowed_methods, reason = "a lease is about time")]
fn now() -> Instant {
    Instant::now()
}
