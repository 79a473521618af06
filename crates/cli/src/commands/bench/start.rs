//! A policy's bytes in; how long it takes to be ready, out: compiled, from the cache, one more instance, and what
//! calling it costs before anything is decided.

use super::measure::{Measurement, Work, turns};
use anyhow::Result;
use capi_policy_host::{Cache, EngineError, Options, PolicyEngine};
use std::time::Duration;

const SUBJECT: &str = "start";

/// Compiling takes a second and the others much less, so the instances have turns of their own.
pub fn measure(policy: &[u8], engine: &PolicyEngine, time: Duration) -> Result<Vec<Measurement>> {
    let folder = tempfile::tempdir()?;
    let load = |cache: Cache| {
        let options = Options { cache, ..Options::default() };
        PolicyEngine::from_bytes(policy, &options).map(drop)
    };
    let cached = || Cache::Folder(folder.path().to_owned());
    let compile = work("from artifact", policy, || load(Cache::Off));
    let read = work("from cache", policy, || load(cached()));
    let instance = work("fresh instance", policy, || engine.session().map(drop));
    // Refused before anything is decided.
    let empty = work("fresh instance, empty call", policy, || {
        let _refused = engine.session()?.evaluate("{}");
        Ok(())
    });
    let mut all = turns(vec![compile, read], time)?;
    all.extend(turns(vec![instance, empty], time)?);
    Ok(all)
}

fn work<'a>(engine: &'a str, policy: &[u8], once: impl FnMut() -> Result<(), EngineError> + 'a) -> Work<'a> {
    Work { subject: SUBJECT, engine, bytes: policy.len(), once: Box::new(once) }
}
