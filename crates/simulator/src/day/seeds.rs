//! Which days to run.

use std::str::FromStr;

/// More days take more memory than anybody wants to give.
const MOST: u64 = 1_000_000;

/// Seeds, from the first to the last.
#[derive(Clone, Copy, Debug)]
pub struct Seeds {
    first: u64,
    last: u64,
}

impl Seeds {
    /// Whether it is one day.
    pub fn is_one(self) -> bool {
        self.first == self.last
    }

    /// How many.
    pub fn count(self) -> u64 {
        self.last - self.first + 1
    }

    /// All of them.
    pub fn all(self) -> impl Iterator<Item = u64> {
        self.first..=self.last
    }
}

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let wrong = || format!("expected a number or a range like 1..1000 of at most {MOST}, found {text:?}");
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| wrong());
        let seeds = Self { first: number(first)?, last: number(last)? };
        let in_order = seeds.first <= seeds.last && seeds.last - seeds.first < MOST;
        if in_order { Ok(seeds) } else { Err(wrong()) }
    }
}
