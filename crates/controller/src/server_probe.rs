//! Whether the management server answers at all, and what time it is there. A connection may be silent because nothing
//! happens or because it is dead; only a question tells.

use super::certificates;
use super::metrics::Metrics;
use super::steady::Steady;
use hyper::{Request, header};
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use kube::Client;
use kube::client::Body;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// How often it is asked.
const EVERY: Duration = Duration::from_secs(5);
/// How often while something is wrong.
const SOON: Duration = Duration::from_secs(1);
/// How long an answer may take.
const WITHIN: Duration = Duration::from_secs(10);

/// Why the server does not answer; nothing while it does.
#[derive(Default)]
pub struct Answers(Mutex<Option<String>>);

impl Answers {
    /// Why it does not.
    pub fn why_not(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn replace(&self, why_not: Option<String>) -> Option<String> {
        std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), why_not)
    }
}

/// What is kept true to the facts.
pub struct Probe {
    pub client: Client,
    pub answers: Arc<Answers>,
    pub steady: Arc<Steady>,
    pub metrics: Arc<Metrics>,
    /// Counts how often the server came back: watches from before may be dead.
    pub outages: watch::Sender<u64>,
}

impl Probe {
    /// Asks again and again. Calls `moved` when times have to be planned again.
    pub async fn run(self, moved: impl Fn()) {
        loop {
            let asked = tokio::time::timeout(WITHIN, self.ask()).await;
            let why_not = match asked.unwrap_or_else(|_| Err("the API server does not answer".to_owned())) {
                Ok(date) => {
                    if self.steady.compare(date) {
                        moved();
                    }
                    None
                }
                Err(why) => Some(why),
            };
            let before = self.answers.replace(why_not.clone());
            match (&before, &why_not) {
                (before, Some(why)) if before.as_ref() != Some(why) => tracing::warn!("{why}"),
                (Some(_), None) => {
                    tracing::info!("the API server answers again");
                    self.outages.send_modify(|count| *count = count.wrapping_add(1));
                }
                _ => {}
            }
            let fine = why_not.is_none() && self.steady.doubt().is_none();
            tokio::time::sleep(if fine { EVERY } else { SOON }).await;
        }
    }

    /// The server's time, if it says so. An error is an answer too.
    async fn ask(&self) -> Result<Option<Timestamp>, String> {
        let request = Request::get("/version").body(Body::empty()).map_err(|error| error.to_string())?;
        match self.client.send(request).await {
            Ok(answer) => {
                let date = answer.headers().get(header::DATE).and_then(|date| date.to_str().ok());
                Ok(date.and_then(|date| DateTimeParser::new().parse_timestamp(date).ok()))
            }
            Err(error) => Err(match certificates::find(&error) {
                Some(trouble) => {
                    self.metrics.certificate_failed("management", trouble.reason);
                    format!("no connection to the API server: {}", trouble.says)
                }
                None => "the API server does not answer".to_owned(),
            }),
        }
    }
}
