//! Settings of the linker that a profile can't say.

/// A fresh instance touches its stack's pages: 128 KiB holds the deepest snapshot accepted with room to spare.
const STACK_BYTES: u32 = 128 << 10;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size={STACK_BYTES}");
    }
}
