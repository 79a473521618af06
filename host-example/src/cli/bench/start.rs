//! A policy's bytes in; how long it takes to be ready, out: compiled, from the cache, and one more instance.

use super::measure::{Measurement, Work, turns};
use anyhow::Result;
use capi_policy_host::{Cache, Options, PolicyEngine};
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
    let compile: Work = Box::new(|| load(Cache::Off));
    let read: Work = Box::new(|| load(cached()));
    let instance: Work = Box::new(|| engine.session().map(drop));
    let mut all = turns(SUBJECT, policy.len(), vec![("from artifact", compile), ("from cache", read)], time)?;
    all.extend(turns(SUBJECT, policy.len(), vec![("fresh instance", instance)], time)?);
    Ok(all)
}
