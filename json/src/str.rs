//! Text that borrows from the document while it can.

use crate::same::same;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;

/// A string of the document: borrowed, or owned where it had escapes.
#[derive(Clone, Debug, Default, Eq)]
pub struct Str<'a>(Cow<'a, str>);

impl Str<'_> {
    /// The same text, independent of the document it was read from.
    pub fn into_owned(self) -> Str<'static> {
        Str(Cow::Owned(self.0.into_owned()))
    }
}

impl<'a> Str<'a> {
    /// Becomes a text of the document. Where it was one before there is nothing to give back, and a call less.
    #[inline(always)]
    pub(crate) fn borrow_from(&mut self, text: &'a str) {
        match &mut self.0 {
            Cow::Borrowed(borrowed) => *borrowed = text,
            Cow::Owned(_) => *self = text.into(),
        }
    }
}

impl Deref for Str<'_> {
    type Target = str;
    #[inline(always)]
    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl PartialEq for Str<'_> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        same(self, other)
    }
}

impl Ord for Str<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        str::cmp(self, other)
    }
}

impl PartialOrd for Str<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq<str> for Str<'_> {
    #[inline(always)]
    fn eq(&self, other: &str) -> bool {
        same(self, other)
    }
}

impl PartialEq<&str> for Str<'_> {
    #[inline(always)]
    fn eq(&self, other: &&str) -> bool {
        same(self, other)
    }
}

impl<'a> From<&'a str> for Str<'a> {
    fn from(text: &'a str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl From<String> for Str<'_> {
    fn from(text: String) -> Self {
        Self(Cow::Owned(text))
    }
}
