//! Stable sorting where few items are sorted: the order of their indexes is found by one function for all types.
//!
//! The standard library's sort is built once for every type and comparison, 4 KB each time, which for the rules adds up to an
//! eighth of the artifact (`cargo xtask artifact` prints its size). Collecting into
//! a map or a set sorts as well, extending an empty one does not. Where thousands of items are sorted for each decision, the
//! standard library's own method is called.

use std::cmp::Ordering;

/// Sorting by a comparison or a key.
pub trait Sorted<T> {
    /// Sorts stably by a comparison.
    fn order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    /// Sorts stably by a key.
    fn order_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }
}

impl<T> Sorted<T> for Vec<T> {
    fn order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let order = order(self.len(), &|a, b| match (self.get(a), self.get(b)) {
            (Some(a), Some(b)) => compare(a, b),
            _ => Ordering::Equal,
        });
        let mut items: Vec<_> = self.drain(..).map(Some).collect();
        self.extend(order.into_iter().filter_map(|index| items.get_mut(index)?.take()));
    }
}

#[inline(never)]
fn order(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<_> = (0..len).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

#[cfg(test)]
mod tests {
    use super::Sorted;

    #[test]
    fn equal_items_keep_their_order() {
        let mut items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')];
        items.order_by_key(|(key, _)| *key);
        assert_eq!(items, [(1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
        items.order_by(|a, b| b.1.cmp(&a.1));
        assert_eq!(items, [(1, 'd'), (2, 'c'), (1, 'b'), (2, 'a')]);
    }
}
