//! An object of any provider: bootstrap config, infrastructure or control plane.

use super::{Condition, Conditions, ConditionsExt, Metadata, Str, VersionCount};
use crate::outcome::ConditionStatus;
use crate::rfc3339;
use crate::time::Time;
use capi_policy_json::{Raw, fields};

/// What stands for the reason of a condition that has none.
pub const NO_REASON_REPORTED: &str = "NoReasonReported";

fields! {
    /// A provider's object. Its fields may have any type, so they are looked at only when they are needed.
    pub struct ExternalObject<'a> {
        "kind" => kind: Str<'a>,
        "metadata" => metadata: Metadata<'a>,
        /// Those fields that the contract names.
        "spec" => spec: Spec<'a>,
        "status" => status: Raw<'a>,
    }

    /// `spec` of a provider's object.
    pub struct Spec<'a> {
        /// Of a control plane that has them.
        "replicas" => replicas: Raw<'a>,
        /// Of an infrastructure machine that knows it.
        "providerID" => provider_id: Raw<'a>,
        /// Of a control plane that has one.
        "version" => version: Raw<'a>,
    }

    /// A condition as a provider writes it: in any style, with fields of any type.
    pub struct ReportedCondition<'a> in order {
        "lastTransitionTime" => last_transition_time: Raw<'a>,
        "message" => message: Raw<'a>,
        "observedGeneration" => observed_generation: Raw<'a>,
        "reason" => reason: Raw<'a>,
        "status" => status: Raw<'a>,
        "type" => kind: Raw<'a>,
    }
}

/// A field that has another type than the contract says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongType;

impl<'a> ExternalObject<'a> {
    /// Its conditions: `status.v1beta2.conditions` where there is such a list, else `status.conditions`.
    ///
    /// Lists in the old style are read too. The error is a message for people.
    pub fn conditions(&self) -> Result<Conditions<'a>, String> {
        let lists: [(&str, &[&str]); 2] =
            [("status.v1beta2.conditions", &["v1beta2", "conditions"]), ("status.conditions", &["conditions"])];
        for (path, fields) in lists {
            if let Some(list) = self.in_status(fields).ok().flatten().and_then(Raw::items) {
                return list
                    .into_iter()
                    .filter(|item| item.is_object())
                    .map(|item| read_condition(&capi_policy_json::read(item.text()).unwrap_or_default()))
                    .collect::<Result<_, _>>()
                    .map(first_of_each_type)
                    .map_err(|error| {
                        format!("failed to convert {path} from {} to []metav1.Condition: {error}", self.kind)
                    });
            }
        }
        Ok(Vec::new())
    }

    /// A whole number below `status`; `None` where there is none.
    pub fn count(&self, field: &str) -> Option<i64> {
        self.in_status(&[field]).ok().flatten().and_then(Raw::as_i64)
    }

    /// A flag below `status`; `None` where it is not set.
    pub fn flag(&self, fields: &[&str]) -> Result<Option<bool>, WrongType> {
        match self.in_status(fields)? {
            None => Ok(None),
            Some(value) => value.as_bool().map(Some).ok_or(WrongType),
        }
    }

    /// How many replicas run each version, below `status`; `None` where it is not set.
    pub fn versions(&self) -> Result<Option<Vec<VersionCount<'a>>>, WrongType> {
        match self.in_status(&["versions"])? {
            None => Ok(None),
            Some(list) if list.items().is_some() => {
                capi_policy_json::read(list.text()).map(Some).map_err(|_| WrongType)
            }
            Some(_) => Err(WrongType),
        }
    }

    fn in_status(&self, fields: &[&str]) -> Result<Option<Raw<'a>>, WrongType> {
        let mut value = self.status;
        for field in fields {
            if value.is_null() {
                return Ok(None);
            }
            if !value.is_object() {
                return Err(WrongType);
            }
            let Some(member) = value.member(field) else { return Ok(None) };
            value = member;
        }
        Ok(Some(value))
    }
}

/// Nothing keeps a provider's list from having a type twice; only the first one counts.
fn first_of_each_type(list: Vec<Condition<'_>>) -> Conditions<'_> {
    let mut first = Conditions::new();
    for condition in list {
        if first.of_type(&condition.kind).is_none() {
            first.push(condition);
        }
    }
    first
}

fn read_condition<'a>(reported: &ReportedCondition<'a>) -> Result<Condition<'a>, String> {
    let text = |field: Raw<'a>| field.as_str().unwrap_or_default();
    let last_transition_time = match &*text(reported.last_transition_time) {
        "" | "null" => None,
        time => match rfc3339::complaint(time) {
            Some(complaint) => {
                return Err(format!("failed to unmarshal lastTransitionTime value: {time}: {complaint}"));
            }
            None => Time::parse(time).filter(|time| *time != Time::ZERO),
        },
    };
    let (kind, status) = (text(reported.kind), text(reported.status));
    if kind.is_empty() {
        return Err("type must be set for all conditions".to_owned());
    }
    if status.is_empty() {
        return Err(format!("status must be set for the {kind} condition"));
    }
    if ConditionStatus::parse(&status).is_none() {
        return Err(format!("status for the {kind} condition must be one of True, False, Unknown"));
    }
    let reason = Some(text(reported.reason)).filter(|reason| !reason.is_empty());
    Ok(Condition {
        kind,
        status,
        reason: reason.unwrap_or_else(|| NO_REASON_REPORTED.into()),
        message: text(reported.message),
        last_transition_time,
        observed_generation: reported.observed_generation.as_i64(),
        ..Condition::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(status: &str) -> ExternalObject<'_> {
        let status = capi_policy_json::read(status).unwrap_or_default();
        ExternalObject { kind: "DockerMachine".into(), status, ..ExternalObject::default() }
    }

    #[test]
    fn the_new_list_goes_before_the_old_one_even_when_it_is_empty() {
        let both = object(r#"{"v1beta2": {"conditions": []}, "conditions": [{"type": "Ready", "status": "True"}]}"#);
        assert_eq!(both.conditions().map(|c| c.len()), Ok(0));
        let old =
            object(r#"{"v1beta2": {"conditions": null}, "conditions": [{"type": "Ready", "status": "True"}, 7]}"#);
        let reasons = old.conditions().map(|c| c.iter().map(|c| c.reason.to_string()).collect::<Vec<_>>());
        assert_eq!(reasons, Ok(vec![NO_REASON_REPORTED.to_owned()]));
        assert_eq!(object("{}").conditions().map(|c| c.len()), Ok(0));
        assert_eq!(object("7").conditions().map(|c| c.len()), Ok(0));
    }

    #[test]
    fn a_list_that_makes_no_sense_is_refused_with_its_path() {
        for (condition, complaint) in [
            (r#"{"status": "True"}"#, "type must be set for all conditions"),
            (r#"{"type": "Ready"}"#, "status must be set for the Ready condition"),
            (
                r#"{"type": "Ready", "status": "Maybe"}"#,
                "status for the Ready condition must be one of True, False, Unknown",
            ),
        ] {
            let said = object(&format!(r#"{{"conditions": [{condition}]}}"#)).conditions().map(|c| c.len());
            let prefix = "failed to convert status.conditions from DockerMachine to []metav1.Condition: ";
            assert_eq!(said, Err(format!("{prefix}{complaint}")));
        }
    }

    #[test]
    fn flags_and_counts_tell_absent_from_wrong() {
        let initialized = |status| object(status).flag(&["initialization", "controlPlaneInitialized"]);
        assert_eq!(initialized(r#"{"initialization": {"controlPlaneInitialized": true}}"#), Ok(Some(true)));
        assert_eq!(initialized(r#"{"initialization": {"controlPlaneInitialized": "yes"}}"#), Err(WrongType));
        assert_eq!(initialized(r#"{"initialization": 7}"#), Err(WrongType));
        assert_eq!(initialized(r#"{"initialization": null}"#), Ok(None));
        assert_eq!(initialized("null"), Ok(None));
        assert_eq!(object(r#"{"replicas": 3}"#).count("replicas"), Some(3));
        assert_eq!(object(r#"{"replicas": "3"}"#).count("replicas"), None);
    }
}
