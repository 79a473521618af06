//! Values by their own name, with one copy of the map for all types, as in `by_name.rs`.

use crate::view::Str;
use std::collections::BTreeMap;

/// Names, and where what they stand for is kept.
pub type Index = BTreeMap<Str<'static>, usize>;

/// Values by name. A place that becomes free is taken again.
pub struct Places<V> {
    index: Index,
    values: Vec<Option<V>>,
    free: Vec<usize>,
}

impl<V> Default for Places<V> {
    fn default() -> Self {
        Self { index: Index::new(), values: Vec::new(), free: Vec::new() }
    }
}

impl<V> Places<V> {
    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&V> {
        self.find(&self.index, name)
    }

    /// The value that another index has under a name.
    pub fn find(&self, index: &Index, name: &str) -> Option<&V> {
        place(index, name).and_then(|place| self.at(place))
    }

    /// The value in a place.
    pub fn at(&self, place: usize) -> Option<&V> {
        self.values.get(place).and_then(Option::as_ref)
    }

    /// The value of a name, to change; `new` if there is none.
    pub fn get_or(&mut self, name: String, new: impl FnOnce() -> V) -> Option<&mut V> {
        let place = match place(&self.index, &name) {
            Some(place) => place,
            None => self.insert(name, new()),
        };
        self.values.get_mut(place).and_then(Option::as_mut)
    }

    /// Puts a value under a name that is not there yet; where it is now.
    pub fn insert(&mut self, name: String, value: V) -> usize {
        let place = self.free.pop().unwrap_or(self.values.len());
        match self.values.get_mut(place) {
            Some(slot) => *slot = Some(value),
            None => self.values.push(Some(value)),
        }
        self.index.insert(name.into(), place);
        place
    }

    /// Takes a value out.
    pub fn remove(&mut self, name: String) -> Option<V> {
        let place = self.index.remove(&Str::from(name))?;
        self.free.push(place);
        self.values.get_mut(place).and_then(Option::take)
    }

    /// All of them, by name.
    pub fn all(&self) -> impl Iterator<Item = &V> {
        self.index.values().filter_map(|place| self.at(*place))
    }

    /// Where the value of a name is.
    pub fn place(&self, name: &str) -> Option<usize> {
        place(&self.index, name)
    }

    /// Those whose names start with this and a space, by name: the rest of the name, the place and the value.
    pub fn starting(&self, start: &str) -> impl Iterator<Item = (&str, usize, &V)> + use<'_, V> {
        self.listed(&self.index, start)
    }

    /// Those that another index lists under names that start so.
    pub fn listed<'s>(
        &'s self,
        index: &'s Index,
        start: &str,
    ) -> impl Iterator<Item = (&'s str, usize, &'s V)> + use<'s, V> {
        // Next after a space comes an exclamation mark.
        let [first, end] = [" ", "!"].map(|last| Str::from([start, last].concat()));
        let rest = first.len();
        let names = index.range(first..end);
        names.filter_map(move |(name, &place)| Some((name.get(rest..)?, place, self.at(place)?)))
    }
}

/// Where a name's value is.
fn place<'n>(index: &BTreeMap<Str<'n>, usize>, name: &'n str) -> Option<usize> {
    index.get(&Str::from(name)).copied()
}

#[cfg(test)]
mod tests {
    use super::Places;

    #[test]
    fn a_place_is_taken_again_and_names_stay_sorted() {
        let mut places = Places::default();
        assert_eq!((places.insert("b 2".to_owned(), 2), places.insert("a 1".to_owned(), 1)), (0, 1));
        assert_eq!((places.remove("b 2".to_owned()), places.remove("b 2".to_owned())), (Some(2), None));
        assert_eq!(places.insert("b 3".to_owned(), 3), 0);
        *places.get_or("b 1".to_owned(), || 7).expect("a value") += 1;
        assert_eq!(places.starting("b").collect::<Vec<_>>(), [("1", 2, &8), ("3", 0, &3)]);
        assert_eq!(places.all().copied().collect::<Vec<_>>(), [1, 8, 3]);
        assert_eq!((places.get("a 1"), places.get("a 2")), (Some(&1), None));
    }
}
