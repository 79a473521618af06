//! A number or a percentage, as Kubernetes has it.

use super::units::Share;
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A number or a percentage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Amount {
    /// A plain number.
    Number(u32),
    /// A percentage, as it was written.
    Percentage(String),
}

impl Default for Amount {
    fn default() -> Self {
        Self::Number(0)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AmountVisitor;
        impl Visitor<'_> for AmountVisitor {
            type Value = Amount;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number, or a percentage like 20%")
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Amount, E> {
                let wrong = |_| E::invalid_value(de::Unexpected::Unsigned(number), &self);
                u32::try_from(number).map(Amount::Number).map_err(wrong)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Amount, E> {
                let wrong = || E::invalid_value(de::Unexpected::Str(text), &self);
                let whole = |share: &Share| share.0.is_multiple_of(10_000);
                Share::parse(text).filter(whole).map(|share| Amount::Percentage(share.to_string())).ok_or_else(wrong)
            }
        }
        deserializer.deserialize_any(AmountVisitor)
    }
}
