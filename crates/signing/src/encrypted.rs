//! Private keys as `cosign generate-key-pair` encrypts them: a key derived with scrypt opens `NaCl`'s secretbox.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use poly1305::Poly1305;
use poly1305::universal_hash::KeyInit;
use salsa20::XSalsa20;
use salsa20::cipher::{KeyIvInit, StreamCipher};
use scrypt::Params;
use serde::Deserialize;

/// The costs that cosign accepts, as base-2 logarithms: a file that names more could keep the processor busy for hours.
const COSTS: [u8; 3] = [15, 16, 17];
const BLOCK_SIZE: u32 = 8;
const PARALLELISM: u32 = 1;

#[derive(Deserialize)]
struct Envelope {
    kdf: Kdf,
    cipher: Cipher,
    ciphertext: String,
}

#[derive(Deserialize)]
struct Kdf {
    name: String,
    params: Cost,
    salt: String,
}

#[derive(Deserialize)]
struct Cost {
    #[serde(rename = "N")]
    n: u64,
    r: u32,
    p: u32,
}

#[derive(Deserialize)]
struct Cipher {
    name: String,
    nonce: String,
}

/// Why the content can't be had.
pub enum Failed {
    /// It is encrypted in another way.
    Unknown,
    /// The password is wrong, or the file was changed.
    Password,
}

/// The decrypted content of the JSON that the PEM block holds.
pub fn decrypt(envelope: &[u8], password: &[u8]) -> Result<Vec<u8>, Failed> {
    let Envelope { kdf, cipher, ciphertext } = serde_json::from_slice(envelope).map_err(|_| Failed::Unknown)?;
    if (&*kdf.name, &*cipher.name) != ("scrypt", "nacl/secretbox") {
        return Err(Failed::Unknown);
    }
    let decoded = |text: &str| STANDARD.decode(text).map_err(|_| Failed::Unknown);
    let mut key = [0; 32];
    scrypt::scrypt(password, &decoded(&kdf.salt)?, &params(&kdf.params)?, &mut key).map_err(|_| Failed::Unknown)?;
    let nonce: [u8; 24] = decoded(&cipher.nonce)?.try_into().map_err(|_| Failed::Unknown)?;
    open(&key, &nonce, &decoded(&ciphertext)?)
}

/// `NaCl`'s secretbox: the stream's first 32 bytes are the key of the tag that stands before the ciphertext. No crate of the
/// generation that the others belong to has it as a whole.
fn open(key: &[u8; 32], nonce: &[u8; 24], sealed: &[u8]) -> Result<Vec<u8>, Failed> {
    let (tag, ciphertext) = sealed.split_at_checked(16).ok_or(Failed::Password)?;
    let mut stream = XSalsa20::new(key.into(), nonce.into());
    let mut tag_key = [0; 32];
    stream.apply_keystream(&mut tag_key);
    let expected = Poly1305::new(&tag_key.into()).compute_unpadded(ciphertext);
    // Whoever could time this comparison has the file itself.
    if expected[..] != *tag {
        return Err(Failed::Password);
    }
    let mut content = ciphertext.to_vec();
    stream.apply_keystream(&mut content);
    Ok(content)
}

fn params(cost: &Cost) -> Result<Params, Failed> {
    let log = COSTS.into_iter().find(|log| cost.n == 1 << log).ok_or(Failed::Unknown)?;
    if (cost.r, cost.p) != (BLOCK_SIZE, PARALLELISM) {
        return Err(Failed::Unknown);
    }
    Params::new(log, BLOCK_SIZE, PARALLELISM).map_err(|_| Failed::Unknown)
}
