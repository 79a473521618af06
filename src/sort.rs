//! Sorting that is compiled once: every type that the standard library sorts adds 9 KB to the artifact.

use std::cmp::Ordering;

/// Sorts; what compares equal keeps its order.
pub fn sort_by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let places = places(items.len(), &|a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    let mut taken: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(places.into_iter().filter_map(|place| taken.get_mut(place)?.take()));
}

/// The places of `count` items, in order.
fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|a, b| compare(*a, *b));
    places
}

#[cfg(test)]
mod tests {
    use super::sort_by;

    #[test]
    fn sorts_and_keeps_the_order_of_equals() {
        let mut items = vec![(2, "b"), (1, "x"), (2, "a"), (0, "z"), (1, "y")];
        sort_by(&mut items, |a, b| a.0.cmp(&b.0));
        assert_eq!(items, [(0, "z"), (1, "x"), (1, "y"), (2, "b"), (2, "a")]);
    }
}
