//! Comparing texts a word at a time.

/// Whether two texts are the same, a word at a time: in WebAssembly the usual comparison goes byte by byte, and names are
/// compared all the time.
#[inline(always)]
pub fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    a.len() == b.len() && a.first() == b.first() && same_bytes(a, b)
}

fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    match a.len() {
        0..4 => (a.first(), a.get(1), a.last()) == (b.first(), b.get(1), b.last()),
        4..8 => halves(a) == halves(b),
        8..=16 => words(a) == words(b),
        _ => words(a) == words(b) && inner(a).zip(inner(b)).all(|(a, b)| a == b),
    }
}

/// Whether a text is a fixed one that the compiler knows, and as long: a few comparisons of words and no loop.
#[inline(always)]
pub fn same_as_fixed(text: &[u8], fixed: &[u8]) -> bool {
    match fixed.len() {
        4..8 => halves(text) == halves(fixed),
        8..=16 => words(text) == words(fixed),
        17..=24 => words(text) == words(fixed) && second(text) == second(fixed),
        _ => same_bytes(text, fixed),
    }
}

/// The first and the last four bytes, which may overlap.
#[inline(always)]
fn halves(bytes: &[u8]) -> Option<(u32, u32)> {
    Some((u32::from_le_bytes(*bytes.first_chunk()?), u32::from_le_bytes(*bytes.last_chunk()?)))
}

/// The first and the last eight bytes, which may overlap.
#[inline(always)]
fn words(bytes: &[u8]) -> Option<(u64, u64)> {
    Some((u64::from_le_bytes(*bytes.first_chunk()?), u64::from_le_bytes(*bytes.last_chunk()?)))
}

/// The second eight bytes.
#[inline(always)]
fn second(bytes: &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(8..)?.first_chunk()?))
}

/// All that is before the last eight bytes, and maybe a part of those.
fn inner(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn every_length_and_every_byte_counts() {
        for length in 0..40 {
            let text = "a".repeat(length);
            assert!(same(&text, &text.clone()), "{length}");
            assert!(!same(&text, &(text.clone() + "a")), "{length}");
            for at in 0..length {
                let mut other = text.clone();
                other.replace_range(at..=at, "b");
                assert!(!same(&text, &other), "{length}, byte {at}");
            }
        }
    }
}
