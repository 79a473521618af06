//! Tasks that have to go on whatever happens in them: one that ended by a panic would leave its part of the work undone, and
//! nobody would notice.

use futures::FutureExt;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

/// The pause before a task that panicked starts again.
const PAUSE: Duration = Duration::from_secs(30);

/// Runs a task until it ends by itself. After a panic `panicked` is called, and it starts again.
pub async fn run<F: Future<Output = ()>>(what: &str, mut task: impl FnMut() -> F, panicked: impl Fn()) {
    while AssertUnwindSafe(Box::pin(task())).catch_unwind().await.is_err() {
        tracing::error!(what, "a task panicked; it starts again");
        panicked();
        tokio::time::sleep(PAUSE).await;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    #[tokio::test(start_paused = true)]
    async fn a_task_that_panics_starts_again() {
        let (runs, panics) = (Cell::new(0), Cell::new(0));
        let task = || async {
            runs.set(runs.get() + 1);
            assert!(runs.get() > 2, "on purpose");
        };
        super::run("a test", task, || panics.set(panics.get() + 1)).await;
        assert_eq!((runs.get(), panics.get()), (3, 2));
    }
}
