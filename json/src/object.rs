//! Objects: their members in the order in which servers write them, or found by their names.

use crate::fault::Problem;
use crate::fields::Fields;
use crate::reader::{Reader, Result};
use crate::same::{same, same_as_fixed};
use crate::str::Str;
use crate::{space, string};

/// An object that the reader is in.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Opened {
    /// Where it starts.
    pub start: usize,
    /// What stands before the next member.
    before: u8,
}

impl<'a> Reader<'a> {
    /// Reads the members of an object that it knows, and skips the others.
    pub fn object(&mut self, object: &mut dyn Fields<'a>) -> Result<()> {
        let opened = self.open_object()?;
        self.rest_of_object(object, opened)
    }

    /// Goes into an object, up to the brace.
    #[doc(hidden)]
    #[inline(always)]
    pub fn open_object(&mut self) -> Result<Opened> {
        self.open(b'{', "an object")?;
        self.at -= 1;
        Ok(Opened { start: self.at, before: b'{' })
    }

    /// Whether space follows the brace that the reader is before: then the text was made for people.
    #[doc(hidden)]
    #[inline(always)]
    pub fn is_indented(&self) -> bool {
        self.text.as_bytes().get(self.at + 1).is_some_and(|byte| *byte <= b' ')
    }

    /// Whether the next member is called so and is written as servers do: without space, and not at all if it is `null`.
    /// Then the reader is before its value.
    #[doc(hidden)]
    #[inline(always)]
    pub fn next_is_called(&mut self, quoted: &'static str, opened: &mut Opened) -> bool {
        let member = self.text.as_bytes().get(self.at..).and_then(|rest| rest.get(..quoted.len() + 2));
        let Some([before, name @ .., value]) = member else { return false };
        if *before != opened.before || !same_as_fixed(name, quoted.as_bytes()) || *value <= b' ' || *value == b'n' {
            return false;
        }
        self.at += quoted.len() + 1;
        opened.before = b',';
        true
    }

    /// Whether the object ends here; goes out of it then.
    #[doc(hidden)]
    #[inline(always)]
    pub fn closes(&mut self) -> bool {
        self.place();
        let closes = self.peek() == Some(b'}');
        if closes {
            self.at += 1;
            self.depth -= 1;
        }
        closes
    }

    /// Reads the members of an object that have not been read yet.
    #[doc(hidden)]
    pub fn rest_of_object(&mut self, object: &mut dyn Fields<'a>, opened: Opened) -> Result<()> {
        let mut first = opened.before == b'{';
        self.at += usize::from(first);
        let members = object.members();
        let mut next = 0;
        loop {
            if let Some(name) = self.plain_member(&mut first) {
                self.member(object, members, &mut next, name)?;
            } else if self.closes() || !self.unusual_member(object, &mut first)? {
                return self.complete(object.missing(), opened.start);
            }
        }
    }

    /// Reads a member that is written as servers don't; `false` at the end of the object.
    #[cold]
    #[inline(never)]
    fn unusual_member(&mut self, object: &mut dyn Fields<'a>, first: &mut bool) -> Result<bool> {
        let Some(name) = self.next_member(first)? else { return Ok(false) };
        let members = object.members();
        self.member(object, members, &mut 0, &name)?;
        Ok(true)
    }

    /// Reads the value of a member into its field, or passes over it.
    #[inline(always)]
    fn member(
        &mut self,
        object: &mut dyn Fields<'a>,
        members: &[(&str, usize)],
        next: &mut usize,
        name: &str,
    ) -> Result<()> {
        if self.null()? {
            return Ok(());
        }
        let read = match find(members, *next, name) {
            Some((place, field)) => {
                *next = place + 1;
                object.read_field(field, self)
            }
            None => self.skip().map(drop),
        };
        read.map_err(|fault| fault.in_member(name))
    }

    /// Fails when a member is missing from the object that started there.
    #[doc(hidden)]
    #[inline(always)]
    pub fn complete(&mut self, missing: Option<&'static str>, start: usize) -> Result<()> {
        match missing {
            None => Ok(()),
            Some(name) => Err(self.fault(start, Problem::Missing(name))),
        }
    }

    /// Reads the members of an object, each by a call with its name and the reader before its value.
    pub fn members(
        &mut self,
        expected: &'static str,
        member: &mut dyn FnMut(&Str<'a>, &mut Self) -> Result<()>,
    ) -> Result<()> {
        self.open(b'{', expected)?;
        let mut first = true;
        loop {
            let name = match self.plain_member(&mut first) {
                Some(name) => name.into(),
                None if self.closes() => return Ok(()),
                None => match self.next_member(&mut first)? {
                    Some(name) => name,
                    None => return Ok(()),
                },
            };
            member(&name, self).map_err(|fault| fault.in_member(&name))?;
        }
    }

    /// The name of the next member where it is written without escapes and without space before the colon.
    #[inline(always)]
    pub(crate) fn plain_member(&mut self, first: &mut bool) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        let start = match self.peek() {
            _ if *first => self.at,
            Some(b',') => self.at + 1,
            _ => return None,
        };
        let quote = space::past(bytes, start);
        if bytes.get(quote) != Some(&b'"') {
            return None;
        }
        let end = string::plain_until(bytes, quote + 1);
        if bytes.get(end) != Some(&b'"') || bytes.get(end + 1) != Some(&b':') {
            return None;
        }
        self.at = end + 2;
        *first = false;
        self.between(quote + 1, end)
    }

    /// The name of the next member, with the reader before its value; nothing at the end of the object.
    #[cold]
    fn next_member(&mut self, first: &mut bool) -> Result<Option<Str<'a>>> {
        if !self.next(b'}', first, "`,` or `}`")? {
            return Ok(None);
        }
        if self.peek() != Some(b'"') {
            return Err(self.syntax("a name in quotes"));
        }
        let name = self.text()?;
        self.colon()?;
        Ok(Some(name))
    }

    pub(crate) fn skip_member_name(&mut self, first: &mut bool) -> Result<bool> {
        if !self.next(b'}', first, "`,` or `}`")? {
            return Ok(false);
        }
        if self.peek() != Some(b'"') {
            return Err(self.syntax("a name in quotes"));
        }
        self.past_string(None)?;
        self.colon()?;
        Ok(true)
    }
}

/// Where a member stands in the table, and the number of its field. Objects mostly have the order of the table, so the
/// search goes on where the last one ended.
#[inline(always)]
fn find(members: &[(&str, usize)], next: usize, name: &str) -> Option<(usize, usize)> {
    if let Some((_, field)) = members.get(next).filter(|(member, _)| same(member, name)) {
        return Some((next, *field));
    }
    let place = members.iter().position(|(member, _)| same(member, name))?;
    members.get(place).map(|(_, field)| (place, *field))
}
