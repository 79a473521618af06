//! What types of the policy look like in JSON, for the schemas of decisions.

use capi_policy::outcome;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

/// A type whose values are these words.
macro_rules! words {
    ($($(#[$about:meta])* $name:ident: $($word:ident)+;)+) => {$(
        $(#[$about])*
        pub struct $name;

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "enum": [$(outcome::$name::$word.as_str()),+] })
            }
        }
    )+};
}

words! {
    /// The status of a condition.
    ConditionStatus: True False Unknown;
    /// What a health check finds about a machine.
    Verdict: Healthy Unhealthy Waiting NotEvaluated Skipped;
    /// Why a machine is unhealthy.
    Cause: RemediateAnnotation NodeStartupTimeout NodeNotFound UnhealthyCondition;
    /// Since when a check counts.
    Clock: MachineCreated ClusterInfrastructureReady ControlPlaneInitialized MachineInfrastructureReady ConditionTransition;
}

/// A time in RFC 3339.
pub struct Time;

impl JsonSchema for Time {
    fn schema_name() -> Cow<'static, str> {
        "Time".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }
}
