//! Runs scenarios side by side and says how each ended.

use crate::wait::now;
use anyhow::Result;
use futures::future::LocalBoxFuture;
use std::process::ExitCode;

/// One test.
pub struct Scenario {
    name: &'static str,
    run: LocalBoxFuture<'static, Result<String>>,
}

/// A scenario with what it found out as its result.
pub fn scenario(name: &'static str, run: impl Future<Output = Result<String>> + 'static) -> Scenario {
    Scenario { name, run: Box::pin(run) }
}

/// Runs them all at once. Returns how many failed.
pub async fn run_all(group: &str, scenarios: Vec<Scenario>) -> usize {
    let running = scenarios.into_iter().map(|scenario| async move {
        let start = now();
        (scenario.name, scenario.run.await, start.elapsed())
    });
    let mut failed = 0;
    for (name, result, took) in futures::future::join_all(running).await {
        match result {
            Ok(found) => println!("test {group}::{name} ... ok ({:.1} s)  {found}", took.as_secs_f32()),
            Err(error) => {
                failed += 1;
                println!("test {group}::{name} ... FAILED\n{error:#}");
            }
        }
    }
    failed
}

/// Runs a whole test program.
pub fn main(test: impl Future<Output = Result<usize>>) -> ExitCode {
    // `cargo test -- --list` and the like ask for nothing that is here.
    if std::env::args().any(|argument| argument == "--list") {
        return ExitCode::SUCCESS;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let result = runtime.map_err(anyhow::Error::from).and_then(|runtime| runtime.block_on(test));
    match result {
        Ok(0) => {
            println!("test result: ok");
            ExitCode::SUCCESS
        }
        Ok(failed) => {
            println!("test result: FAILED. {failed} failed");
            ExitCode::FAILURE
        }
        Err(error) => {
            println!("test result: FAILED. {error:#}");
            ExitCode::FAILURE
        }
    }
}
