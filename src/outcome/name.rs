//! A machine's name, which a health check's evaluation has twice: as a target, and with the verdict.

use serde::{Serialize, Serializer};
use std::ops::Deref;
use std::sync::Arc;

/// A name whose copies share one text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(Arc<str>);

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Self(name.into())
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        Self::from(&*name)
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}
