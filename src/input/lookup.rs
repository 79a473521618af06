//! Finds names in a list. API servers list objects by name, so a sorted list takes no work to make.

use crate::view::Str;
use std::cell::Cell;

/// The positions of things in a list, by name.
pub struct Lookup<'k> {
    entries: Vec<(Str<'k>, usize)>,
    /// Behind what was found last: lists that belong together are often in the same order.
    next: Cell<usize>,
}

impl<'k> Lookup<'k> {
    /// The names in the order of the list; the last of a name counts.
    pub fn of(names: impl Iterator<Item = &'k str>) -> Self {
        let mut entries: Vec<_> = names.enumerate().map(|(position, name)| (name.into(), position)).collect();
        entries.sort_by(|(a, _): &(Str<'_>, usize), (b, _)| a.cmp(b));
        Self { entries, next: Cell::default() }
    }

    /// The position of a name.
    pub fn get(&self, name: &str) -> Option<usize> {
        let name = Str::from(name);
        let next = self.next.get();
        let is = |at: usize| self.entries.get(at).is_some_and(|(other, _)| *other == name);
        let behind = if is(next) && !is(next.saturating_add(1)) {
            next.saturating_add(1)
        } else {
            self.entries.partition_point(|(other, _)| *other <= name)
        };
        self.next.set(behind);
        let (found, position) = self.entries.get(behind.checked_sub(1)?)?;
        (*found == name).then_some(*position)
    }
}

#[cfg(test)]
mod tests {
    use super::Lookup;

    #[test]
    fn the_last_position_of_a_name_is_found() {
        let names = Lookup::of(["zoe", "bob", "zoe"].into_iter());
        let found = ["zoe", "bob", "amy", "joe", "zoey"].map(|name| names.get(name));
        assert_eq!(found, [Some(2), Some(1), None, None, None]);
        let in_order = ["bob", "zoe", "bob", "bob", "zoe"].map(|name| names.get(name));
        assert_eq!(in_order, [Some(1), Some(2), Some(1), Some(1), Some(2)]);
    }
}
