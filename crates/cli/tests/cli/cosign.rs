//! Both ways with the real cosign, on a registry that lists referrers and on one that does not. `cargo xtask test signing`
//! builds cosign and the newer registry, and names them in `COSIGN` and `REGISTRY`.

use crate::registry::Registry;
use crate::signing::{key, pull, push};
use std::process::{Command, Output};

fn program(variable: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| panic!("no {variable}; run `cargo xtask test signing`"))
}

fn registries() -> [Registry; 2] {
    [Registry::start(), Registry::of(&program("REGISTRY"))]
}

fn cosign(registry: &Registry, arguments: &[&str]) -> Output {
    Command::new(program("COSIGN"))
        .args(arguments)
        .env("COSIGN_PASSWORD", "correct")
        .env("DOCKER_CONFIG", registry.folder.path())
        .env("HOME", registry.folder.path())
        .output()
        .expect("cosign starts")
}

/// A reference as cosign writes it.
fn plain(pinned: &str) -> &str {
    pinned.strip_prefix("oci://").expect("a reference")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&*output.stdout, &output.stderr].concat()).into_owned()
}

#[test]
#[ignore = "needs cosign: cargo xtask test signing"]
fn cosign_verifies_what_we_sign() {
    for registry in registries() {
        let sbom = registry.file("sbom.json");
        std::fs::write(&sbom, r#"{"bomFormat":"CycloneDX","specVersion":"1.5","components":[]}"#).expect("a file");
        let pinned = push(&registry, "p:1.0.0", &["--sbom", &sbom]);
        let verify =
            |key: &str| cosign(&registry, &["verify", "--key", key, "--insecure-ignore-tlog=true", plain(&pinned)]);
        let verified = verify(&key("cosign.pub"));
        assert!(verified.status.success(), "{}", text(&verified));
        let refused = verify(&key("one.pub"));
        assert!(!refused.status.success(), "{}", text(&refused));
        let arguments =
            ["--key", &key("cosign.pub"), "--insecure-ignore-tlog=true", "--type", "cyclonedx", plain(&pinned)];
        let attested = cosign(&registry, &[&["verify-attestation"], &arguments[..]].concat());
        assert!(attested.status.success(), "{}", text(&attested));
    }
}

#[test]
#[ignore = "needs cosign: cargo xtask test signing"]
fn we_verify_what_cosign_signs() {
    for registry in registries() {
        let pushed = registry.run(&["push", &registry.reference("p:1.0.0")]);
        let pinned = pushed.stdout.trim().to_owned();
        pull(&registry, &pinned, "cosign.pub").says(2, &["is not signed"]);
        let arguments = ["--key", &key("cosign.key"), "--tlog-upload=false", "--use-signing-config=false", "--yes"];
        let signed = cosign(&registry, &[&["sign"], &arguments[..], &[plain(&pinned)]].concat());
        assert!(signed.status.success(), "{}", text(&signed));
        pull(&registry, &pinned, "cosign.pub").says(0, &[&pinned]);
        pull(&registry, &pinned, "one.pub").says(2, &["not with this key"]);
    }
}
