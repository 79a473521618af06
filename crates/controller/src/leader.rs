//! Which replica decides: the one that holds the Lease, as long as it gets anything done.

use super::clock;
use super::metrics::Metrics;
use super::progress::Progress;
use anyhow::Result;
use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use kube::api::{ObjectMeta, PostParams};
use kube::{Api, Client};
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// How long giving the Lease back may take.
const RELEASE_WITHIN: Duration = Duration::from_secs(5);

/// Whether this replica leads, by its own clock: one that was stopped for a while does not go on where it was.
#[derive(Default)]
pub struct Leadership(Mutex<Until>);

#[derive(Clone, Copy, Default)]
enum Until {
    #[default]
    Never,
    Moment(Instant),
    Always,
}

impl Leadership {
    fn set(&self, until: Until) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = until;
    }

    /// Whether it leads now.
    pub fn holds(&self) -> bool {
        match *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Until::Never => false,
            Until::Moment(moment) => clock::instant() < moment,
            Until::Always => true,
        }
    }
}

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

/// Keeps `leadership` true to the facts until `stop` ends. Without a candidate, this replica always leads.
pub async fn elect(
    candidate: Option<Candidate>,
    leadership: Arc<Leadership>,
    progress: Arc<Progress>,
    metrics: Arc<Metrics>,
    stop: impl Future<Output = ()>,
) -> Result<()> {
    let tell = |until| {
        leadership.set(until);
        metrics.leading(!matches!(until, Until::Never));
    };
    if let Some(candidate) = candidate {
        let result = candidate.run(tell, &progress, stop).await;
        tell(Until::Never);
        return result;
    }
    tell(Until::Always);
    stop.await;
    Ok(())
}

impl Candidate {
    /// Calls `tell` with how long we lead, whenever that changes. Gives the Lease back when `stop` ends; fails when
    /// the Lease could not be renewed in time, for then another may lead, and when nothing gets done, for then another should.
    async fn run(self, tell: impl Fn(Until), progress: &Progress, stop: impl Future<Output = ()>) -> Result<()> {
        let leases = Api::<Lease>::namespaced(self.client.clone(), &self.namespace);
        let retry = self.duration / 8;
        let renew_within = self.duration.saturating_mul(2) / 3;
        let mut stop = pin!(stop);
        let mut seen = Seen { renewed: None, holder: None, at: clock::instant() };
        let mut renewed: Option<Instant> = None;
        loop {
            let start = clock::instant();
            if let Some(why) = progress.stalled() {
                anyhow::ensure!(renewed.is_none(), "the Lease {} is not renewed: {why}", self.name);
                tracing::warn!(why, "no candidate");
            } else {
                let attempt = tokio::time::timeout(renew_within, self.attempt(&leases, &mut seen));
                let attempt = tokio::select! {
                    attempt = attempt => attempt,
                    () = &mut stop => break,
                };
                match attempt {
                    Ok(Ok(Held::ByUs)) => {
                        if renewed.replace(start).is_none() {
                            tracing::info!(identity = self.identity, "leading");
                        }
                        tell(start.checked_add(renew_within).map_or(Until::Never, Until::Moment));
                    }
                    Ok(Ok(Held::ByAnother)) => {
                        anyhow::ensure!(renewed.is_none(), "another replica took the Lease {}", self.name);
                    }
                    Ok(Ok(Held::Unclear)) => {}
                    Ok(Err(error)) => tracing::warn!(%error, "Lease not renewed"),
                    Err(_) => tracing::warn!("Lease not renewed in time"),
                }
            }
            if renewed.is_some_and(|renewed| renewed.elapsed() > renew_within) {
                anyhow::bail!("the Lease {} could not be renewed within {renew_within:?}", self.name);
            }
            tokio::select! {
                () = tokio::time::sleep(retry) => {}
                () = &mut stop => break,
            }
        }
        tell(Until::Never);
        if renewed.is_some() {
            // One that is not given back runs out.
            let _ = tokio::time::timeout(RELEASE_WITHIN, self.release(&leases)).await;
        }
        Ok(())
    }

    async fn attempt(&self, leases: &Api<Lease>, seen: &mut Seen) -> kube::Result<Held> {
        let Some(mut lease) = leases.get_opt(&self.name).await? else {
            // Whoever held it may believe so until its next look.
            let held = seen.holder.as_deref().is_some_and(|holder| !holder.is_empty() && holder != self.identity);
            if held && seen.at.elapsed() < self.duration {
                return Ok(Held::ByAnother);
            }
            let metadata = ObjectMeta { name: Some(self.name.clone()), ..ObjectMeta::default() };
            let lease = Lease { metadata, spec: Some(self.spec(None)) };
            return won(leases.create(&PostParams::default(), &lease).await);
        };
        let spec = lease.spec.unwrap_or_default();
        if (&spec.renew_time, &spec.holder_identity) != (&seen.renewed, &seen.holder) {
            *seen =
                Seen { renewed: spec.renew_time.clone(), holder: spec.holder_identity.clone(), at: clock::instant() };
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

#[cfg(test)]
mod tests {
    use super::{Candidate, Held, Seen};
    use crate::clock;
    use http_body_util::Full;
    use hyper::body::Bytes;
    use hyper::{Method, Request, Response};
    use k8s_openapi::api::coordination::v1::Lease;
    use kube::client::Body;
    use kube::{Api, Client};
    use serde_json::json;
    use std::time::Duration;

    /// A server that has no Lease and takes a new one.
    async fn answer(request: Request<Body>) -> Result<Response<Full<Bytes>>, hyper::http::Error> {
        let (status, body) = if request.method() == Method::POST {
            (201, json!({ "metadata": { "name": "capi-policy" } }))
        } else {
            (404, json!({ "kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404 }))
        };
        Response::builder().status(status).body(Full::from(body.to_string()))
    }

    #[tokio::test(start_paused = true)]
    async fn a_lease_that_is_deleted_is_its_holders_until_it_has_run_out() {
        let client = Client::new(tower::service_fn(answer), "ns");
        let leases = Api::<Lease>::namespaced(client.clone(), "ns");
        let candidate = Candidate {
            client,
            namespace: "ns".to_owned(),
            name: "capi-policy".to_owned(),
            identity: "we".to_owned(),
            duration: Duration::from_secs(15),
        };
        let seen =
            |holder: Option<&str>| Seen { renewed: None, holder: holder.map(str::to_owned), at: clock::instant() };
        for free in [None, Some(""), Some("we")] {
            let held = candidate.attempt(&leases, &mut seen(free)).await;
            assert!(matches!(held, Ok(Held::ByUs)), "held by {free:?}");
        }
        let mut another = seen(Some("another"));
        assert!(matches!(candidate.attempt(&leases, &mut another).await, Ok(Held::ByAnother)));
        tokio::time::advance(Duration::from_secs(16)).await;
        assert!(matches!(candidate.attempt(&leases, &mut another).await, Ok(Held::ByUs)));
    }
}
