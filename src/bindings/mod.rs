//! Conversion only: what the policy says, in the words of whoever calls it.

#[cfg(any(
    all(feature = "component", feature = "browser"),
    all(feature = "component", feature = "fleet"),
    all(feature = "fleet", feature = "browser")
))]
compile_error!("features `component`, `fleet` and `browser` are three builds: choose one");

#[cfg(feature = "browser")]
mod browser;
#[cfg(feature = "component")]
mod component;
#[cfg(feature = "fleet")]
mod fleet;
