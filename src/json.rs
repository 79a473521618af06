//! JSON text in, typed values out; an object is read from an object only.
//!
//! Derived readers also take a list for an object, field by field. Nobody writes Kubernetes objects so, and the code for it
//! would be a good part of the module that browsers download.

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Reads a value; the whole text must be one.
pub fn from_str<'a, T: Deserialize<'a>>(text: &'a str) -> serde_json::Result<T> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = T::deserialize(Objects(&mut deserializer))?;
    deserializer.end()?;
    Ok(value)
}

/// A deserializer, visitor, seed or access, wrapped on the way down to every value.
pub struct Objects<T>(pub T);

/// Methods that pass a visitor on, as it is or wrapped.
macro_rules! forward {
    ($($how:ident $method:ident($($argument:ident: $type:ty),*);)*) => {
        $(fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method($($argument,)* forward!(@ $how visitor))
        })*
    };
    (@ plain $visitor:ident) => { $visitor };
    (@ wrapped $visitor:ident) => { Objects($visitor) };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Objects<D> {
    type Error = D::Error;

    forward! {
        wrapped deserialize_any();
        wrapped deserialize_option();
        wrapped deserialize_seq();
        wrapped deserialize_map();
        plain deserialize_bool();
        plain deserialize_i8();
        plain deserialize_i16();
        plain deserialize_i32();
        plain deserialize_i64();
        plain deserialize_u8();
        plain deserialize_u16();
        plain deserialize_u32();
        plain deserialize_u64();
        plain deserialize_f32();
        plain deserialize_f64();
        plain deserialize_char();
        plain deserialize_str();
        plain deserialize_string();
        plain deserialize_bytes();
        plain deserialize_byte_buf();
        plain deserialize_unit();
        plain deserialize_identifier();
        plain deserialize_ignored_any();
        plain deserialize_unit_struct(name: &'static str);
        wrapped deserialize_newtype_struct(name: &'static str);
        wrapped deserialize_tuple(length: usize);
        wrapped deserialize_tuple_struct(name: &'static str, length: usize);
        plain deserialize_enum(name: &'static str, variants: &'static [&'static str]);
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Objects(visitor))
    }
}

/// Visits of values that hold no others.
macro_rules! visit {
    ($($method:ident: $type:ty;)*) => {
        $(fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.0.$method(value)
        })*
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Objects<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    visit! {
        visit_bool: bool;
        visit_i64: i64;
        visit_u64: u64;
        visit_f64: f64;
        visit_str: &str;
        visit_borrowed_str: &'de str;
        visit_string: String;
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Objects(value))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.0.visit_newtype_struct(Objects(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(Objects(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Objects(members))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(variant)
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Objects<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        self.0.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(Objects(seed))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Objects<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(Objects(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Objects<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Objects(deserializer))
    }
}

#[cfg(test)]
mod tests {
    use crate::Snapshot;

    #[test]
    fn a_list_is_no_object_at_any_depth() {
        let refused = |text| Snapshot::parse(text).map(drop).map_err(|error| error.to_string());
        for (text, path) in [
            ("[]", "snapshot"),
            (r#"{"now":"2025-01-01T00:00:00Z","machine":[]}"#, "machine"),
            (r#"{"now":"2025-01-01T00:00:00Z","machines":[{"metadata":["m1"]}]}"#, "machines[0].metadata"),
        ] {
            let error = refused(text).expect_err(text);
            assert!(error.starts_with(&format!("{path}: expected struct ")), "{error}");
            assert!(error.contains("found sequence"), "{error}");
        }
        assert_eq!(refused(r#"{"now":"2025-01-01T00:00:00Z","machine":{},"machines":[{}]}"#), Ok(()));
    }
}
