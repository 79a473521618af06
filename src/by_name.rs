//! Values by name, with one copy of the map for all types: a map per type would be a tenth of the artifact.

use std::collections::BTreeMap;

/// Values by name.
#[derive(Clone, Debug)]
pub struct ByName<'k, V> {
    places: BTreeMap<&'k str, usize>,
    values: Vec<V>,
}

impl<'k, V> ByName<'k, V> {
    /// None yet.
    pub fn new() -> Self {
        Self { places: BTreeMap::new(), values: Vec::new() }
    }

    /// All of them; the last of a name counts.
    pub fn of(named: impl IntoIterator<Item = (&'k str, V)>) -> Self {
        let mut all = Self::new();
        for (name, value) in named {
            all.places.insert(name, all.values.len());
            all.values.push(value);
        }
        all
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&V> {
        self.places.get(name).and_then(|place| self.values.get(*place))
    }

    /// Changes the value of a name, which is `new` if there is none.
    pub fn change(&mut self, name: &'k str, new: impl FnOnce() -> V, change: impl FnOnce(&mut V)) {
        let next = self.values.len();
        let place = *self.places.entry(name).or_insert(next);
        if place == next {
            self.values.push(new());
        }
        if let Some(value) = self.values.get_mut(place) {
            change(value);
        }
    }

    /// All of them, by name.
    pub fn sorted(self) -> impl Iterator<Item = (&'k str, V)> {
        let mut values: Vec<_> = self.values.into_iter().map(Some).collect();
        self.places.into_iter().filter_map(move |(name, place)| Some((name, values.get_mut(place)?.take()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::ByName;

    #[test]
    fn values_are_found_changed_and_sorted() {
        let mut ages = ByName::of([("zoe", 3), ("bob", 7), ("zoe", 4)]);
        ages.change("amy", || 1, |age| *age += 1);
        ages.change("bob", || 1, |age| *age += 1);
        assert_eq!((ages.get("zoe"), ages.get("joe")), (Some(&4), None));
        assert_eq!(ages.sorted().collect::<Vec<_>>(), [("amy", 2), ("bob", 8), ("zoe", 4)]);
    }
}
