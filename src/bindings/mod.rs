//! Conversion only: what the policy says, in the words of whoever calls it.

#[cfg(all(feature = "component", feature = "browser"))]
compile_error!("features `component` and `browser` are two builds: choose one");

#[cfg(feature = "browser")]
mod browser;
#[cfg(feature = "component")]
mod component;
