//! The space between values: none where servers write, a line break and an indentation where text is made for people.

const SPACES: u64 = u64::from_le_bytes([b' '; 8]);

/// The first byte at or after `at` that is no space.
#[inline(always)]
pub fn past(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(byte) if *byte <= b' ' => past_some(bytes, at),
        _ => at,
    }
}

/// A break and one space are passed at once, indentations eight bytes at a time.
fn past_some(bytes: &[u8], mut at: usize) -> usize {
    loop {
        while matches!(bytes.get(at), Some(b'\n' | b'\t' | b'\r')) {
            at += 1;
        }
        while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
            let other = u64::from_le_bytes(*chunk) ^ SPACES;
            if other != 0 {
                at += other.trailing_zeros() as usize / 8;
                break;
            }
            at += 8;
        }
        match bytes.get(at) {
            Some(b' ') => at += 1,
            Some(b'\n' | b'\t' | b'\r') => {}
            _ => return at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::past;

    #[test]
    fn all_kinds_of_space_are_passed_and_nothing_else() {
        for before in 0..3 {
            for spaces in 0..40 {
                let text = format!("{}{}x", "\n".repeat(before), " ".repeat(spaces));
                assert_eq!(past(text.as_bytes(), 0), before + spaces, "{text:?}");
                let text = format!("{}{}\t\r\n  ", " ".repeat(spaces), "\n".repeat(before));
                assert_eq!(past(text.as_bytes(), 0), text.len(), "{text:?}");
            }
        }
        assert_eq!(past(b"a ", 0), 0);
        assert_eq!(past(b" \x0b", 0), 1);
        assert_eq!(past(b"", 3), 3);
    }
}
