//! The policy behind the doors of other languages. Conversion only: nothing is decided here.

#[cfg(all(feature = "component", feature = "browser"))]
compile_error!("features `component` and `browser` are two builds: choose one");

#[cfg(feature = "component")]
mod component;
