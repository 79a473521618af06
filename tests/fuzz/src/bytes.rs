//! Bytes in, choices out. When the bytes are used up, every choice is the first.

/// The bytes that no choice has used yet.
pub struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Whether everything has been used.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A number below `end`, which is not larger than 256.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end.max(1)
    }

    /// One of them.
    pub fn pick<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }

    /// Yes, so many times in 256.
    pub fn chance(&mut self, times: u8) -> bool {
        self.byte() > 255 - times
    }

    /// A number of any size, small ones more often.
    pub fn number(&mut self) -> i64 {
        match self.byte() {
            small @ 0..=199 => i64::from(small % 8),
            200..=219 => i64::from(self.byte()),
            220..=239 => i64::from(self.byte()) * 256 + i64::from(self.byte()),
            240..=249 => -i64::from(self.byte()),
            _ => *self.pick(&[i64::MAX, i64::MIN, i64::from(i32::MAX), i64::from(i32::MIN), i64::MAX - 1, 1 << 53]),
        }
    }

    /// Text of up to 15 bytes.
    pub fn text(&mut self) -> String {
        let length = self.below(16).min(self.0.len());
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8_lossy(text).into_owned()
    }
}
