//! Mirrors a condition of another object: the object behind a reference, or the fact that it could not be read.

use crate::outcome::ConditionStatus;
use crate::table::Copied;
use crate::view::{Conditions, ConditionsExt, ExternalObject, NO_REASON_REPORTED, ObjectRef};

/// An object that a reference leads to, as far as it could be read.
#[derive(Debug)]
pub struct Referenced<'a> {
    reference: &'a ObjectRef<'a>,
    object: Option<&'a ExternalObject<'a>>,
    missing: bool,
    conditions: Result<Conditions<'a>, String>,
}

impl<'a> Referenced<'a> {
    /// What was read; without an object, `not_found` tells "does not exist" from "can't be read".
    pub fn new(reference: &'a ObjectRef<'a>, object: Option<&'a ExternalObject<'a>>, not_found: Option<bool>) -> Self {
        Self {
            reference,
            object,
            missing: not_found.unwrap_or(object.is_none()),
            conditions: object.map_or(Ok(Vec::new()), ExternalObject::conditions),
        }
    }

    /// The kind that the reference names.
    pub fn kind(&self) -> &'a str {
        &self.reference.kind
    }

    /// Kind and name that the reference names.
    pub fn reference(&self) -> String {
        format!("{} {}", self.reference.kind, self.reference.name)
    }

    /// There is a reference.
    pub fn referenced(&self) -> bool {
        self.reference.is_defined()
    }

    /// The object, where it could be read.
    pub fn object(&self) -> Option<&'a ExternalObject<'a>> {
        self.object
    }

    /// It could be read.
    pub fn found(&self) -> bool {
        self.object.is_some()
    }

    /// It is known not to exist.
    pub fn missing(&self) -> bool {
        self.missing
    }

    /// It can't be read, and nobody knows whether it exists.
    pub fn unreadable(&self) -> bool {
        !self.found() && !self.missing
    }

    /// Its conditions make no sense.
    pub fn conditions_invalid(&self) -> bool {
        self.conditions.is_err()
    }

    /// What is wrong with its conditions; empty when nothing is.
    pub fn what_is_invalid(&self) -> &str {
        self.conditions.as_ref().err().map_or("", |error| error)
    }

    /// Its conditions; none when they make no sense.
    pub fn conditions(&self) -> &Conditions<'a> {
        const NONE: &Conditions<'_> = &Vec::new();
        self.conditions.as_ref().unwrap_or(NONE)
    }

    /// It has the condition.
    pub fn reports(&self, kind: &str) -> bool {
        self.conditions().of_type(kind).is_some()
    }

    /// Its condition, to be taken over. Conditions in the old style have no reason when they are True: one is given.
    pub fn mirror(&self, kind: &str, reason_when_true: &str) -> Copied {
        let Some(condition) = self.conditions().of_type(kind) else {
            return Copied {
                status: ConditionStatus::Unknown,
                reason: "NotYetReported".into(),
                message: format!("Condition {kind} not yet reported").into(),
                since: None,
            };
        };
        let status = ConditionStatus::parse(&condition.status).unwrap_or(ConditionStatus::Unknown);
        let reason = match &*condition.reason {
            NO_REASON_REPORTED if status == ConditionStatus::True => reason_when_true,
            reason => reason,
        };
        Copied {
            status,
            reason: reason.to_owned().into(),
            message: condition.message.to_string().into(),
            since: condition.last_transition_time,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Time;

    fn referenced<'a>(object: Option<&'a ExternalObject<'a>>, not_found: Option<bool>) -> Referenced<'a> {
        Referenced::new(Box::leak(Box::default()), object, not_found)
    }

    fn read(text: &str) -> ExternalObject<'_> {
        capi_policy_json::read(text).unwrap_or_default()
    }

    #[test]
    fn a_condition_is_taken_over_with_its_time() {
        let object = read(
            r#"{"status": {"conditions": [{"type": "Ready", "status": "False", "reason": "Waiting", "message": "soon",
                "lastTransitionTime": "2025-01-01T00:00:00Z"}]}}"#,
        );
        let expected = Copied {
            status: ConditionStatus::False,
            reason: "Waiting".into(),
            message: "soon".into(),
            since: Time::parse("2025-01-01T00:00:00Z"),
        };
        assert_eq!(referenced(Some(&object), None).mirror("Ready", "Ready"), expected);
    }

    #[test]
    fn a_reason_is_given_only_where_all_is_well() {
        for (status, reason) in [("True", "Ready"), ("False", NO_REASON_REPORTED), ("Unknown", NO_REASON_REPORTED)] {
            let text = format!(r#"{{"status": {{"conditions": [{{"type": "Ready", "status": "{status}"}}]}}}}"#);
            assert_eq!(referenced(Some(&read(&text)), None).mirror("Ready", "Ready").reason, reason);
        }
    }

    #[test]
    fn a_condition_that_is_not_there_is_not_yet_reported() {
        let object = read("{}");
        let mirrored = referenced(Some(&object), None).mirror("Available", "Available");
        assert_eq!((&*mirrored.reason, &*mirrored.message), ("NotYetReported", "Condition Available not yet reported"));
    }

    #[test]
    fn what_was_not_read_is_missing_or_unreadable() {
        let states = |not_found| {
            let nothing = referenced(None, not_found);
            (nothing.found(), nothing.missing(), nothing.unreadable())
        };
        assert_eq!(states(None), (false, true, false));
        assert_eq!(states(Some(true)), (false, true, false));
        assert_eq!(states(Some(false)), (false, false, true));
    }
}
