//! Whether the management server answers at all. A connection may be silent because nothing happens or because it is
//! dead; only a question tells.

use kube::Client;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::watch;

/// How often it is asked.
const EVERY: Duration = Duration::from_secs(5);
/// How long an answer may take.
const WITHIN: Duration = Duration::from_secs(10);

/// Keeps `answers` true to the facts. Counts how often the server came back: watches from before may be dead.
pub async fn probe(client: Client, answers: Arc<AtomicBool>, outages: watch::Sender<u64>) {
    loop {
        let answered = match tokio::time::timeout(WITHIN, client.apiserver_version()).await {
            // An error is an answer too.
            Ok(Ok(_) | Err(kube::Error::Api(_))) => true,
            Ok(Err(_)) | Err(_) => false,
        };
        let before = answers.swap(answered, Ordering::Relaxed);
        match (before, answered) {
            (true, false) => tracing::warn!("the API server does not answer"),
            (false, true) => {
                tracing::info!("the API server answers again");
                outages.send_modify(|count| *count = count.wrapping_add(1));
            }
            _ => {}
        }
        tokio::time::sleep(EVERY).await;
    }
}
