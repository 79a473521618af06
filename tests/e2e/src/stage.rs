//! What scenarios on one plane share.

use crate::fleet::Fleet;
use crate::kube_objects::Kube;
use crate::plane::Plane;
use anyhow::{Result, ensure};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How soon an object should say what has changed.
const PROMISED: Duration = Duration::from_secs(2);
/// How much longer it may take while the machine has much else to do.
const ROOM: Duration = Duration::from_secs(18);

/// What a scenario needs.
#[derive(Clone)]
pub struct Stage {
    /// A client with every right.
    pub kube: Kube,
    /// The admin's kubeconfig.
    pub kubeconfig: PathBuf,
    /// Where files go.
    pub directory: PathBuf,
    latencies: Arc<Mutex<Vec<Duration>>>,
}

impl Stage {
    /// The stage that a plane is.
    pub async fn new(plane: &Plane) -> Result<Self> {
        Ok(Self {
            kube: plane.kube().await?,
            kubeconfig: plane.kubeconfig.clone(),
            directory: plane.directory().to_owned(),
            latencies: Arc::default(),
        })
    }

    /// A cluster in a namespace of the same name.
    pub async fn fleet(&self, name: &str) -> Result<Fleet> {
        Fleet::create(&self.kube, name, &self.kubeconfig).await
    }

    /// Notes how long something took, and tells people.
    pub fn took(&self, what: &str, duration: Duration) -> String {
        self.latencies.lock().unwrap_or_else(PoisonError::into_inner).push(duration);
        format!("{what} after {} ms; ", duration.as_millis())
    }

    /// All that took time was soon enough.
    pub fn soon_enough(&self) -> Result<String> {
        let mut latencies = self.latencies.lock().unwrap_or_else(PoisonError::into_inner).clone();
        latencies.sort();
        let slowest = latencies.last().copied().unwrap_or_default();
        let within = latencies.iter().filter(|latency| **latency <= PROMISED).count();
        let middle = latencies.get(latencies.len() / 2).copied().unwrap_or_default();
        ensure!(slowest <= PROMISED + ROOM, "a change took {slowest:?} to be told");
        Ok(format!(
            "{within} of {} changes told within {PROMISED:?}, half of them within {} ms, the slowest after {} ms",
            latencies.len(),
            middle.as_millis(),
            slowest.as_millis()
        ))
    }
}
