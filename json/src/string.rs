//! What stands between the quotes of a JSON string.

/// The first byte at or after `at` that ends or interrupts plain text: a quote, a backslash or a control character.
#[inline(always)]
pub fn plain_until(bytes: &[u8], at: usize) -> usize {
    // Most names and many values are short.
    match chunk::first_special(bytes, at) {
        Some(place) if place < chunk::BYTES => at + place,
        Some(_) => long_plain_until(bytes, at + chunk::BYTES),
        None => long_plain_until(bytes, at),
    }
}

fn long_plain_until(bytes: &[u8], mut at: usize) -> usize {
    // Most end here, before the loop: a host that keeps a deadline looks at the clock in each of its turns.
    for _ in 0..2 {
        match chunk::first_special(bytes, at) {
            Some(place) if place < chunk::BYTES => return at + place,
            Some(_) => at += chunk::BYTES,
            None => break,
        }
    }
    while let Some(place) = chunk::first_special(bytes, at) {
        at += place;
        if place < chunk::BYTES {
            return at;
        }
    }
    let is_plain = |byte: &u8| !matches!(byte, b'"' | b'\\' | 0..0x20);
    at + bytes.get(at..).unwrap_or_default().iter().take_while(|byte| is_plain(byte)).count()
}

/// Sixteen bytes at a time.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod chunk {
    use std::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_lt, u8x16_splat, u64x2, v128_or};

    pub const BYTES: usize = 16;

    /// Where the first special byte of a chunk is; `BYTES` when there is none. `None` when there is no whole chunk.
    #[inline(always)]
    pub fn first_special(bytes: &[u8], at: usize) -> Option<usize> {
        let chunk: &[u8; BYTES] = bytes.get(at..)?.first_chunk()?;
        let chunk = u64x2(u64::from_le_bytes(*chunk.first_chunk()?), u64::from_le_bytes(*chunk.last_chunk()?));
        let quote_or_backslash = v128_or(u8x16_eq(chunk, u8x16_splat(b'"')), u8x16_eq(chunk, u8x16_splat(b'\\')));
        let special = v128_or(quote_or_backslash, u8x16_lt(chunk, u8x16_splat(0x20)));
        Some((u32::from(u8x16_bitmask(special)) | 0x1_0000).trailing_zeros() as usize)
    }
}

/// Eight bytes at a time.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod chunk {
    pub const BYTES: usize = 8;

    /// Where the first special byte of a chunk is; `BYTES` when there is none. `None` when there is no whole chunk.
    #[inline(always)]
    pub fn first_special(bytes: &[u8], at: usize) -> Option<usize> {
        const ONES: u64 = 0x0101_0101_0101_0101;
        let chunk = u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
        // The highest bit of the first special byte is marked; bits above it may be marked as well.
        let zero = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes;
        let control = chunk.wrapping_sub(ONES * 0x20) & !chunk;
        let special = zero(chunk ^ (ONES * 0x22)) | zero(chunk ^ (ONES * 0x5c)) | control;
        Some((special & (ONES << 7)).trailing_zeros() as usize / 8)
    }
}

/// How many bytes a string takes, up to and with its closing quote; writes down its text if somebody wants it.
/// The error is the byte that no string can have.
pub fn length(rest: &str, mut text: Option<&mut String>) -> Result<usize, usize> {
    let bytes = rest.as_bytes();
    let mut at = 0;
    loop {
        let end = plain_until(bytes, at);
        if let Some(text) = &mut text {
            text.push_str(rest.get(at..end).unwrap_or_default());
        }
        match bytes.get(end) {
            Some(b'"') => return Ok(end + 1),
            Some(b'\\') => {
                let (letter, length) = escape(bytes.get(end + 1..).unwrap_or_default()).ok_or(end)?;
                if let Some(text) = &mut text {
                    text.push(letter);
                }
                at = end + 1 + length;
            }
            _ => return Err(end),
        }
    }
}

/// What the bytes after a backslash stand for, and how many there are.
fn escape(bytes: &[u8]) -> Option<(char, usize)> {
    let letter = match bytes.first()? {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'u' => return unicode(bytes),
        &byte @ (b'"' | b'\\' | b'/') => byte.into(),
        _ => return None,
    };
    Some((letter, 1))
}

/// `uXXXX`, or two of them where one is not enough.
fn unicode(bytes: &[u8]) -> Option<(char, usize)> {
    let unit = |bytes: &[u8]| {
        let digits = bytes.strip_prefix(b"u")?.first_chunk::<4>()?;
        digits.iter().try_fold(0, |unit, &digit| Some(unit * 16 + char::from(digit).to_digit(16)?))
    };
    let first = unit(bytes)?;
    if let Some(letter) = char::from_u32(first) {
        return Some((letter, 5));
    }
    let second = unit(bytes.get(5..)?.strip_prefix(b"\\")?)?;
    if !(0xd800..0xdc00).contains(&first) || !(0xdc00..0xe000).contains(&second) {
        return None;
    }
    Some((char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00))?, 11))
}
