//! A bad day as people write it down: a fleet, how its infrastructure behaves, and what goes wrong when.

mod amount;
mod check;
mod given;
mod health_check;
pub mod objects;
mod units;
mod variant;

pub use amount::Amount;
pub use check::Invalid;
pub use health_check::{Conditions, HealthCheck};
pub use units::{Duration, Share, Span};
pub use variant::Variant;

use capi_policy::Profile;
use capi_policy::time::Time;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;

/// When days start that do not say when.
const START: &str = "2026-03-01T00:00:00Z";

/// A bad day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "the fields of a scenario, by name")]
pub struct Scenario {
    /// What it is called.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// When it starts.
    #[serde(default = "start", serialize_with = "write_time", deserialize_with = "read_time")]
    pub start: Time,
    /// How long it lasts.
    pub horizon: Span,
    /// Which rules apply.
    #[serde(default = "newest", serialize_with = "write_profile", deserialize_with = "read_profile")]
    pub profile: Profile,
    /// How many clusters there are, all alike.
    #[serde(default = "one")]
    pub clusters: u32,
    /// The zones over which machines are spread.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub zones: Vec<String>,
    /// The MachineDeployments of each cluster, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub machine_deployments: BTreeMap<String, MachineDeployment>,
    /// The control plane of each cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_plane: Option<ControlPlane>,
    /// The health checks of each cluster, by name. Where objects are given, fields that stand here replace theirs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub health_checks: BTreeMap<String, HealthCheck>,
    /// How machines behave.
    #[serde(default)]
    pub infrastructure: Infrastructure,
    /// What happens at a certain time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub incidents: Vec<Incident>,
    /// The same day with something else in it, to compare.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compare: Vec<Variant>,
    /// What must never hold, as `replaced > 20%`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub never: Vec<String>,
    /// What must always hold, as `quorum`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub always: Vec<String>,
}

/// A MachineDeployment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MachineDeployment {
    /// How many machines it wants.
    pub replicas: u32,
    /// The zone of all its machines; without it they are spread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// `spec.rollout.strategy.rollingUpdate.maxSurge`.
    #[serde(default = "amount_one")]
    pub max_surge: Amount,
    /// `spec.rollout.strategy.rollingUpdate.maxUnavailable`.
    #[serde(default)]
    pub max_unavailable: Amount,
    /// `spec.remediation.maxInFlight`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_in_flight: Option<Amount>,
}

/// A KubeadmControlPlane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ControlPlane {
    /// How many machines it wants.
    pub replicas: u32,
    /// `spec.remediation.maxRetry`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_retry: Option<u32>,
    /// `spec.remediation.retryPeriodSeconds`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_period: Option<Span>,
    /// `spec.remediation.minHealthyPeriodSeconds`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_healthy_period: Option<Span>,
}

/// How machines behave when nothing special happens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Infrastructure {
    /// From a Machine to its ready Node.
    #[serde(default = "boot")]
    pub boot: Duration,
    /// Of new machines, those that never come up.
    #[serde(default, skip_serializing_if = "is_none")]
    pub failed_boots: Share,
    /// From a deletion to its end.
    #[serde(default = "drain")]
    pub drain: Duration,
    /// Of machines, those that die in a day.
    #[serde(default, skip_serializing_if = "is_none")]
    pub deaths_per_day: Share,
    /// From a machine's silence to the Node condition `Ready` that says so.
    #[serde(default = "grace")]
    pub node_grace: Span,
    /// Machines whose Nodes come and go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flapping: Option<Flapping>,
}

/// Machines whose Nodes come and go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Flapping {
    /// Of machines, those that flap.
    pub machines: Share,
    /// About how long they are up.
    pub up: Span,
    /// About how long they are down.
    pub down: Span,
    /// Whether the machine that replaces one flaps too, as on the same hardware.
    #[serde(default)]
    pub stays: bool,
}

/// What happens at a certain time. Times are counted from the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Incident {
    /// A zone is cut off and comes back: its machines fall silent, and new ones do not come up there.
    ZoneCutOff {
        /// When.
        at: Span,
        /// For how long.
        r#for: Span,
        /// Which zone.
        zone: String,
    },
    /// Machines fall silent; for good, if nothing says for how long.
    MachinesFail {
        /// When.
        at: Span,
        /// For how long.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        r#for: Option<Span>,
        /// Whose: the name of a MachineDeployment, or `controlPlane`.
        of: String,
        /// How many, the first ones.
        count: u32,
    },
    /// The API server of every workload cluster can't be reached; its machines go on.
    ApiServerUnreachable {
        /// When.
        at: Span,
        /// For how long.
        r#for: Span,
    },
    /// Somebody rolls out a version.
    Rollout {
        /// When.
        at: Span,
        /// Of what: the name of a MachineDeployment, or `controlPlane`.
        of: String,
        /// Which version.
        version: String,
        /// Whether no machine of this version ever comes up.
        #[serde(default)]
        bad_image: bool,
    },
}

impl Incident {
    /// When it begins.
    pub fn at(&self) -> Span {
        match self {
            Self::ZoneCutOff { at, .. }
            | Self::MachinesFail { at, .. }
            | Self::ApiServerUnreachable { at, .. }
            | Self::Rollout { at, .. } => *at,
        }
    }

    /// When it is over, if ever.
    pub fn end(&self) -> Option<Span> {
        let lasts = match self {
            Self::ZoneCutOff { r#for, .. } | Self::ApiServerUnreachable { r#for, .. } => Some(*r#for),
            Self::MachinesFail { r#for, .. } => *r#for,
            Self::Rollout { .. } => None,
        };
        lasts.map(|lasts| Span(self.at().0.saturating_add(lasts.0)))
    }

    /// In a few words.
    pub fn line(&self) -> String {
        match self {
            Self::ZoneCutOff { zone, .. } => format!("zone {zone} is cut off"),
            Self::MachinesFail { of, count: 1, .. } => format!("1 machine of {of} fails"),
            Self::MachinesFail { of, count, .. } => format!("{count} machines of {of} fail"),
            Self::ApiServerUnreachable { .. } => "the workload cluster's API server can't be reached".to_owned(),
            Self::Rollout { of, version, bad_image: false, .. } => format!("{of} is rolled out to {version}"),
            Self::Rollout { of, version, .. } => format!("{of} is rolled out to {version}, with a bad image"),
        }
    }

    /// Its end, in a few words.
    pub fn end_line(&self) -> String {
        match self {
            Self::ZoneCutOff { zone, .. } => format!("zone {zone} is back"),
            Self::MachinesFail { of, count: 1, .. } => format!("1 machine of {of} is back"),
            Self::MachinesFail { of, count, .. } => format!("{count} machines of {of} are back"),
            Self::ApiServerUnreachable { .. } => "the workload cluster's API server is back".to_owned(),
            Self::Rollout { .. } => String::new(),
        }
    }
}

impl Scenario {
    /// Reads a scenario and checks it.
    pub fn read(value: &Value) -> Result<Self, Invalid> {
        let scenario: Self = serde_path_to_error::deserialize(value).map_err(|error| Invalid::read(value, &error))?;
        check::check(&scenario)?;
        scenario.compare.iter().try_for_each(|variant| variant.apply(&scenario).map(drop))?;
        Ok(scenario)
    }

    /// The same on another day.
    pub fn starting(mut self, start: Time) -> Result<Self, Invalid> {
        self.start = start;
        check::check(&self)?;
        Ok(self)
    }

    /// As it can be read again.
    pub fn value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// When it ends.
    pub fn end(&self) -> Time {
        self.start.plus(self.horizon.0)
    }

    /// How many machines a cluster wants.
    pub fn machines_per_cluster(&self) -> u64 {
        let workers: u64 = self.machine_deployments.values().map(|of| u64::from(of.replicas)).sum();
        workers + self.control_plane.as_ref().map_or(0, |of| u64::from(of.replicas))
    }

    /// Whether it brings a fleet of its own.
    pub fn has_fleet(&self) -> bool {
        self.machines_per_cluster() > 0
    }
}

impl Default for Infrastructure {
    fn default() -> Self {
        Self {
            boot: boot(),
            failed_boots: Share(0),
            drain: drain(),
            deaths_per_day: Share(0),
            node_grace: grace(),
            flapping: None,
        }
    }
}

fn start() -> Time {
    Time::parse(START).unwrap_or(Time::ZERO)
}

fn newest() -> Profile {
    Profile::NEWEST
}

fn one() -> u32 {
    1
}

fn amount_one() -> Amount {
    Amount::Number(1)
}

fn boot() -> Duration {
    Duration::fixed(300)
}

fn drain() -> Duration {
    Duration::fixed(60)
}

/// As Kubernetes' node controller has it.
fn grace() -> Span {
    Span(50)
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_none(share: &Share) -> bool {
    share.0 == 0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn write_time<S: Serializer>(time: &Time, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(time)
}

fn read_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Time, D::Error> {
    let text = String::deserialize(deserializer)?;
    let wrong = || serde::de::Error::invalid_value(serde::de::Unexpected::Str(&text), &"RFC 3339");
    Time::parse(&text).ok_or_else(wrong)
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn write_profile<S: Serializer>(profile: &Profile, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(profile)
}

fn read_profile<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Profile, D::Error> {
    let text = String::deserialize(deserializer)?;
    let profile = Profile::named(&text).map_err(serde::de::Error::custom)?;
    if profile.has_owner_actions() {
        Ok(profile)
    } else {
        let known = "a profile for which it is known what owners do, like cluster-api-v1.14";
        Err(serde::de::Error::invalid_value(serde::de::Unexpected::Str(&text), &known))
    }
}
