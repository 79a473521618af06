//! A value that is kept as text until somebody needs it.

use crate::fault::Fault;
use crate::fields::Read;
use crate::reader::Reader;
use crate::str::Str;

/// The text of a value of any type. It has been checked, so looking into it can't fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a>(&'a str);

impl Default for Raw<'_> {
    fn default() -> Self {
        Self("null")
    }
}

impl<'a> Read<'a> for Raw<'a> {
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        self.0 = reader.skip()?;
        Ok(())
    }
}

impl<'a> Raw<'a> {
    /// Text that was read before.
    pub(crate) fn checked(text: &'a str) -> Self {
        Self(text)
    }

    /// As it stands in the document.
    pub fn text(self) -> &'a str {
        self.0
    }

    /// Whether it is `null`.
    pub fn is_null(self) -> bool {
        self.0 == "null"
    }

    /// Whether it is an object.
    pub fn is_object(self) -> bool {
        self.0.starts_with('{')
    }

    /// The flag that it is.
    pub fn as_bool(self) -> Option<bool> {
        Reader::new(self.0).flag().ok()
    }

    /// The whole number that it is.
    pub fn as_i64(self) -> Option<i64> {
        self.0.parse().ok()
    }

    /// The string that it is.
    pub fn as_str(self) -> Option<Str<'a>> {
        Reader::new(self.0).string("", Some).ok()
    }

    /// The items of the list that it is.
    pub fn items(self) -> Option<Vec<Self>> {
        let mut items = Vec::new();
        let all = Reader::new(self.0).list(&mut |reader| {
            items.push(Self(reader.skip()?));
            Ok(())
        });
        all.ok()?;
        Some(items)
    }

    /// The members of the object that it is.
    pub fn members(self) -> Option<Vec<(Str<'a>, Self)>> {
        let mut members = Vec::new();
        let all = Reader::new(self.0).members("", &mut |name, reader| {
            members.push((name.clone(), Self(reader.skip()?)));
            Ok(())
        });
        all.ok()?;
        Some(members)
    }

    /// The member of that name, if it is an object that has one.
    pub fn member(self, wanted: &str) -> Option<Self> {
        let mut found = None;
        let search = Reader::new(self.0).members("", &mut |name, reader| {
            let value = Self(reader.skip()?);
            if *name == *wanted {
                found = Some(value);
            }
            Ok(())
        });
        search.ok()?;
        found
    }
}
