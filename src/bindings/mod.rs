//! Conversion only: what the policy decides, as the types of whoever calls it.

#[cfg(all(feature = "component", feature = "browser", target_arch = "wasm32"))]
compile_error!("features `component` and `browser` are two builds for WebAssembly: choose one");

#[cfg(feature = "browser")]
mod browser;
#[cfg(feature = "component")]
mod component;
