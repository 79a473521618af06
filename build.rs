//! Settings of the linker that a profile can't say.

/// A fresh instance touches its stack's pages: 128 KiB holds the deepest snapshot accepted with room to spare.
const STACK_BYTES: u32 = 128 << 10;

/// What a small decision needs, so that a fresh instance does not grow its memory: that takes two calls of the system, and a
/// fault for every page that is touched afterwards.
const MEMORY_BYTES: u32 = 1 << 20;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size={STACK_BYTES}");
        if std::env::var_os("CARGO_FEATURE_COMPONENT").is_some() {
            println!("cargo::rustc-link-arg-cdylib=--initial-memory={MEMORY_BYTES}");
        }
    }
}
