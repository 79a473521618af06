//! Conversion only: what the policy decides, as the types of whoever calls it.

#[cfg(all(feature = "component", feature = "browser", target_arch = "wasm32"))]
compile_error!("features `component` and `browser` are two builds for WebAssembly: choose one");

#[cfg(feature = "browser")]
mod browser;
#[cfg(feature = "component")]
mod component;

/// The standard library's allocator in the version that also hands out the memory an instance starts with.
#[cfg(all(feature = "component", target_arch = "wasm32"))]
#[global_allocator]
static HEAP: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;
