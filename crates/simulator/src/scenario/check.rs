//! What a scenario may ask for.

use super::{Duration, HealthCheck, Incident, Scenario, Span};
use crate::property::Property;
use capi_policy::time::Time;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::{Display, Write};

const LONGEST_HORIZON: Span = Span(366 * 86_400);
const LONGEST_DURATION: Span = Span(30 * 86_400);
const SHORTEST_FLAP: Span = Span(10);
const MOST_CLUSTERS: u32 = 10_000;
const MOST_REPLICAS: u32 = 100_000;
const MOST_MACHINES: u64 = 2_000_000;
const MOST_OF_A_LIST: usize = 1_000;
/// The last moment of a day can still be written as RFC 3339 has it.
const LATEST_START: &str = "9998-12-31T00:00:00Z";
/// A longer value is cut short.
const MOST_OF_A_VALUE: usize = 60;
/// Kubernetes' longest label, which names become.
const LONGEST_NAME: usize = 50;
/// Who has what a scenario of its own names.
const SCENARIO: &str = "the scenario has";
/// What the machines of the control plane are called.
pub const CONTROL_PLANE: &str = "controlPlane";

/// What is wrong with a scenario, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct Invalid {
    /// The field.
    pub path: String,
    /// What is wrong, with the value.
    pub problem: String,
}

impl Invalid {
    /// Something that is not as expected.
    pub fn new(path: impl Into<String>, expected: impl Display, found: impl Display) -> Self {
        Self { path: path.into(), problem: format!("expected {expected}, found {}", cut(&found.to_string())) }
    }

    /// What serde found.
    pub fn read(value: &Value, error: &serde_path_to_error::Error<serde_json::Error>) -> Self {
        let path = error.path().to_string();
        let mut problem = error.inner().to_string().replace("expected u32", "expected a whole number");
        let mut found = Some(value);
        for segment in error.path() {
            found = found.and_then(|value| match segment {
                serde_path_to_error::Segment::Seq { index } => value.get(index),
                serde_path_to_error::Segment::Map { key } => value.get(key),
                serde_path_to_error::Segment::Enum { variant } => value.get(variant),
                serde_path_to_error::Segment::Unknown => None,
            });
        }
        // An unknown field is wrong whatever its value.
        let found = found.filter(|_| !problem.starts_with("unknown field"));
        let found = found.map(|found| cut(&found.to_string())).filter(|found| !problem.contains(&**found));
        if let Some(found) = found {
            let _ = write!(problem, " ({found})");
        }
        let path = if path == "." { "scenario".to_owned() } else { path };
        Self { path, problem }
    }

    /// The same, found in something larger.
    #[must_use]
    pub fn below(mut self, place: &str) -> Self {
        self.path.insert_str(0, place);
        self
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= MOST_OF_A_VALUE {
        return text.to_owned();
    }
    text.chars().take(MOST_OF_A_VALUE).chain(['…']).collect()
}

/// Finds the first thing that is wrong.
pub fn check(scenario: &Scenario) -> Result<(), Invalid> {
    within("horizon", scenario.horizon, Span(60), LONGEST_HORIZON)?;
    if !(1..=MOST_CLUSTERS).contains(&scenario.clusters) {
        return Err(Invalid::new("clusters", format_args!("1 to {MOST_CLUSTERS}"), scenario.clusters));
    }
    if scenario.start < Time::ZERO || Time::parse(LATEST_START).is_none_or(|latest| scenario.start > latest) {
        return Err(Invalid::new("start", format_args!("{} to {LATEST_START}", Time::ZERO), scenario.start));
    }
    list("zones", scenario.zones.len())?;
    for (i, zone) in scenario.zones.iter().enumerate() {
        name(&format!("zones[{i}]"), zone)?;
    }
    distinct(scenario.zones.iter(), |i| format!("zones[{i}]"))?;
    for (own, deployment) in &scenario.machine_deployments {
        let path = format!("machineDeployments.{own}");
        name(&path, own)?;
        replicas(&path, deployment.replicas)?;
        if let Some(zone) = &deployment.zone {
            known(&format!("{path}.zone"), zone, &scenario.zones, SCENARIO)?;
        }
    }
    let replicas_of_plane = scenario.control_plane.as_ref().map(|plane| plane.replicas);
    if let Some(found) = replicas_of_plane.filter(|replicas| replicas.is_multiple_of(2) || *replicas > 9) {
        return Err(Invalid::new("controlPlane.replicas", "1, 3, 5, 7 or 9", found));
    }
    let machines = scenario.machines_per_cluster().saturating_mul(u64::from(scenario.clusters));
    if machines > MOST_MACHINES {
        let found = format!("{} clusters of {}", scenario.clusters, scenario.machines_per_cluster());
        return Err(Invalid::new("clusters", format_args!("at most {MOST_MACHINES} machines"), found));
    }
    infrastructure(scenario)?;
    for (own, check) in &scenario.health_checks {
        health_check(scenario, own, check)?;
    }
    list("incidents", scenario.incidents.len())?;
    for (i, each) in scenario.incidents.iter().enumerate() {
        incident(scenario, &format!("incidents[{i}]"), each)?;
    }
    list("compare", scenario.compare.len())?;
    distinct(scenario.compare.iter().map(|variant| &variant.name), |i| format!("compare[{i}].name"))?;
    for (list, texts) in [("never", &scenario.never), ("always", &scenario.always)] {
        for (i, text) in texts.iter().enumerate() {
            Property::parse(text).map_err(|problem| Invalid { path: format!("{list}[{i}]"), problem })?;
        }
    }
    Ok(())
}

fn infrastructure(scenario: &Scenario) -> Result<(), Invalid> {
    let of = &scenario.infrastructure;
    for (path, duration) in [("infrastructure.boot", &of.boot), ("infrastructure.drain", &of.drain)] {
        let Duration { min, median, p90, max } = *duration;
        within(path, max, Span(0), LONGEST_DURATION)?;
        if !duration.is_ordered() {
            let found = format!("min {min}, median {median}, p90 {p90}, max {max}");
            return Err(Invalid::new(path, "min, median, p90 and max in this order", found));
        }
    }
    within("infrastructure.nodeGrace", of.node_grace, Span(0), LONGEST_DURATION)?;
    if let Some(flapping) = &of.flapping {
        within("infrastructure.flapping.up", flapping.up, SHORTEST_FLAP, LONGEST_DURATION)?;
        within("infrastructure.flapping.down", flapping.down, SHORTEST_FLAP, LONGEST_DURATION)?;
    }
    Ok(())
}

fn health_check(scenario: &Scenario, own: &str, check: &HealthCheck) -> Result<(), Invalid> {
    let path = format!("healthChecks.{own}");
    name(&path, own)?;
    if let Some(of) = check.of.as_ref().filter(|_| scenario.has_fleet()) {
        owner(scenario, &format!("{path}.of"), of)?;
    }
    if let Some(range) = check.unhealthy_in_range.as_ref().filter(|range| !is_range(range)) {
        let path = format!("{path}.unhealthyInRange");
        return Err(Invalid::new(path, "a range like [1-3], the smaller number first", format!("{range:?}")));
    }
    if let Some(timeout) = check.node_startup_timeout {
        within(&format!("{path}.nodeStartupTimeout"), timeout, Span(0), LONGEST_DURATION)?;
    }
    for (i, each) in check.unhealthy_node_conditions.iter().flatten().enumerate() {
        let path = format!("{path}.unhealthyNodeConditions[{i}]");
        within(&format!("{path}.timeout"), each.timeout, Span(0), LONGEST_DURATION)?;
        if !["True", "False", "Unknown"].contains(&&*each.status) {
            return Err(Invalid::new(format!("{path}.status"), "True, False or Unknown", format!("{:?}", each.status)));
        }
    }
    Ok(())
}

/// As Machines may name it.
fn is_version(text: &str) -> bool {
    let numbers = text.strip_prefix('v').map(|text| text.split(['-', '+']).next().unwrap_or_default());
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|numbers| numbers.split('.').count() == 3 && numbers.split('.').all(is_number))
}

fn is_range(text: &str) -> bool {
    let numbers = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).and_then(|text| text.split_once('-'));
    let number = |digits: &str| digits.parse::<u32>().ok().filter(|_| !digits.starts_with('+'));
    let (min, max) = numbers.map_or((None, None), |(min, max)| (number(min), number(max)));
    min.is_some() && min <= max
}

fn incident(scenario: &Scenario, path: &str, incident: &Incident) -> Result<(), Invalid> {
    let of = |kind: &str, field: &str| format!("{path}.{kind}.{field}");
    let kind = match incident {
        Incident::ZoneCutOff { .. } => "zoneCutOff",
        Incident::MachinesFail { .. } => "machinesFail",
        Incident::ApiServerUnreachable { .. } => "apiServerUnreachable",
        Incident::Rollout { .. } => "rollout",
    };
    within(&of(kind, "at"), incident.at(), Span(0), scenario.horizon)?;
    if let Some(end) = incident.end() {
        within(&of(kind, "for"), Span(end.0 - incident.at().0), Span(1), LONGEST_HORIZON)?;
    }
    match incident {
        Incident::ZoneCutOff { zone, .. } => known(&of(kind, "zone"), zone, &scenario.zones, SCENARIO),
        Incident::Rollout { version, .. } if !is_version(version) => {
            Err(Invalid::new(of(kind, "version"), "a version like v1.33.1", format!("{version:?}")))
        }
        Incident::MachinesFail { count: 0, .. } => Err(Invalid::new(of(kind, "count"), "1 or more", 0)),
        Incident::MachinesFail { of: whose, .. } | Incident::Rollout { of: whose, .. } if scenario.has_fleet() => {
            owner(scenario, &of(kind, "of"), whose)
        }
        _ => Ok(()),
    }
}

fn owner(scenario: &Scenario, path: &str, name: &str) -> Result<(), Invalid> {
    if name == CONTROL_PLANE && scenario.control_plane.is_some() {
        return Ok(());
    }
    let names: Vec<_> = scenario.machine_deployments.keys().cloned().collect();
    known(path, name, &names, SCENARIO)
}

/// Whether the name at `path` is one of those that somebody has.
pub fn known(path: &str, name: &str, names: &[String], who: &str) -> Result<(), Invalid> {
    if names.iter().any(|known| known == name) {
        return Ok(());
    }
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let expected = format!("the name of one that {who} ({})", cut(&names));
    Err(Invalid::new(path, expected, format!("{name:?}")))
}

fn within(path: &str, span: Span, least: Span, most: Span) -> Result<(), Invalid> {
    if (least..=most).contains(&span) {
        return Ok(());
    }
    Err(Invalid::new(path, format_args!("{least} to {most}"), span))
}

fn replicas(path: &str, replicas: u32) -> Result<(), Invalid> {
    if (1..=MOST_REPLICAS).contains(&replicas) {
        return Ok(());
    }
    Err(Invalid::new(format!("{path}.replicas"), format_args!("1 to {MOST_REPLICAS}"), replicas))
}

fn distinct<'n>(names: impl Iterator<Item = &'n String>, path: impl Fn(usize) -> String) -> Result<(), Invalid> {
    let mut seen = BTreeSet::new();
    for (i, name) in names.enumerate() {
        if !seen.insert(name) {
            return Err(Invalid::new(path(i), "a name that no other one has", format!("{name:?}")));
        }
    }
    Ok(())
}

fn list(path: &str, length: usize) -> Result<(), Invalid> {
    if length <= MOST_OF_A_LIST {
        return Ok(());
    }
    Err(Invalid::new(path, format_args!("at most {MOST_OF_A_LIST}"), length))
}

fn name(path: &str, name: &str) -> Result<(), Invalid> {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(allowed) && !name.starts_with('-') {
        return Ok(());
    }
    Err(Invalid::new(path, "a name of lower-case letters, digits and hyphens", format!("{name:?}")))
}
