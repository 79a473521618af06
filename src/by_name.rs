//! Values by name, with one copy of the map for all types: a map per type would be a tenth of the artifact.

use crate::view::Str;
use std::collections::BTreeMap;

/// Values by name.
#[derive(Clone, Debug)]
pub struct ByName<'k, V> {
    places: BTreeMap<Str<'k>, usize>,
    values: Vec<(&'k str, V)>,
}

impl<'k, V> ByName<'k, V> {
    /// None yet.
    pub fn new() -> Self {
        Self { places: BTreeMap::new(), values: Vec::new() }
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&V> {
        let place = *lookup(&self.places, name)?;
        self.values.get(place).map(|(_, value)| value)
    }

    /// Changes the value of a name, which is `new` if there is none.
    pub fn change(&mut self, name: &'k str, new: impl FnOnce() -> V, change: impl FnOnce(&mut V)) {
        let next = self.values.len();
        let place = *self.places.entry(name.into()).or_insert(next);
        if place == next {
            self.values.push((name, new()));
        }
        if let Some((_, value)) = self.values.get_mut(place) {
            change(value);
        }
    }

    /// All of them, by name.
    pub fn sorted(self) -> impl Iterator<Item = (&'k str, V)> {
        let mut values: Vec<_> = self.values.into_iter().map(Some).collect();
        self.places.into_values().filter_map(move |place| values.get_mut(place)?.take())
    }
}

fn lookup<'n, 'm>(places: &'m BTreeMap<Str<'n>, usize>, name: &'n str) -> Option<&'m usize> {
    places.get(&Str::from(name))
}

#[cfg(test)]
mod tests {
    use super::ByName;

    #[test]
    fn values_are_found_changed_and_sorted() {
        let mut ages = ByName::new();
        for name in ["zoe", "bob", "amy", "bob"] {
            ages.change(name, || 1, |age| *age += 1);
        }
        assert_eq!((ages.get("zoe"), ages.get("joe")), (Some(&2), None));
        assert_eq!(ages.sorted().collect::<Vec<_>>(), [("amy", 2), ("bob", 3), ("zoe", 2)]);
    }
}
