//! What can be read in place, and the table of an object's members.

use crate::fault::Fault;
use crate::reader::Reader;
use crate::str::Str;

/// Something that can be read in place.
pub trait Read<'a> {
    /// Reads the value that comes next, which is not `null`.
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault>;

    /// The same by a call where [`read`](Self::read) is inlined: for members that had to be looked for, which takes longer than
    /// a call.
    fn read_by_call(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        self.read(reader)
    }
}

/// An object whose members are known by name.
pub trait Fields<'a> {
    /// The members that are read, each with the number of its field. Finding a member in this table is the reader's work, so
    /// that types cost little code; members in the order of the table are found at once.
    fn members(&self) -> &'static [(&'static str, usize)];

    /// Reads the value of a member, which is not `null`, into the field of that number.
    fn read_field(&mut self, field: usize, reader: &mut Reader<'a>) -> Result<(), Fault>;

    /// A member that has to be there and is not.
    fn missing(&self) -> Option<&'static str>;
}

/// Defines structs by tables of the members that are read into their fields. All are `Clone`, `Debug` and `Default`.
///
/// What stands behind a field's type, as in `bool = true`, is its value where the object does not give one.
///
/// A name in quotes is the member's, or two of them where an object may use either. `requires "name" field` behind the
/// struct's name makes it an error when that field is still at its default after the object was read.
///
/// `in order` is for objects that there are many of: members that come in the order of their names, as API servers write
/// them, are not looked for. The names have to stand in that order.
#[macro_export]
macro_rules! fields {
    ($(
        $(#[$about:meta])*
        $visibility:vis struct $type:ident $(<$lifetime:lifetime>)? $(in $order:ident)? $(requires $required:literal $required_field:ident)? {
            $($(#[$note:meta])* $($member:literal)|+ => $field:ident: $value:ty $(= $default:expr)?),* $(,)?
        }
    )+) => {$(
        $(#[$about])*
        #[derive(Clone, Debug)]
        $visibility struct $type $(<$lifetime>)? {
            $(#[doc = concat!($("`", $member, "` "),+)] $(#[$note])* pub $field: $value,)*
        }

        $crate::fields!(
            @lifetime [$($lifetime)?] $type
            [$(($($member)|+) $field ($($default)?))*] [$($required $required_field)?] [$($order)?]
        );
    )+};
    (@default) => { Default::default() };
    (@default $default:expr) => { $default };
    (@lifetime [] $type:ident $($tables:tt)*) => {
        $crate::fields!(@traits 'text ($type) $($tables)*);
    };
    (@lifetime [$lifetime:lifetime] $type:ident $($tables:tt)*) => {
        $crate::fields!(@traits $lifetime ($type<$lifetime>) $($tables)*);
    };
    (
        @traits $lifetime:lifetime ($type:ty)
        [$(($($member:literal)|+) $field:ident ($($default:expr)?))*]
        [$($required:literal $required_field:ident)*] [$($order:ident)?]
    ) => {
        impl<$lifetime> Default for $type {
            fn default() -> Self {
                Self { $($field: $crate::fields!(@default $($default)?)),* }
            }
        }

        impl<$lifetime> $crate::Fields<$lifetime> for $type {
            fn members(&self) -> &'static [(&'static str, usize)] {
                #[allow(non_camel_case_types, reason = "the names of the fields")]
                enum Number { $($field),* }
                const { &$crate::by_name([$($(($member, Number::$field as usize)),+),*]) }
            }

            fn read_field(
                &mut self,
                field: usize,
                reader: &mut $crate::Reader<$lifetime>,
            ) -> Result<(), $crate::Fault> {
                #[allow(non_camel_case_types, reason = "the names of the fields")]
                enum Number { $($field),* }
                $(if field == Number::$field as usize {
                    return $crate::Read::read_by_call(&mut self.$field, reader);
                })*
                Ok(())
            }

            #[inline(always)]
            fn missing(&self) -> Option<&'static str> {
                $(if $crate::is_default(&self.$required_field) {
                    return Some($required);
                })*
                None
            }
        }

        impl<$lifetime> $crate::Read<$lifetime> for $type {
            $crate::fields!(@read [$($order)?] $lifetime [$(($($member)|+) $field)*]);
        }
    };
    (@read [] $lifetime:lifetime $fields:tt) => {
        fn read(&mut self, reader: &mut $crate::Reader<$lifetime>) -> Result<(), $crate::Fault> {
            reader.object(self)
        }
    };
    (@read [order] $lifetime:lifetime [$(($($member:literal)|+) $field:ident)*]) => {
        fn read(&mut self, reader: &mut $crate::Reader<$lifetime>) -> Result<(), $crate::Fault> {
            let mut opened = reader.open_object()?;
            const { assert!($crate::in_order(&[$($($member),+),*]), "members in the order of their names") };
            if reader.is_indented() {
                return reader.rest_of_object(self, opened);
            }
            $($(if reader.next_is_called(concat!("\"", $member, "\":"), &mut opened) {
                $crate::Read::read(&mut self.$field, reader).map_err(|fault| fault.in_member($member))?;
            })+)*
            if reader.closes() {
                reader.complete($crate::Fields::missing(self), opened.start)
            } else {
                reader.rest_of_object(self, opened)
            }
        }
    };
}

/// The table in the order of the names, which is the order in which API servers write members.
#[doc(hidden)]
#[allow(clippy::indexing_slicing, reason = "an index that is out of bounds does not compile")]
pub const fn by_name<const N: usize>(mut members: [(&'static str, usize); N]) -> [(&'static str, usize); N] {
    let mut sorted = 1;
    while sorted < N {
        let mut at = sorted;
        while at > 0 && is_before(members[at].0.as_bytes(), members[at - 1].0.as_bytes()) {
            members.swap(at, at - 1);
            at -= 1;
        }
        sorted += 1;
    }
    members
}

/// Whether names stand in the order in which API servers write members.
#[doc(hidden)]
#[allow(clippy::indexing_slicing, reason = "an index that is out of bounds does not compile")]
pub const fn in_order(names: &[&str]) -> bool {
    let mut at = 1;
    while at < names.len() {
        if !is_before(names[at - 1].as_bytes(), names[at].as_bytes()) {
            return false;
        }
        at += 1;
    }
    true
}

#[allow(clippy::indexing_slicing, reason = "an index that is out of bounds does not compile")]
const fn is_before(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at < b.len() && (at == a.len() || a[at] < b[at])
}

/// Whether nothing was read into a field.
#[doc(hidden)]
#[inline(always)]
pub fn is_default<T: Default + PartialEq>(field: &T) -> bool {
    *field == T::default()
}

impl<'a> Read<'a> for Str<'a> {
    #[inline(always)]
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        match reader.plain_string() {
            Some(text) => self.borrow_from(text),
            None => *self = reader.string("a string", Some)?,
        }
        Ok(())
    }

    #[inline(never)]
    fn read_by_call(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        self.read(reader)
    }
}

/// A member that is passed over, in the table so that those after it are found at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped;

impl<'a> Read<'a> for Skipped {
    #[inline(always)]
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        match reader.plain_string() {
            Some(_) => Ok(()),
            None => reader.skip().map(drop),
        }
    }

    #[inline(never)]
    fn read_by_call(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        self.read(reader)
    }
}

impl<'a> Read<'a> for bool {
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        *self = reader.flag()?;
        Ok(())
    }
}

impl<'a> Read<'a> for i64 {
    #[inline(always)]
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        *self = reader.whole_number("a whole number")?;
        Ok(())
    }

    #[inline(never)]
    fn read_by_call(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        self.read(reader)
    }
}

impl<'a, T: Read<'a> + Default> Read<'a> for Option<T> {
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        self.insert(T::default()).read(reader)
    }
}

impl<'a, T: Read<'a> + Default> Read<'a> for Vec<T> {
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        self.clear();
        reader.list(&mut |reader| {
            self.push(T::default());
            self.last_mut().map_or(Ok(()), |item| reader.value(item))
        })
    }
}
