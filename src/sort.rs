//! Sorting, by the standard library.
#![allow(dead_code, reason = "rules that are not merged yet call it by this name")]

use std::cmp::Ordering;

/// Sorts by a comparison.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    items.sort_by(compare);
}

/// Sorts by a key.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    items.sort_by_key(key);
}
