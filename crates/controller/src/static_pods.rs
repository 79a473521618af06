//! The static Pods of a control plane, read from its workload cluster while there is a KubeadmControlPlane to decide about.
//! Where they can't be read, conditions that depend on them stay as they are stored.

use super::intake::{Feed, Intake, Interruption, Pauses, config};
use super::key::{GroupKind, Key, STATIC_PODS};
use k8s_openapi::api::core::v1::Pod;
use kube::api::DynamicObject;
use kube::core::ApiResource;
use kube::runtime::utils::Backoff;
use kube::runtime::watcher;
use kube::{Api, Client, ResourceExt};
use std::time::Duration;

/// What kubeadm labels the components of a control plane with.
pub const COMPONENTS: &str = "tier=control-plane";
/// How large the static Pods of one cluster may be together, without what no rule reads: those of some thousand Nodes.
const MOST_BYTES: usize = 4 << 20;
/// How soon is asked again where reading is not allowed, or was too much.
const LATER: Duration = Duration::from_secs(30);

/// Follows them, whatever happens. `listed` is told whether all of them are known.
pub async fn follow(intake: &Intake, name: &str, client: Client, listed: &impl Fn(bool)) -> ! {
    let mut wanted = intake.cache.static_pods_wanted();
    let mut pauses = Pauses::default();
    loop {
        if wanted.wait_for(|wanted| wanted.contains(name)).await.is_err() {
            // The program ends: nobody wants anything any more.
            std::future::pending::<()>().await;
        }
        let mut unwanted = wanted.clone();
        let complete = std::sync::atomic::AtomicBool::new(false);
        let on_complete = || {
            complete.store(true, std::sync::atomic::Ordering::Relaxed);
            listed(true);
        };
        let interruption = tokio::select! {
            interruption = watch(intake, name, client.clone(), on_complete) => interruption,
            _ = unwanted.wait_for(|wanted| !wanted.contains(name)) => {
                listed(false);
                intake.cache.retain(&GroupKind::pod(), Some(name), &std::collections::BTreeSet::new());
                continue;
            }
        };
        listed(false);
        if complete.into_inner() {
            pauses.reset();
        }
        let pause = note(intake, name, &interruption).or_else(|| pauses.next()).unwrap_or(LATER);
        tokio::time::sleep(pause).await;
    }
}

/// Ends when they can't be followed.
async fn watch(intake: &Intake, name: &str, client: Client, complete: impl Fn()) -> Interruption {
    let kind = GroupKind::pod();
    let pods: Api<DynamicObject> = Api::namespaced_with(client, STATIC_PODS, &ApiResource::erase::<Pod>(&()));
    let key = |pod: &DynamicObject| Key::new(kind.clone(), name, &pod.name_any());
    let workload = Some((name, MOST_BYTES));
    let feed = Feed { cache: &intake.cache, metrics: &intake.metrics, kind: &kind, api_version: "v1", workload };
    feed.follow(key, watcher(pods, config().labels(COMPONENTS)), complete).await
}

/// Reports why they are not followed; how long that will last, where it is known.
fn note(intake: &Intake, name: &str, interruption: &Interruption) -> Option<Duration> {
    let kind = GroupKind::pod().kind;
    intake.metrics.watch_failed(&kind);
    let kept = "conditions of control-plane components stay as they are stored";
    tracing::warn!(cluster = %name, error = interruption.says(), kept, "static Pods of kube-system can't be followed");
    if interruption.code() == Some(403) {
        intake.metrics.forbidden(&kind);
        return Some(LATER);
    }
    matches!(interruption, Interruption::TooMuch(_)).then_some(LATER)
}
