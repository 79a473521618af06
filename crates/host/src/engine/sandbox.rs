//! Limits in, a wasmtime engine that can keep them out, with the thread that makes its time pass.

use crate::error::EngineError;
use crate::limits::Limits;
use std::thread;
use std::time::Duration;
use wasmtime::{Config, Enabled, Engine, Inlining, InstanceAllocationStrategy, PoolingAllocationConfig};

/// How often running policies are asked whether their time is up.
const TICK: Duration = Duration::from_millis(10);

/// So much of an instance's memory is cleared for the next instance instead of given back: taking it from the system again
/// costs a fault for every page, about a sixth of an evaluation. Only what an instance really used stays: a health check of
/// 10,000 machines takes 83 MB.
const KEPT_BYTES: usize = 96 << 20;

/// The same for tables: giving one back and taking it again is a third of a small decision.
const KEPT_TABLE_BYTES: usize = 64 << 10;

/// An engine.
pub struct Sandbox {
    pub engine: Engine,
    /// Whether instances come from a pool.
    pub pooled: bool,
}

/// Makes an engine with a pool, or without one where there is too little address space.
pub fn create(limits: &Limits) -> Result<Sandbox, EngineError> {
    if let Ok(engine) = start(&pooling(limits), limits) {
        return Ok(Sandbox { engine, pooled: true });
    }
    Ok(Sandbox { engine: start(&frugal(limits), limits)?, pooled: false })
}

/// Makes an engine whose instances are few and stay: none is reserved, so there can be as many as memory allows.
pub fn create_for_few(limits: &Limits) -> Result<Engine, EngineError> {
    start(&config(limits), limits)
}

/// How many ticks a policy may run: at least its whole time.
pub fn ticks(timeout: Option<Duration>) -> u64 {
    let timeout = timeout.unwrap_or(Duration::MAX);
    u64::try_from(timeout.as_nanos().div_ceil(TICK.as_nanos())).unwrap_or(u64::MAX / 2).saturating_add(1)
}

fn start(config: &Config, limits: &Limits) -> Result<Engine, EngineError> {
    let engine = Engine::new(config).map_err(EngineError::sandbox)?;
    if limits.timeout.is_some() {
        start_ticker(&engine)?;
    }
    Ok(engine)
}

fn config(limits: &Limits) -> Config {
    let mut config = Config::new();
    config.epoch_interruption(limits.timeout.is_some());
    // A policy consists of many small functions, kept apart to make it small; calling them is a tenth of an evaluation. With
    // a deadline each would still look at the clock, and compiling would take 700 MB instead of 40 for little gain.
    config.compiler_inlining(if limits.timeout.is_some() { Inlining::No } else { Inlining::Yes });
    // A policy ships without names, so a backtrace says nothing and its data only makes the cache larger.
    config.wasm_backtrace_max_frames(None);
    config.generate_address_map(false);
    config
}

fn pooling(limits: &Limits) -> Config {
    let count = limits.concurrency.max(1);
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(count)
        .max_memories_per_component(1)
        .total_memories(count)
        .linear_memory_keep_resident(KEPT_BYTES)
        .pagemap_scan(Enabled::Auto)
        .max_tables_per_component(4)
        .total_tables(count.saturating_mul(4))
        .table_elements(limits.table_elements)
        .table_keep_resident(KEPT_TABLE_BYTES)
        .max_core_instances_per_component(8)
        .total_core_instances(count.saturating_mul(8));
    let mut config = config(limits);
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    config
}

/// Reserves no more than an instance really uses, at the price of slower code.
fn frugal(limits: &Limits) -> Config {
    let mut config = config(limits);
    config.memory_reservation(0).memory_reservation_for_growth(1 << 20).memory_guard_size(64 << 10);
    config
}

/// One thread an engine; it ends when the engine is gone.
fn start_ticker(engine: &Engine) -> Result<(), EngineError> {
    let engine = engine.weak();
    let tick = move || {
        while let Some(engine) = engine.upgrade() {
            engine.increment_epoch();
            drop(engine);
            thread::sleep(TICK);
        }
    };
    let spawned = thread::Builder::new().name("policy-clock".to_owned()).spawn(tick);
    spawned.map(drop).map_err(EngineError::sandbox)
}
