//! What stands between the quotes of a JSON string.

/// The first byte at or after `at` that ends or interrupts plain text: a quote, a backslash or a control character.
#[inline(always)]
pub fn plain_until(bytes: &[u8], at: usize) -> usize {
    // Most names and many values are short.
    match bytes.get(at..).and_then(<[u8]>::first_chunk).map(|eight| special(u64::from_le_bytes(*eight))) {
        Some(0) => long_plain_until(bytes, at + 8),
        Some(marks) => at + marks.trailing_zeros() as usize / 8,
        None => long_plain_until(bytes, at),
    }
}

fn long_plain_until(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&eight) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let marks = special(u64::from_le_bytes(eight));
        if marks != 0 {
            return at + marks.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let is_plain = |byte: &u8| !matches!(byte, b'"' | b'\\' | 0..0x20);
    at + bytes.get(at..).unwrap_or_default().iter().take_while(|byte| is_plain(byte)).count()
}

/// Marks the highest bit of the first of eight bytes that is special; bits above it may be marked as well.
#[inline(always)]
fn special(eight: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHEST: u64 = ONES << 7;
    let is_zero = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes;
    let control = eight.wrapping_sub(ONES * 0x20) & !eight;
    (is_zero(eight ^ (ONES * 0x22)) | is_zero(eight ^ (ONES * 0x5c)) | control) & HIGHEST
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
