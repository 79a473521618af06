//! The command `capi-policy`, through its own door. Needs `dist/capi_policy.wasm`: `cargo xtask artifact` makes it.

mod agreement;
mod bad_input;
mod bench;
mod command;
mod conform;
mod cosign;
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
mod signing;
mod simulate;
mod tree;
mod upgrade_impact;
