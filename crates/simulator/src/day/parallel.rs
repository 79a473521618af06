//! Work on several threads, with results in the order of the work.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does each piece of work once; `done` hears of each that is finished, in any order.
pub fn in_parallel<W: Sync, R: Send>(
    work: &[W],
    threads: usize,
    run: impl Fn(&W) -> R + Sync,
    done: impl Fn() + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(work.len()));
    let take = || {
        while let Some((i, piece)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, work.get(i)?))) {
            let result = run(piece);
            results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((i, result));
            done();
        }
    };
    if threads <= 1 {
        take();
    } else {
        std::thread::scope(|scope| {
            for _ in 0..threads.min(work.len()) {
                scope.spawn(take);
            }
        });
    }
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, result)| result).collect()
}
