//! Values by their own name, with one copy of the map for all types, as in `by_name.rs`.

use crate::view::Str;
use capi_policy_json::same;
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

    /// Those whose names start so, by name.
    pub fn starting(&self, start: String) -> impl Iterator<Item = &V> {
        self.listed(&self.index, start)
    }

    /// Those that another index lists under names that start so.
    pub fn listed<'s>(&'s self, index: &'s Index, start: String) -> impl Iterator<Item = &'s V> {
        let starts = move |name: &str, start: &str| name.get(..start.len()).is_some_and(|part| same(part, start));
        let first = Str::from(start.clone());
        let names = index.range(first..).take_while(move |(name, _)| starts(name, &start));
        names.filter_map(|(_, place)| self.at(*place))
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
        assert_eq!(places.starting("b".to_owned()).copied().collect::<Vec<_>>(), [8, 3]);
        assert_eq!(places.all().copied().collect::<Vec<_>>(), [1, 8, 3]);
        assert_eq!((places.get("a 1"), places.get("a 2")), (Some(&1), None));
    }
}
