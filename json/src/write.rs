//! Values in, compact JSON text out: the other direction, as small.

use crate::string::plain_until;
use serde::ser::{
    Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, Serializer,
};
use std::fmt;

/// The name of a newtype around a string that is to be written as it is, without quotes: a number that nobody has to
/// calculate with. Other serializers don't know it; [`Serializer::is_human_readable`] is false for this one alone.
pub const VERBATIM: &str = "capi_policy_json::verbatim";

/// Pushed as text: for a character there would be a call.
const QUOTE: &str = "\"";

type Result<T = ()> = std::result::Result<T, fmt::Error>;

/// Writes a value as JSON text. Keys have to be strings, fields and variants are called by names that need no escapes, and
/// there are neither fractions nor bytes.
pub fn write(value: &impl Serialize) -> std::result::Result<String, fmt::Error> {
    let mut text = String::new();
    value.serialize(&mut Writer { text: &mut text, verbatim: false })?;
    Ok(text)
}

struct Writer<'t> {
    text: &'t mut String,
    /// Whether the next string goes without quotes.
    verbatim: bool,
}

/// A list or object that has been opened.
struct Open<'w, 't> {
    writer: &'w mut Writer<'t>,
    first: bool,
    close: &'static str,
}

impl Writer<'_> {
    fn string(&mut self, text: &str) {
        if std::mem::take(&mut self.verbatim) {
            return self.text.push_str(text);
        }
        self.text.push_str(QUOTE);
        let mut plain = 0;
        loop {
            let at = plain_until(text.as_bytes(), plain);
            let Some(&byte) = text.as_bytes().get(at) else { break };
            self.text.push_str(text.get(plain..at).unwrap_or_default());
            let escape = match byte {
                b'"' => "\\\"",
                b'\\' => "\\\\",
                b'\n' => "\\n",
                b'\r' => "\\r",
                b'\t' => "\\t",
                8 => "\\b",
                12 => "\\f",
                _ => "\\u00",
            };
            self.text.push_str(escape);
            if escape.len() > 2 {
                let digits = [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0'));
                self.text.extend(digits);
            }
            plain = at + 1;
        }
        self.text.push_str(if plain == 0 { text } else { text.get(plain..).unwrap_or_default() });
        self.text.push_str(QUOTE);
    }

    fn number(&mut self, number: u64) {
        if number > 9 {
            self.number(number / 10);
        }
        self.text.push(char::from(b'0' + (number % 10) as u8));
    }
}

impl<'w, 't> Open<'w, 't> {
    fn new(writer: &'w mut Writer<'t>, open: &str, close: &'static str) -> Self {
        writer.text.push_str(open);
        Self { writer, first: true, close }
    }

    fn next(&mut self) {
        if !std::mem::take(&mut self.first) {
            self.writer.text.push(',');
        }
    }

    /// A member that is called as its field or variant is: there is nothing to escape.
    fn member<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result {
        self.writer.text.push_str(if std::mem::take(&mut self.first) { "\"" } else { ",\"" });
        self.writer.text.push_str(name);
        self.writer.text.push_str("\":");
        value.serialize(&mut *self.writer)
    }

    fn close(self) {
        self.writer.text.push_str(self.close);
    }
}

impl<'w, 't> Serializer for &'w mut Writer<'t> {
    type Ok = ();
    type Error = fmt::Error;
    type SerializeSeq = Open<'w, 't>;
    type SerializeTuple = Impossible<(), fmt::Error>;
    type SerializeTupleStruct = Impossible<(), fmt::Error>;
    type SerializeTupleVariant = Impossible<(), fmt::Error>;
    type SerializeMap = Open<'w, 't>;
    type SerializeStruct = Open<'w, 't>;
    type SerializeStructVariant = Open<'w, 't>;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_bool(self, value: bool) -> Result {
        self.text.push_str(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_i64(self, value: i64) -> Result {
        if value < 0 {
            self.text.push('-');
        }
        self.number(value.unsigned_abs());
        Ok(())
    }

    fn serialize_u64(self, value: u64) -> Result {
        self.number(value);
        Ok(())
    }

    fn serialize_i8(self, value: i8) -> Result {
        self.serialize_i64(value.into())
    }

    fn serialize_i16(self, value: i16) -> Result {
        self.serialize_i64(value.into())
    }

    fn serialize_i32(self, value: i32) -> Result {
        self.serialize_i64(value.into())
    }

    fn serialize_u8(self, value: u8) -> Result {
        self.serialize_u64(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result {
        self.serialize_u64(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result {
        self.serialize_u64(value.into())
    }

    fn serialize_f32(self, _value: f32) -> Result {
        Err(fmt::Error)
    }

    fn serialize_f64(self, _value: f64) -> Result {
        Err(fmt::Error)
    }

    fn serialize_char(self, value: char) -> Result {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result {
        self.string(value);
        Ok(())
    }

    fn serialize_bytes(self, _value: &[u8]) -> Result {
        Err(fmt::Error)
    }

    fn serialize_none(self) -> Result {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result {
        self.text.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result {
        self.verbatim = name == VERBATIM;
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result {
        let mut object = Open::new(self, "{", "}");
        object.member(variant, value)?;
        object.close();
        Ok(())
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Open<'w, 't>> {
        Ok(Open::new(self, "[", "]"))
    }

    fn serialize_tuple(self, _length: usize) -> Result<Self::SerializeTuple> {
        Err(fmt::Error)
    }

    fn serialize_tuple_struct(self, _name: &'static str, _length: usize) -> Result<Self::SerializeTupleStruct> {
        Err(fmt::Error)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        Err(fmt::Error)
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Open<'w, 't>> {
        Ok(Open::new(self, "{", "}"))
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Open<'w, 't>> {
        Ok(Open::new(self, "{", "}"))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Open<'w, 't>> {
        self.text.push('{');
        self.string(variant);
        Ok(Open::new(self, ":{", "}}"))
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result {
        self.string(&value.to_string());
        Ok(())
    }
}

/// Lists and objects: what adds a piece, and how all of them end.
macro_rules! pieces {
    ($($of:ident { $($add:tt)* })+) => {$(
        impl $of for Open<'_, '_> {
            type Ok = ();
            type Error = fmt::Error;

            $($add)*

            fn end(self) -> Result {
                self.close();
                Ok(())
            }
        }
    )+};
}

pieces! {
    SerializeSeq {
        fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
            self.next();
            value.serialize(&mut *self.writer)
        }
    }

    SerializeMap {
        fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result {
            self.next();
            name.serialize(&mut *self.writer)
        }

        fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
            self.writer.text.push(':');
            value.serialize(&mut *self.writer)
        }
    }

    SerializeStruct {
        fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result {
            self.member(name, value)
        }
    }

    SerializeStructVariant {
        fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result {
            self.member(name, value)
        }
    }
}
