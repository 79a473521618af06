//! Seeded randomness that is the same on every machine, and that decisions can't disturb.
//!
//! Each machine draws from a stream of its own, named by its place in the fleet and by how many machines had that place before.
//! So a day that is simulated under another policy has the same accidents, as far as the same machines live to see them.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// One in so many: how finely shares are drawn.
pub const WHOLE: u32 = 1_000_000;

/// What a stream of random numbers belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Of the day.
    pub seed: u64,
    /// Number of the cluster.
    pub cluster: u32,
    /// Number of the owner in its cluster.
    pub owner: u32,
    /// Place in the owner.
    pub slot: u32,
    /// How many machines had the place before.
    pub incarnation: u32,
}

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Chance(ChaCha8Rng);

impl Chance {
    /// The stream of a key.
    pub fn new(key: Key) -> Self {
        let mut seed = [0; 32];
        let parts = [u64::from(key.cluster), u64::from(key.owner), u64::from(key.slot), u64::from(key.incarnation)];
        seed[..8].copy_from_slice(&key.seed.to_le_bytes());
        for (place, part) in seed[8..].chunks_exact_mut(6).zip(parts) {
            place.copy_from_slice(&part.to_le_bytes()[..6]);
        }
        Self(ChaCha8Rng::from_seed(seed))
    }

    /// A whole number below `end`; 0 where there is none.
    pub fn below(&mut self, end: u64) -> u64 {
        let wide = u128::from(self.0.next_u64()) * u128::from(end);
        u64::try_from(wide >> 64).unwrap_or(0)
    }

    /// Whether something happens that happens in so many of a million cases.
    pub fn happens(&mut self, per_million: u32) -> bool {
        self.below(u64::from(WHOLE)) < u64::from(per_million)
    }

    /// Between half of it and half more.
    pub fn about(&mut self, seconds: i64) -> i64 {
        let span = u64::try_from(seconds.max(0)).unwrap_or(0);
        i64::try_from(span / 2 + self.below(span + 1)).unwrap_or(seconds)
    }

    /// Seconds until something happens that happens to so many of a million in a day, at any time of it alike.
    pub fn waits(&mut self, per_million_and_day: u32) -> Option<i64> {
        const DAY: f64 = 86_400.0;
        if per_million_and_day == 0 {
            return None;
        }
        #[allow(clippy::cast_precision_loss, reason = "53 bits are what a float holds")]
        let uniform = (self.below(1 << 53) + 1) as f64 / (1_u64 << 53) as f64;
        // `f64::ln` is the platform's and differs between platforms; this one is Rust.
        let days = -libm::log(uniform) * f64::from(WHOLE) / f64::from(per_million_and_day);
        #[allow(clippy::cast_possible_truncation, reason = "saturates, which is far beyond any horizon")]
        Some((days * DAY) as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(slot: u32, incarnation: u32) -> Chance {
        Chance::new(Key { seed: 7, cluster: 1, owner: 2, slot, incarnation })
    }

    #[test]
    fn a_stream_is_the_same_everywhere_and_another_one_is_not() {
        let draw = |mut chance: Chance| [(); 4].map(|()| chance.below(1_000));
        assert_eq!(draw(chance(3, 0)), draw(chance(3, 0)));
        assert_ne!(draw(chance(3, 0)), draw(chance(3, 1)));
        assert_ne!(draw(chance(3, 0)), draw(chance(4, 0)));
    }

    #[test]
    fn waits_have_the_mean_that_the_rate_says() {
        let mut chance = chance(0, 0);
        let waits: i64 = (0..10_000).filter_map(|_| chance.waits(WHOLE / 2)).sum();
        let mean = waits / 10_000;
        assert!((mean - 2 * 86_400).abs() < 4_000, "{mean}");
        assert_eq!(chance.waits(0), None);
    }

    #[test]
    fn shares_and_spreads_stay_in_their_bounds() {
        let mut chance = chance(1, 1);
        let hits = (0..10_000).filter(|_| chance.happens(200_000)).count();
        assert!((1_800..2_200).contains(&hits), "{hits}");
        assert!((0..1_000).all(|_| (50..=150).contains(&chance.about(100))));
        assert_eq!((chance.about(0), chance.below(0)), (0, 0));
    }
}
