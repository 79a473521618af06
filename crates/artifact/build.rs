//! Finds the component: in the package, else where the repository builds it.

use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let package = env::var("CARGO_MANIFEST_DIR")?;
    let packaged = Path::new(&package).join("capi_policy.wasm");
    println!("cargo::rerun-if-changed={}", packaged.display());
    let component = if packaged.is_file() {
        packaged
    } else {
        println!(
            "cargo::warning=there is no capi_policy.wasm, so the program has no embedded policy; `cargo xtask artifact` makes it"
        );
        let nothing = Path::new(&env::var("OUT_DIR")?).join("none.wasm");
        fs::write(&nothing, [])?;
        nothing
    };
    println!("cargo::rustc-env=CAPI_POLICY_COMPONENT={}", component.display());
    Ok(())
}
