//! The WIT world `capi:policy/fleet-policy`: objects that stay between calls.

#[allow(clippy::all, clippy::pedantic, missing_docs, unused_qualifications, reason = "generated from wit/")]
mod wit {
    use super::Policy;

    wit_bindgen::generate!({ world: "fleet-policy", path: "wit" });

    export!(Policy);
}

use crate::error::Error;
use crate::fleet::{self, Fleet};
use crate::outcome::written;
use crate::snapshot::{Kind, Profile};
use crate::time::Time;
use std::cell::RefCell;
use wit::exports::capi::policy::fleets::{self, ObjectRef};

struct Policy;

impl fleets::Guest for Policy {
    type Fleet = RefCell<Fleet>;

    fn catalog() -> String {
        crate::catalog::json()
    }
}

impl fleets::GuestFleet for RefCell<Fleet> {
    fn new() -> Self {
        Self::default()
    }

    fn upsert(&self, object: String) -> Result<(), String> {
        self.borrow_mut().upsert(&object).map_err(|error| error.json())
    }

    fn remove(&self, object: ObjectRef) {
        self.borrow_mut().remove(&object.kind, &object.namespace, &object.name);
    }

    fn observe(&self, object: ObjectRef, facts: String) -> Result<(), String> {
        let observed = known(object).and_then(|object| self.borrow_mut().observe(&object, &facts));
        observed.map_err(|error| error.json())
    }

    fn evaluate(&self, object: ObjectRef, now: String, profile: String, explain: bool) -> Result<String, String> {
        let decide = || {
            let (now, profile) = (Time::parse_named("now", &now)?, Profile::named(&profile)?);
            self.borrow_mut().evaluate(&known(object)?, now, profile, explain)
        };
        decide().map(|evaluation| written(&evaluation)).map_err(|error| error.json())
    }

    fn due(&self, now: String) -> Result<Vec<ObjectRef>, String> {
        let now = Time::parse_named("now", &now).map_err(|error| error.json())?;
        Ok(self.borrow().due(now).into_iter().map(Into::into).collect())
    }
}

impl From<fleet::ObjectRef> for ObjectRef {
    fn from(object: fleet::ObjectRef) -> Self {
        Self { kind: object.kind.to_string(), namespace: object.namespace, name: object.name }
    }
}

/// An object of a kind that can be evaluated.
fn known(object: ObjectRef) -> Result<fleet::ObjectRef, Error> {
    let ObjectRef { kind, namespace, name } = object;
    Ok(fleet::ObjectRef { kind: Kind::named(&kind)?, namespace, name })
}
