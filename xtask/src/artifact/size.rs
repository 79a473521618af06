//! The size of the policy, raw and compressed, and the limits that it keeps.

use anyhow::{Result, ensure};
use std::fmt;

/// The targets are 1,000 KB raw and 300 KB with brotli, and both are missed. These keep the policy from growing unseen.
const MAX_RAW: usize = 1_320_000;
const MAX_BROTLI: usize = 330_000;

/// How large a file is.
pub struct Size {
    raw: usize,
    brotli: usize,
}

impl Size {
    /// Measures it, compressed as a web server would do it ahead of time.
    pub fn of(bytes: &[u8]) -> Self {
        let mut compressed = Vec::new();
        let parameters = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 22, ..Default::default() };
        let written = brotli::BrotliCompress(&mut &*bytes, &mut compressed, &parameters);
        Self { raw: bytes.len(), brotli: written.unwrap_or(usize::MAX) }
    }

    /// Fails when it is larger than promised.
    pub fn check(&self) -> Result<()> {
        let limit = Self { raw: MAX_RAW, brotli: MAX_BROTLI };
        ensure!(self.raw < MAX_RAW && self.brotli < MAX_BROTLI, "the policy must stay below {limit}, but has {self}");
        Ok(())
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (raw, brotli) = (self.raw.div_ceil(1000), self.brotli.div_ceil(1000));
        write!(f, "{raw} KB, {brotli} KB with brotli")
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_BROTLI, MAX_RAW, Size};

    #[test]
    fn both_limits_hold() {
        assert!(Size { raw: MAX_RAW - 1, brotli: MAX_BROTLI - 1 }.check().is_ok());
        assert!(Size { raw: MAX_RAW, brotli: 1 }.check().is_err());
        let error = Size { raw: 1, brotli: MAX_BROTLI }.check().expect_err("too large").to_string();
        assert_eq!(error, "the policy must stay below 1320 KB, 330 KB with brotli, but has 1 KB, 330 KB with brotli");
    }

    #[test]
    fn repetition_compresses() {
        let size = Size::of(&vec![7; 100_000]);
        assert_eq!(size.raw, 100_000);
        assert!(size.brotli < 100);
    }
}
