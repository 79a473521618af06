//! Both ways with the real cosign, on a registry that lists referrers and on one that does not. `cargo xtask test signing`
//! builds cosign and the newer registry, and names them in `COSIGN` and `REGISTRY`.

use crate::command::path;
use crate::registry::Registry;
use crate::signing::{key, pull, push};
use std::process::{Command, Output};

const CONFORMANCE: &str = "https://github.com/capi-policy/capi-policy/attestation/conformance/v1";
const PROVENANCE: &str =
    r#"{"buildDefinition":{"buildType":"x","externalParameters":{}},"runDetails":{"builder":{"id":"x"}}}"#;

fn attest_conformance(registry: &Registry, pinned: &str) {
    let (corpus, key) = (path("tests/conformance/v1.13/MachineSet.jsonl.gz"), key("cosign.key"));
    let profile = ["--profile", "cluster-api-v1.13"];
    let run = registry.run(&[&["conform", &corpus, "--policy", pinned, "--attest", &key], &profile[..]].concat());
    run.says(0, &["250 passed"]);
}

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
        let provenance = registry.file("provenance.json");
        std::fs::write(&provenance, PROVENANCE).expect("a file");
        let pinned = push(&registry, "policy:1.0.0", &["--sbom", &sbom, "--provenance", &provenance]);
        let verify =
            |key: &str| cosign(&registry, &["verify", "--key", key, "--insecure-ignore-tlog=true", plain(&pinned)]);
        let verified = verify(&key("cosign.pub"));
        assert!(verified.status.success(), "{}", text(&verified));
        let refused = verify(&key("one.pub"));
        assert!(!refused.status.success(), "{}", text(&refused));
        attest_conformance(&registry, &pinned);
        for kind in ["cyclonedx", "slsaprovenance1", CONFORMANCE] {
            let arguments =
                ["--key", &key("cosign.pub"), "--insecure-ignore-tlog=true", "--type", kind, plain(&pinned)];
            let attested = cosign(&registry, &[&["verify-attestation"], &arguments[..]].concat());
            assert!(attested.status.success(), "{kind}: {}", text(&attested));
        }
    }
}

#[test]
#[ignore = "needs cosign: cargo xtask test signing"]
fn we_verify_what_cosign_signs() {
    for registry in registries() {
        let pushed = registry.run(&["push", &registry.reference("policy:1.0.0")]);
        let pinned = pushed.stdout.trim().to_owned();
        pull(&registry, &pinned, "cosign.pub").says(2, &["is not signed"]);
        let arguments = ["--key", &key("cosign.key"), "--tlog-upload=false", "--use-signing-config=false", "--yes"];
        let signed = cosign(&registry, &[&["sign"], &arguments[..], &[plain(&pinned)]].concat());
        assert!(signed.status.success(), "{}", text(&signed));
        pull(&registry, &pinned, "cosign.pub").says(0, &[&pinned]);
        pull(&registry, &pinned, "one.pub").says(2, &["not with this key"]);
        let required = || {
            let verify = ["--verify", &key("cosign.pub"), "--require-conformance", "v1.14"];
            registry.run(&[&["pull", &*pinned, "--to", &registry.file("x.wasm")], &verify[..]].concat())
        };
        required().says(2, &["no conformance attestation"]);
        let predicate = registry.file("conformance.json");
        std::fs::write(&predicate, conformance("v1.14").to_string()).expect("a file");
        let claim = ["--type", CONFORMANCE, "--predicate", &predicate, plain(&pinned)];
        let attested = cosign(&registry, &[&["attest"], &arguments[..], &claim].concat());
        assert!(attested.status.success(), "{}", text(&attested));
        required().says(0, &[&pinned]);
    }
}

/// What `conform --attest` would claim about a policy that gives every answer.
fn conformance(release: &str) -> serde_json::Value {
    let families =
        ["Cluster", "KubeadmControlPlane", "MachineDeployment", "MachineSet", "Machine", "MachineHealthCheck"];
    let corpus = |family: &str| {
        serde_json::json!({
            "file": format!("{family}.jsonl.gz"), "digest": "sha256:0", "families": [family], "release": release,
            "answers": 250, "equal": 250,
        })
    };
    serde_json::json!({ "policy": "capi-policy 0.1.0", "corpora": families.map(corpus) })
}
