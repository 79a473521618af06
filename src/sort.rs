//! Stable sorting with one copy of the algorithm for all types: a sort per type would be a tenth of the artifact, and the
//! standard library's, which is made for millions of items, alone a hundredth.

use std::cmp::Ordering;

/// Sorts by a comparison.
pub fn sort_by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    if items.is_sorted_by(|a, b| compare(a, b).is_le()) {
        return;
    }
    let order = order(items.len(), &|a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    let mut slots: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.into_iter().filter_map(|from| slots.get_mut(from).and_then(Option::take)));
}

/// Sorts by a key.
pub fn sort_by_key<T, K: Ord>(items: &mut Vec<T>, key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// The positions of so many items in their order: stretches that are sorted are merged to longer ones.
fn order(items: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..items).collect();
    let mut sorted: usize = 1;
    while sorted < items {
        let mut merged = Vec::with_capacity(items);
        for stretch in order.chunks(sorted.saturating_mul(2)) {
            let (left, right) = stretch.split_at_checked(sorted).unwrap_or((stretch, &[]));
            let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
            while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
                merged.extend(if compare(**b, **a).is_lt() { right.next() } else { left.next() });
            }
            merged.extend(left.chain(right));
        }
        order = merged;
        sorted = sorted.saturating_mul(2);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_and_keeps_the_order_of_equals() {
        let mut items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (0, 'd'), (1, 'e')];
        sort_by_key(&mut items, |(number, _)| *number);
        assert_eq!(items, [(0, 'd'), (1, 'b'), (1, 'e'), (2, 'a'), (2, 'c')]);
        let mut none: Vec<u8> = Vec::new();
        sort_by_key(&mut none, |n| *n);
        assert!(none.is_empty());
    }

    #[test]
    fn any_number_of_items_is_sorted_as_the_standard_library_sorts() {
        for items in 0..70_u64 {
            let mut scattered: Vec<_> = (0..items).map(|i| (i * 37 % 11, i)).collect();
            let mut expected = scattered.clone();
            expected.sort_by_key(|(key, _)| *key);
            sort_by_key(&mut scattered, |(key, _)| *key);
            assert_eq!(scattered, expected);
        }
    }
}
