//! Keys, as cosign writes them.

use crate::encrypted::{self, Failed};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair, UnparsedPublicKey,
};
use thiserror::Error;

/// What an encrypted private key is called, today and in older versions of cosign.
const ENCRYPTED: [&str; 2] = ["ENCRYPTED SIGSTORE PRIVATE KEY", "ENCRYPTED COSIGN PRIVATE KEY"];

/// How every public key on P-256 begins in DER: the algorithm and the curve. The point follows, uncompressed.
const P256: &[u8] = &[
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce,
    0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];
const POINT: usize = 65;

/// Why a key can't be used, and what to do about it. None of these repeats anything of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum KeyError {
    /// Not a private key.
    #[error("not a private key; make a pair with `cosign generate-key-pair` and pass cosign.key")]
    NotPrivate,
    /// Not a public key.
    #[error("not a public key; pass cosign.pub, the public half of the pair that signed")]
    NotPublic,
    /// A key of another kind.
    #[error("only ECDSA keys on P-256 are supported, which is what `cosign generate-key-pair` makes")]
    Unsupported,
    /// The password is wrong.
    #[error("the key can't be decrypted; put its password into the variable COSIGN_PASSWORD")]
    Password,
    /// Nothing can be signed.
    #[error("the system gives no random numbers, without which nothing can be signed")]
    Random,
}

/// A private key.
pub struct SigningKey(EcdsaKeyPair, SystemRandom);

/// A public key: its point on the curve.
#[derive(Clone)]
pub struct VerifyingKey(Vec<u8>);

impl SigningKey {
    /// The key in a PEM file, encrypted as cosign does it or as plain PKCS #8.
    pub fn from_pem(text: &str, password: &[u8]) -> Result<Self, KeyError> {
        let block = pem::parse(text).map_err(|_| KeyError::NotPrivate)?;
        let der = match block.tag() {
            "PRIVATE KEY" => block.into_contents(),
            tag if ENCRYPTED.contains(&tag) => {
                encrypted::decrypt(block.contents(), password).map_err(|failed| match failed {
                    Failed::Unknown => KeyError::NotPrivate,
                    Failed::Password => KeyError::Password,
                })?
            }
            _ => return Err(KeyError::NotPrivate),
        };
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &der, &random);
        Ok(Self(key.map_err(|_| KeyError::Unsupported)?, random))
    }

    /// Its public half.
    pub fn verifying_key(&self) -> VerifyingKey {
        VerifyingKey(self.0.public_key().as_ref().to_vec())
    }

    pub(crate) fn sign(&self, message: &[u8]) -> Result<Vec<u8>, KeyError> {
        let signature = self.0.sign(&self.1, message).map_err(|_| KeyError::Random)?;
        Ok(signature.as_ref().to_vec())
    }
}

impl VerifyingKey {
    /// The key in a PEM file.
    pub fn from_pem(text: &str) -> Result<Self, KeyError> {
        let block = pem::parse(text).map_err(|_| KeyError::NotPublic)?;
        if block.tag() != "PUBLIC KEY" {
            return Err(KeyError::NotPublic);
        }
        let point = block.contents().strip_prefix(P256).filter(|point| point.len() == POINT);
        point.map(|point| Self(point.to_vec())).ok_or(KeyError::Unsupported)
    }

    /// What bundles call it: the digest of the key. Not secret, and no proof of anything.
    pub fn hint(&self) -> String {
        STANDARD.encode(digest(&SHA256, &[P256, &self.0].concat()))
    }

    pub(crate) fn accepts(&self, message: &[u8], signature: &[u8]) -> bool {
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, &self.0).verify(message, signature).is_ok()
    }
}
