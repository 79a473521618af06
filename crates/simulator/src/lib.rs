//! Fleets in virtual time: the decisions of `capi-policy`, its owners' decisions among them, carried out on objects, with
//! a model of the machines behind them. No clock, no I/O, no randomness but the model's.

pub mod carry_out;
pub mod chance;
pub mod change;
pub mod control_plane;
pub mod day;
pub mod fill;
pub mod hardware;
pub mod machine;
pub mod merge_patch;
pub mod model;
pub mod object;
pub mod plan;
pub mod property;
pub mod queue;
pub mod report;
pub mod scenario;
pub mod simulation;
pub mod state;

pub use change::{Change, Step};
pub use fill::fill;
pub use model::{Model, Steady};
pub use plan::{Plan, Request, plan};
pub use scenario::Scenario;
pub use simulation::{Error, Simulation};
pub use state::State;
