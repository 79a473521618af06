//! Aggregates one condition of many objects into one message: who reports what, the worst and most frequent first.

use crate::outcome::ConditionStatus;
use crate::sorted::Sorted;
use crate::text::name_list;
use crate::time::Time;
use crate::view::{Condition, Machine};
use std::collections::BTreeMap;

/// At most this many distinct messages are spelled out.
const MESSAGES_SHOWN: usize = 3;

/// An object whose condition is aggregated.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Its kind.
    pub kind: &'a str,
    /// Its name.
    pub name: &'a str,
    /// The machine that it is: those of the control plane go first.
    pub machine: Option<&'a Machine<'a>>,
    /// Its conditions.
    pub conditions: &'a [Condition<'a>],
}

impl<'a> From<&'a Machine<'a>> for Source<'a> {
    fn from(machine: &'a Machine<'a>) -> Self {
        Self {
            kind: "Machine",
            name: &machine.metadata.name,
            machine: Some(machine),
            conditions: &machine.status.conditions,
        }
    }
}

impl Source<'_> {
    fn control_plane(&self) -> bool {
        self.machine.is_some_and(Machine::is_control_plane)
    }
}

/// Whether True or False is the good status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// True is good.
    Positive,
    /// False is good.
    Negative,
}

/// How much attention a condition wants; the first is the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// Something is wrong.
    Issue,
    /// It is not known.
    Unknown,
    /// All is well.
    Info,
}

impl Polarity {
    /// The attention a condition of this polarity wants.
    pub fn priority(self, status: ConditionStatus) -> Priority {
        match (self, status) {
            (_, ConditionStatus::Unknown) => Priority::Unknown,
            (Self::Positive, ConditionStatus::True) | (Self::Negative, ConditionStatus::False) => Priority::Info,
            _ => Priority::Issue,
        }
    }
}

/// The result of an aggregation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aggregate {
    /// The highest priority found.
    pub priority: Priority,
    /// What is reported.
    pub message: String,
}

/// An object that can't be aggregated: two conditions of the type, or a status that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unaggregatable;

struct Report<'a> {
    since: Time,
    source: Source<'a>,
    priority: Priority,
    message: &'a str,
}

/// Aggregates the condition of one type over all sources. `None` without a source.
pub fn aggregate<'a>(
    sources: impl IntoIterator<Item = Source<'a>>,
    condition: &str,
    polarity: Polarity,
) -> Result<Option<Aggregate>, Unaggregatable> {
    aggregate_all(sources.into_iter().collect(), condition, polarity)
}

fn aggregate_all(
    sources: Vec<Source<'_>>,
    condition: &str,
    polarity: Polarity,
) -> Result<Option<Aggregate>, Unaggregatable> {
    let not_yet_reported = format!("Condition {condition} not yet reported");
    let mut reports = Vec::new();
    for source in sources {
        let report = match only(source.conditions, condition)? {
            None => Report { since: Time::ZERO, source, priority: Priority::Unknown, message: &not_yet_reported },
            Some(c) => {
                let status = ConditionStatus::parse(&c.status).ok_or(Unaggregatable)?;
                Report { since: c.transitioned(), source, priority: polarity.priority(status), message: &c.message }
            }
        };
        reports.push(report);
    }
    let Some(priority) = reports.iter().map(|r| r.priority).min() else { return Ok(None) };
    // Good news is reported only when there is no other, and only where there is a message.
    if priority == Priority::Info {
        reports.retain(|r| !r.message.is_empty());
    } else {
        reports.retain(|r| r.priority != Priority::Info);
    }
    // The order in which objects are named before they are sorted decides between messages of equal weight: issues
    // first, then the oldest first.
    reports.sort_by(|a, b| (a.priority, a.since, a.source.name).cmp(&(b.priority, b.since, b.source.name)));
    Ok(Some(Aggregate { priority, message: bullets(&reports).join("\n") }))
}

/// The condition of a type, which must not be there twice.
fn only<'a>(conditions: &'a [Condition<'a>], kind: &str) -> Result<Option<&'a Condition<'a>>, Unaggregatable> {
    let mut only = None;
    for condition in conditions {
        if condition.kind == kind && only.replace(condition).is_some() {
            return Err(Unaggregatable);
        }
    }
    Ok(only)
}

/// What is known about one message, over all kinds.
struct Weight {
    control_plane: bool,
    priority: Priority,
}

fn bullets(reports: &[Report<'_>]) -> Vec<String> {
    let mut weights: BTreeMap<&str, Weight> = BTreeMap::new();
    let mut kinds: Vec<(&str, BTreeMap<&str, Vec<&Source<'_>>>)> = Vec::new();
    for Report { source, message, priority, .. } in reports {
        let weight = weights.entry(message).or_insert(Weight { control_plane: false, priority: *priority });
        weight.control_plane |= source.control_plane();
        weight.priority = weight.priority.min(*priority);
        if !kinds.iter().any(|(kind, _)| *kind == source.kind) {
            kinds.push((source.kind, BTreeMap::new()));
        }
        if let Some((_, messages)) = kinds.iter_mut().find(|(kind, _)| *kind == source.kind) {
            messages.entry(message).or_default().push(source);
        }
    }
    kinds.order_by(|(a, _), (b, _)| a.cmp(b));

    let mut lines = Vec::new();
    let mut room = MESSAGES_SHOWN;
    for (kind, messages) in kinds {
        let mut messages: Vec<_> = messages
            .into_iter()
            .filter_map(|(message, sources)| {
                let names: Vec<_> = sources.iter().map(|s| s.name).collect();
                weights.get(message).map(|weight| (weight, message, names.join(","), sources))
            })
            .collect();
        messages.order_by(|(a, _, a_names, a_sources), (b, _, b_names, b_sources)| {
            let heavier = (!a.control_plane, a.priority).cmp(&(!b.control_plane, b.priority));
            heavier.then(b_sources.len().cmp(&a_sources.len())).then_with(|| a_names.cmp(b_names))
        });
        let mut rest = [(Priority::Issue, 0_usize), (Priority::Unknown, 0), (Priority::Info, 0)];
        for (weight, message, _, sources) in messages {
            if room == 0 {
                for (_, others) in rest.iter_mut().filter(|(priority, _)| *priority == weight.priority) {
                    *others = others.saturating_add(sources.len());
                }
                continue;
            }
            room = room.saturating_sub(1);
            let mut in_order: Vec<_> = sources.iter().map(|s| (!s.control_plane(), s.name)).collect();
            in_order.order_by(Ord::cmp);
            let names: Vec<_> = in_order.into_iter().map(|(_, name)| name).collect();
            lines.push(format!("* {} {}:{}", plural_for(names.len(), kind), name_list(&names), indented(message)));
        }
        for (priority, others) in rest.into_iter().filter(|(_, others)| *others > 0) {
            let what = match priority {
                Priority::Issue => "with other issues",
                Priority::Unknown => "with status unknown",
                Priority::Info => "with additional info",
            };
            lines.push(format!("And {others} {} {what}", plural_for(others, kind)));
        }
    }
    lines
}

fn plural_for(count: usize, kind: &str) -> String {
    if count == 1 { kind.to_owned() } else { plural(kind) }
}

/// The English plural of a kind's name.
fn plural(kind: &str) -> String {
    if kind.ends_with(['s', 'x', 'z']) || kind.ends_with("ch") || kind.ends_with("sh") {
        return format!("{kind}es");
    }
    match kind.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{kind}s"),
    }
}

/// A message behind its bullet: on the same line, or as nested bullets when it has several lines or bullets of its own.
pub fn indented(message: &str) -> String {
    if !message.contains('\n') && !has_bullet(message) {
        return format!(" {message}");
    }
    let plain_lines = message.split('\n').any(|line| !has_bullet(line));
    let mut text = String::new();
    for line in message.split('\n') {
        let prefix = match (plain_lines, has_bullet(line)) {
            (false, _) => "\n  ",
            (true, true) => "\n    ",
            (true, false) => "\n  * ",
        };
        text.push_str(prefix);
        text.push_str(line);
    }
    text
}

/// Cluster API takes a star before white space for a bullet wherever it stands in the line.
fn has_bullet(line: &str) -> bool {
    line.as_bytes().windows(2).any(|pair| matches!(pair, [b'*', b' ' | b'\t' | b'\n' | b'\r' | 0x0c]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_follow_english() {
        for (one, many) in [
            ("Machine", "Machines"),
            ("Proxy", "Proxies"),
            ("Gateway", "Gateways"),
            ("Box", "Boxes"),
            ("Branch", "Branches"),
            ("Mesh", "Meshes"),
        ] {
            assert_eq!(plural(one), many);
        }
    }

    #[test]
    fn messages_of_several_lines_become_nested_bullets() {
        assert_eq!(indented("plain"), " plain");
        assert_eq!(indented("5 * 3"), "\n  5 * 3");
        assert_eq!(indented("a\n* b"), "\n  * a\n    * b");
        assert_eq!(indented("* a\n* b"), "\n  * a\n  * b");
    }

    #[test]
    fn two_conditions_of_the_type_or_a_strange_status_cannot_be_aggregated() {
        let condition = |status| Condition { kind: "Ready".into(), status, ..Condition::default() };
        let of = |conditions: &[Condition<'_>]| {
            let source = Source { kind: "Machine", name: "m", machine: None, conditions };
            aggregate([source], "Ready", Polarity::Positive)
        };
        assert_eq!(of(&[condition("True".into()), condition("True".into())]), Err(Unaggregatable));
        assert_eq!(of(&[condition("Maybe".into())]), Err(Unaggregatable));
        assert_eq!(aggregate([], "Ready", Polarity::Positive), Ok(None));
    }
}
