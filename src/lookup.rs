//! Names in, positions out. API servers list objects by name, so a sorted list takes no work to make.

use crate::sort::sort_by;
use crate::view::Str;

/// The positions of things in a list, by name.
pub struct Lookup<'k>(Vec<(Str<'k>, usize)>);

impl<'k> Lookup<'k> {
    /// The names in the order of the list; the last of a name counts.
    pub fn of(names: impl Iterator<Item = &'k str>) -> Self {
        let mut entries: Vec<_> = names.enumerate().map(|(position, name)| (name.into(), position)).collect();
        sort_by(&mut entries, |(a, _): &(Str<'_>, usize), (b, _)| a.cmp(b));
        Self(entries)
    }

    /// The position of a name.
    pub fn get(&self, name: &str) -> Option<usize> {
        let name = Str::from(name);
        let behind = self.0.partition_point(|(other, _)| *other <= name);
        let (found, position) = self.0.get(behind.checked_sub(1)?)?;
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
    }
}
