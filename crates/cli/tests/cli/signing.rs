//! Signed policies: what is signed is accepted, and everything else is refused with a sentence that says what to do. The
//! registry lists no referrers by itself, so these are kept under a tag; `cosign.rs` has one that does.

use crate::command::{NOW, Run, fleet, path};
use crate::registry::Registry;
use std::fs;

/// Keys that are made for tests; the password of `cosign.key` is `correct`.
pub fn key(name: &str) -> String {
    path(&format!("crates/signing/tests/keys/{name}"))
}

/// Pushes the policy to `name`, signed, and gives its pinned reference.
pub fn push(registry: &Registry, name: &str, more: &[&str]) -> String {
    let (to, key) = (registry.reference(name), key("cosign.key"));
    let run = registry.run(&[&["push", &to, "--sign", &key], more].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout.trim().to_owned()
}

/// Pulls with a key.
pub fn pull(registry: &Registry, reference: &str, key_name: &str) -> Run {
    registry.run(&["pull", reference, "--verify", &key(key_name), "--to", &registry.file("pulled.wasm")])
}

fn digest(pinned: &str) -> &str {
    pinned.rsplit('@').next().expect("a digest")
}

#[test]
fn what_was_signed_is_accepted_also_without_the_registry_once_it_was_seen() {
    let registry = Registry::start();
    let pinned = push(&registry, "policy:1.0.0", &[]);
    pull(&registry, &pinned, "cosign.pub").says(0, &[&pinned]);
    let verified = ["--policy", &pinned, "--verify", &key("cosign.pub")];
    registry.run(&[&["evaluate", "-f", &fleet(), "--now", NOW], &verified[..]].concat()).says(0, &["objects"]);
    let folder = registry.folder.path().join("cache");
    let kept = tempfile::tempdir().expect("a folder");
    fs::rename(&folder, kept.path().join("cache")).expect("moved");
    // Another registry at another address, which has nothing.
    let other = Registry::start();
    fs::rename(kept.path().join("cache"), other.folder.path().join("cache")).expect("moved");
    let elsewhere = format!("{}@{}", other.reference("policy:1.0.0"), digest(&pinned));
    pull(&other, &elsewhere, "cosign.pub").says(0, &[digest(&pinned)]);
}

#[test]
fn each_refusal_says_what_to_do() {
    let registry = Registry::start();
    let unsigned = registry.run(&["push", &registry.reference("unsigned:1.0.0")]).stdout.trim().to_owned();
    pull(&registry, &unsigned, "cosign.pub").says(2, &["is not signed; sign it with `capi-policy push --sign KEY`"]);
    let pinned = push(&registry, "policy:1.0.0", &[]);
    pull(&registry, &pinned, "one.pub").says(2, &["signed, but not with this key; pass the public key of whoever"]);
    pull(&registry, &pinned, "one.key").says(2, &["not a public key; pass cosign.pub"]);
    let wrong = registry.run(&["push", &registry.reference("policy:2.0.0"), "--sign", &key("cosign.pub")]);
    wrong.says(2, &["not a private key; make a pair with `cosign generate-key-pair`"]);
    let file = registry.run(&["evaluate", "-f", &fleet(), "--verify", &key("cosign.pub")]);
    file.says(2, &["--verify is for policies in registries"]);
    assert!(!registry.folder.path().join("pulled.wasm").exists(), "nothing that was refused is written");
}

#[test]
fn the_signature_of_another_artifact_is_refused() {
    let registry = Registry::start();
    let pinned = push(&registry, "policy:1.0.0", &[]);
    // The same component with another version in its annotations is another artifact; its list gets the first one's signature.
    let other = registry.run(&["push", &registry.reference("policy:other"), "--policy", &changed(&registry)]);
    assert_eq!(other.code, Some(0), "{}", other.stderr);
    let other = other.stdout.trim().to_owned();
    assert_ne!(digest(&pinned), digest(&other));
    let tag = |pinned: &str| digest(pinned).replace(':', "-");
    let tags = registry.folder.path().join("storage/docker/registry/v2/repositories/policy/_manifests/tags");
    copy(&tags.join(tag(&pinned)), &tags.join(tag(&other)));
    let refused = pull(&registry, &other, "cosign.pub");
    refused.says(2, &["was made for", digest(&pinned), "have this one signed"]);
}

#[test]
fn a_changed_signature_is_refused() {
    let registry = Registry::start();
    let pinned = push(&registry, "policy:1.0.0", &[]);
    let index = registry.get(&format!("/v2/policy/manifests/{}", digest(&pinned).replace(':', "-")));
    let manifest =
        registry.get(&format!("/v2/policy/manifests/{}", index["manifests"][0]["digest"].as_str().expect("one")));
    assert_eq!(manifest["subject"]["digest"], digest(&pinned));
    registry.change(manifest["layers"][0]["digest"].as_str().expect("a bundle"));
    pull(&registry, &pinned, "cosign.pub").says(2, &["reading the signature sha256:", "or sign again with"]);
}

#[test]
fn conformance_is_required_and_attested() {
    let registry = Registry::start();
    let pinned = push(&registry, "policy:1.0.0", &[]);
    let pull = || {
        let verify = ["--verify", &key("cosign.pub"), "--require-conformance", "v1.14"];
        registry.run(&[&["pull", &*pinned, "--to", &registry.file("x.wasm")], &verify[..]].concat())
    };
    pull().says(2, &["no conformance attestation that this key signed", "conform --attest"]);
    let corpora = |release: &str| path(&format!("tests/conformance/{release}"));
    let attest = |release: &str, files: &str| {
        let (profile, key) = (format!("cluster-api-{release}"), key("cosign.key"));
        registry.run(&["conform", "--profile", &profile, files, "--policy", &pinned, "--attest", &key])
    };
    attest("v1.13", &corpora("v1.13")).says(0, &["1500 passed, 0 failed", "conformance/v1"]);
    pull().says(2, &["the answers of Cluster API v1.13, not of v1.14", "take a policy that is attested"]);
    // Answers that differ are not attested, and those about one kind are not enough.
    let one_kind = format!("{}/MachineSet.jsonl.gz", corpora("v1.14"));
    let differing = registry.file("differing.jsonl");
    fs::write(&differing, differing_case(&one_kind)).expect("a file");
    attest("v1.14", &differing).says(1, &["0 passed, 1 failed"]);
    attest("v1.14", &one_kind).says(0, &["250 passed, 0 failed"]);
    pull().says(2, &["not of v1.14"]);
    attest("v1.14", &corpora("v1.14")).says(0, &[" 0 failed"]);
    pull().says(0, &[&pinned]);
}

#[test]
fn a_changed_byte_of_the_policy_is_refused() {
    let registry = Registry::start();
    let pinned = push(&registry, "policy:1.0.0", &[]);
    let manifest = registry.get(&format!("/v2/policy/manifests/{}", digest(&pinned)));
    registry.change(manifest["layers"][0]["digest"].as_str().expect("a layer"));
    pull(&registry, &pinned, "cosign.pub")
        .says(2, &["refused: the content was changed", "push it again from where it was built"]);
}

#[test]
fn watch_does_not_start_with_a_policy_that_is_not_trusted() {
    let registry = Registry::start();
    let pinned = push(&registry, "policy:1.0.0", &[]);
    let (one, own) = (key("one.pub"), key("cosign.pub"));
    registry.run(&["watch", "--require-signature", "--policy", &pinned]).says(2, &["--verify"]);
    let watch = |key: &str| {
        registry.run(&[
            "watch",
            "--policy",
            &pinned,
            "--require-signature",
            "--verify",
            key,
            "--require-conformance",
            "v1.14",
        ])
    };
    watch(&one).says(2, &["signed, but not with this key"]);
    watch(&own).says(2, &["no conformance attestation"]);
    // One that is trusted gets as far as the cluster, which there is none of.
    let trusted =
        ["watch", "--policy", &pinned, "--require-signature", "--verify", &own, "--kubeconfig", "/nonexistent"];
    registry.run(&trusted).says(2, &["/nonexistent"]);
}

/// The policy with a custom section more, which changes nothing but its digest.
fn changed(registry: &Registry) -> String {
    let mut component = fs::read(crate::command::policy()).expect("the policy");
    component.extend_from_slice(&[0, 5, 4, b't', b'e', b's', b't']);
    let file = registry.file("changed.wasm");
    fs::write(&file, component).expect("a file");
    file
}

/// One recorded case with another answer.
fn differing_case(corpus: &str) -> String {
    use std::io::{BufRead, BufReader};
    let file = fs::File::open(corpus).expect("a corpus");
    let line = BufReader::new(flate2::read::MultiGzDecoder::new(file)).lines().next().expect("a case").expect("a case");
    let mut case: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    let conditions = case["expected"]["conditions"].as_array_mut().expect("conditions");
    conditions[0]["reason"] = "Another".into();
    case.to_string()
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        if entry.path().is_dir() {
            copy(&entry.path(), &to.join(entry.file_name()));
        } else {
            fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
        }
    }
}
