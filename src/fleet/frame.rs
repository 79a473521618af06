//! The part of an object that decisions about the objects below it read.
//!
//! A Cluster's counters and most of its conditions change with every Machine. If that made everything in the Cluster due, each
//! change would be followed by a decision about every object. A health check's counters change as often, and its verdicts about
//! Machines read its spec and metadata only.

use crate::view::{Conditions, ConditionsExt};
use capi_policy_json::{Raw, fields};

/// Conditions of a Cluster that decisions about its objects read.
const CONDITIONS: &[&str] = &["ControlPlaneInitialized", "InfrastructureReady", "RemoteConnectionProbe"];

fields! {
    /// What objects below an object may read of it.
    struct Frame<'a> {
        "metadata" => metadata: Metadata<'a>,
        "spec" => spec: Raw<'a>,
        "status" => status: Status<'a>,
    }

    #[derive(PartialEq)]
    struct Metadata<'a> {
        "annotations" => annotations: Raw<'a>,
        "creationTimestamp" => creation_timestamp: Raw<'a>,
        "deletionTimestamp" => deletion_timestamp: Raw<'a>,
        "labels" => labels: Raw<'a>,
        "ownerReferences" => owner_references: Raw<'a>,
        "uid" => uid: Raw<'a>,
    }

    /// How far the start has come.
    struct Status<'a> {
        "conditions" => conditions: Conditions<'a>,
        "initialization" => initialization: Raw<'a>,
    }
}

/// Whether objects below would read something else in another version of the object.
pub fn differs(before: &str, after: &str) -> bool {
    let frame = capi_policy_json::read::<Frame<'_>>;
    let (Ok(before), Ok(after)) = (frame(before), frame(after)) else { return true };
    let condition = |frame: &Frame<'_>, condition_type: &str| {
        let stored = frame.status.conditions.of_type(condition_type)?;
        let text = [&stored.status, &stored.reason, &stored.message].map(ToString::to_string);
        Some((text, stored.last_transition_time))
    };
    before.metadata != after.metadata
        || before.spec != after.spec
        || before.status.initialization != after.status.initialization
        || CONDITIONS.iter().any(|of_type| condition(&before, of_type) != condition(&after, of_type))
}

#[cfg(test)]
mod tests {
    use super::differs;

    #[test]
    fn counters_and_most_conditions_are_not_part_of_a_frame() {
        let cluster = |metadata: &str, spec: &str, status: &str| {
            format!(r#"{{"kind":"Cluster","metadata":{{"name":"c",{metadata}}},"spec":{spec},"status":{status}}}"#)
        };
        let condition = |of_type: &str| format!(r#"{{"conditions":[{{"type":"{of_type}","status":"True"}}]}}"#);
        let plain = cluster(r#""resourceVersion":"1""#, "{}", "{}");
        for same in [
            cluster(r#""resourceVersion":"2""#, "{}", r#"{"phase":"Provisioned","workers":{"replicas":3}}"#),
            cluster(r#""generation":2"#, "{}", &condition("Available")),
        ] {
            assert!(!differs(&plain, &same), "{same}");
        }
        for other in [
            cluster(r#""labels":{}"#, "{}", "{}"),
            cluster(r#""resourceVersion":"1""#, r#"{"paused":true}"#, "{}"),
            cluster(r#""resourceVersion":"1""#, "{}", &condition("InfrastructureReady")),
            cluster(r#""resourceVersion":"1""#, "{}", r#"{"initialization":{"infrastructureProvisioned":true}}"#),
        ] {
            assert!(differs(&plain, &other), "{other}");
        }
    }
}
