//! The command `capi-policy`, through its own door. Needs `dist/capi_policy.wasm`: `cargo xtask artifact` makes it.

mod bad_input;
mod bench;
mod command;
mod conform;
mod diff;
mod evaluate;
mod explain;
mod forecast;
mod grouping;
mod help;
mod inspect;
mod plan;
mod readme;
mod registry;
mod upgrade_impact;
