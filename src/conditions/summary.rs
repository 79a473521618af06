//! Summarizes many conditions of one object in one message: what is wrong or unknown, else what there is to report.

use crate::aggregate::{Polarity, Priority, indented};
use crate::outcome::ConditionStatus;
use crate::progress::Current;
use crate::view::Gate;

/// Which conditions are summarized, in the order in which they are reported.
#[derive(Clone, Debug, Default)]
pub struct Scope<'a> {
    types: Vec<&'a str>,
    negative: Vec<&'a str>,
    optional: Vec<&'a str>,
}

/// One condition of the scope.
#[derive(Clone, Debug)]
pub struct Reported<'a> {
    /// Its type.
    pub kind: &'a str,
    /// Its status.
    pub status: ConditionStatus,
    /// Its reason.
    pub reason: String,
    /// Its message.
    pub message: String,
}

/// The result of a summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The highest priority found.
    pub priority: Priority,
    /// One entry per condition that is reported.
    pub messages: Vec<String>,
}

impl<'a> Scope<'a> {
    /// Conditions of these types. The second list names those of them for which False is the good status.
    pub fn new(types: &[&'a str], negative: &[&'a str]) -> Self {
        Self { types: types.to_vec(), negative: negative.to_vec(), optional: Vec::new() }
    }

    /// A type that does not count while the object has no such condition.
    #[must_use]
    pub fn optional(mut self, kind: &'a str) -> Self {
        self.optional.push(kind);
        self
    }

    /// The conditions that gates name.
    #[must_use]
    pub fn gates(mut self, gates: &'a [Gate<'a>]) -> Self {
        for gate in gates {
            self.types.push(&gate.condition_type);
            if gate.polarity == "Negative" {
                self.negative.push(&gate.condition_type);
            }
        }
        self
    }

    /// Whether conditions of that type are summarized.
    pub fn includes(&self, kind: &str) -> bool {
        self.types.contains(&kind)
    }

    /// The attention that a condition wants by itself.
    pub fn priority(&self, reported: &Reported<'_>) -> Priority {
        let polarity = if self.negative.contains(&reported.kind) { Polarity::Negative } else { Polarity::Positive };
        polarity.priority(reported.status)
    }

    /// The conditions of the scope, each type once: one that is named twice stands where it was named last.
    pub fn read<'p>(&self, current: impl Fn(&str) -> Option<Current<'p>>) -> Vec<Reported<'a>> {
        let mut reported = Vec::new();
        for (i, kind) in self.types.iter().copied().enumerate() {
            if self.types.iter().skip(i.saturating_add(1)).any(|later| *later == kind) {
                continue;
            }
            reported.extend(match current(kind) {
                Some(c) => Some(Reported {
                    kind,
                    status: ConditionStatus::parse(c.status).unwrap_or(ConditionStatus::Unknown),
                    reason: c.reason.to_owned(),
                    message: c.message.to_owned(),
                }),
                None if self.optional.contains(&kind) => None,
                None => Some(Reported {
                    kind,
                    status: ConditionStatus::Unknown,
                    reason: "NotYetReported".to_owned(),
                    message: "Condition not yet reported".to_owned(),
                }),
            });
        }
        reported
    }
}

/// Summarizes conditions, each with the attention it wants.
pub fn summarize<'a>(conditions: impl IntoIterator<Item = (Priority, Reported<'a>)>) -> Summary {
    let conditions: Vec<_> = conditions.into_iter().collect();
    let priority = conditions.iter().map(|(priority, _)| *priority).min().unwrap_or(Priority::Info);
    let messages = conditions
        .iter()
        .filter(|(own, reported)| match own {
            // Good news is reported only when there is no other, and only where there is something to tell.
            Priority::Info => priority == Priority::Info && !reported.message.is_empty(),
            _ => true,
        })
        .map(|(_, reported)| match &*reported.message {
            "" => format!("* {}: {}", reported.kind, reported.reason),
            message => format!("* {}:{}", reported.kind, indented(message)),
        })
        .collect();
    Summary { priority, messages }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Time;

    const STORED: &[(&str, &str, &str, &str)] = &[
        ("Deleting", "False", "NotDeleting", ""),
        ("Broken", "True", "Smoke", ""),
        ("InfrastructureReady", "True", "Ready", "all 3 up"),
        ("NodeHealthy", "Unknown", "Lost", "no probe"),
    ];

    fn current(kind: &str) -> Option<Current<'static>> {
        STORED.iter().find(|(stored, ..)| *stored == kind).map(|(_, status, reason, message)| Current {
            status,
            reason,
            message,
            since: Time::ZERO,
        })
    }

    fn summary(scope: &Scope<'_>) -> Summary {
        summarize(scope.read(current).into_iter().map(|reported| (scope.priority(&reported), reported)))
    }

    #[test]
    fn good_news_is_reported_only_when_there_is_no_other() {
        let scope = Scope::new(&["Deleting", "InfrastructureReady"], &["Deleting"]);
        let expected =
            Summary { priority: Priority::Info, messages: vec!["* InfrastructureReady: all 3 up".to_owned()] };
        assert_eq!(summary(&scope), expected);
    }

    #[test]
    fn issues_and_unknowns_are_reported_in_the_order_of_the_scope() {
        let gates = [Gate { condition_type: "Broken".into(), polarity: "Negative".into() }];
        let scope = Scope::new(&["NodeHealthy", "InfrastructureReady"], &[]).gates(&gates);
        let expected = Summary {
            priority: Priority::Issue,
            messages: vec!["* NodeHealthy: no probe".to_owned(), "* Broken: Smoke".to_owned()],
        };
        assert_eq!(summary(&scope), expected);
    }

    #[test]
    fn what_is_missing_is_unknown_unless_it_is_optional() {
        let scope = Scope::new(&["Gone", "Optional"], &[]).optional("Optional");
        let expected =
            Summary { priority: Priority::Unknown, messages: vec!["* Gone: Condition not yet reported".to_owned()] };
        assert_eq!(summary(&scope), expected);
    }

    #[test]
    fn a_type_named_twice_is_reported_once_where_it_was_named_last() {
        let gates = [Gate { condition_type: "Gone".into(), ..Gate::default() }];
        let scope = Scope::new(&["Gone", "NodeHealthy"], &[]).gates(&gates);
        let expected = ["* NodeHealthy: no probe", "* Gone: Condition not yet reported"];
        assert_eq!(summary(&scope).messages, expected);
    }
}
