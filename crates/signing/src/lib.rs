//! Signatures and attestations of OCI artifacts with keys, in the formats of cosign v3: an in-toto statement about a digest
//! (`statement`), in a DSSE envelope in a sigstore bundle (`bundle`), signed with the keys of `cosign generate-key-pair`
//! (`key`), and accepted or refused with a reason (`verify`).

mod bundle;
mod encrypted;
mod key;
pub mod statement;
mod verify;

pub use bundle::{BUNDLE_TYPE, sign};
pub use key::{KeyError, SigningKey, VerifyingKey};
pub use statement::Statement;
pub use verify::{Refused, verify};
