//! Bundles that are accepted, and every way in which one is refused. The keys are made for these tests.

use capi_policy_signing::statement::{CONFORMANCE, SIGNATURE};
use capi_policy_signing::{KeyError, Refused, SigningKey, Statement, VerifyingKey, sign, verify};
use serde_json::{Value, json};

const DIGEST: &str = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const OTHER: &str = "sha256:60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752";

fn key(pem: &str) -> SigningKey {
    SigningKey::from_pem(pem, b"").expect("a key")
}

fn one() -> SigningKey {
    key(include_str!("keys/one.key"))
}

fn public() -> VerifyingKey {
    VerifyingKey::from_pem(include_str!("keys/one.pub")).expect("a key")
}

fn signature(key: &SigningKey, digest: &str) -> Vec<u8> {
    sign(&Statement::signature(digest), key).expect("a bundle")
}

fn refused(bundles: &[Vec<u8>]) -> Refused {
    verify(bundles, &public(), DIGEST, SIGNATURE).expect_err("refused")
}

#[test]
fn what_was_signed_is_accepted() {
    assert_eq!(one().verifying_key().hint(), public().hint());
    let bundle = signature(&one(), DIGEST);
    let statements = verify(&[b"no bundle".to_vec(), bundle], &public(), DIGEST, SIGNATURE).expect("accepted");
    assert_eq!(statements, [Statement::signature(DIGEST)]);
}

#[test]
fn the_bundle_has_the_form_that_cosign_writes() {
    let bundle: Value = serde_json::from_slice(&signature(&one(), DIGEST)).expect("JSON");
    assert_eq!(bundle["mediaType"], "application/vnd.dev.sigstore.bundle.v0.3+json");
    assert_eq!(bundle["verificationMaterial"], json!({ "publicKey": { "hint": public().hint() } }));
    assert_eq!(bundle["dsseEnvelope"]["payloadType"], "application/vnd.in-toto+json");
    assert_eq!(bundle["dsseEnvelope"]["signatures"].as_array().map(Vec::len), Some(1));
}

#[test]
fn each_refusal_says_what_to_do() {
    let other_key = signature(&key(include_str!("keys/two.key")), DIGEST);
    let other_artifact = signature(&one(), OTHER);
    let attestation = sign(&Statement::new(DIGEST, CONFORMANCE, json!({})), &one()).expect("a bundle");
    let cases: [(&[Vec<u8>], &str); 5] = [
        (&[], "is not signed; sign it with"),
        (&[b"{}".to_vec()], "is not signed"),
        (std::slice::from_ref(&other_key), "not with this key; pass the public key"),
        (&[other_key.clone(), other_artifact], "was made for sha256:60303ae2"),
        (&[other_key.clone(), attestation], "has no signature that this key signed; it has attestations only"),
    ];
    for (bundles, sentence) in cases {
        let text = refused(bundles).to_string();
        assert!(text.starts_with("refused: ") && text.contains(DIGEST) && text.contains(sentence), "{text}");
    }
    let bundles = [signature(&one(), DIGEST)];
    let missing = verify(&bundles, &public(), DIGEST, CONFORMANCE).expect_err("refused").to_string();
    assert!(missing.contains("no conformance attestation") && missing.contains("conform --attest"), "{missing}");
}

/// Whichever byte changes: the statement is the one that was signed, or there is none.
#[test]
fn no_changed_byte_changes_what_is_accepted() {
    let bundle = signature(&one(), DIGEST);
    for at in 0..bundle.len() {
        let mut changed = bundle.clone();
        changed[at] ^= 1;
        if let Ok(statements) = verify(&[changed], &public(), DIGEST, SIGNATURE) {
            assert_eq!(statements, [Statement::signature(DIGEST)], "byte {at}");
        }
    }
    let text = String::from_utf8(bundle).expect("text");
    let (before, rest) = text.split_once("\"payload\":\"").expect("a payload");
    let (payload, after) = rest.split_once('"').expect("a payload");
    let changed = format!("{before}\"payload\":\"{}\"{after}", payload.replacen('I', "J", 1));
    assert_eq!(refused(&[changed.into_bytes()]), Refused::Changed { digest: DIGEST.to_owned() });
}

/// A pair that cosign v3.1.3 made, with the password `correct`.
#[test]
fn keys_of_cosign_are_decrypted() {
    let pem = include_str!("keys/cosign.key");
    let key = SigningKey::from_pem(pem, b"correct").expect("a key");
    let public = VerifyingKey::from_pem(include_str!("keys/cosign.pub")).expect("a key");
    assert_eq!(key.verifying_key().hint(), public.hint());
    let bundle = sign(&Statement::signature(DIGEST), &key).expect("a bundle");
    verify(&[bundle], &public, DIGEST, SIGNATURE).expect("accepted");
    assert_eq!(SigningKey::from_pem(pem, b"wrong").err(), Some(KeyError::Password));
    assert!(KeyError::Password.to_string().contains("COSIGN_PASSWORD"));
}

#[test]
fn keys_that_cannot_be_used_are_refused_with_a_remedy() {
    let private = |pem: &str, password: &str| SigningKey::from_pem(pem, password.as_bytes()).err();
    assert_eq!(private(include_str!("keys/one.pub"), ""), Some(KeyError::NotPrivate));
    assert_eq!(private("", ""), Some(KeyError::NotPrivate));
    let public = |pem: &str| VerifyingKey::from_pem(pem).err();
    assert_eq!(public(include_str!("keys/one.key")), Some(KeyError::NotPublic));
    assert_eq!(public(include_str!("keys/rsa.pub")), Some(KeyError::Unsupported));
}
