//! What the machines of a control plane report about their components or members, put together.

use crate::sorted::Sorted;
use crate::text::name_list;
use crate::view::{Condition, ConditionsExt, Machine};

/// What machines report, and what no machine accounts for.
#[derive(Default)]
pub struct ReportedHealth {
    failing: bool,
    unknown: bool,
    fine: bool,
    message: String,
}

impl ReportedHealth {
    /// Puts together these conditions of the machines; `strays` are issues that belong to no machine.
    pub fn of(machines: &[&Machine<'_>], conditions: &[&str], strays: &[String]) -> Self {
        let mut health = Self::default();
        let mut reports: Vec<(String, Vec<&str>)> = Vec::new();
        for machine in machines {
            let all = conditions.iter().filter_map(|condition| machine.status.conditions.of_type(condition));
            let all: Vec<_> = all.collect();
            if let Some(report) = health.note(machine, &all) {
                match reports.iter_mut().find(|(other, _)| *other == report) {
                    Some((_, names)) => names.push(&machine.metadata.name),
                    None => reports.push((report, vec![&machine.metadata.name])),
                }
            }
        }
        reports.order_by(|(_, a), (_, b)| b.len().cmp(&a.len()).then_with(|| a.join(",").cmp(&b.join(","))));
        let machines = reports.iter().map(|(report, names)| {
            let plural = if names.len() > 1 { "s" } else { "" };
            format!("* Machine{plural} {}:\n{report}", name_list(names))
        });
        let strays = strays.iter().map(|stray| format!("* {stray}"));
        health.failing |= strays.len() > 0;
        health.message = machines.chain(strays).collect::<Vec<_>>().join("\n");
        health
    }

    /// Notes what one machine reports; the lines that are to be shown, if any.
    fn note(&mut self, machine: &Machine<'_>, conditions: &[&Condition<'_>]) -> Option<String> {
        let mut lines = Vec::new();
        for condition in conditions {
            match &*condition.status {
                "True" => self.fine = true,
                "False" => self.failing = true,
                // A machine that is about to be provisioned has nothing to report yet.
                "Unknown" if machine.spec.provider_id.is_empty() => self.fine = true,
                "Unknown" => self.unknown = true,
                _ => {}
            }
            let listed =
                condition.status == "False" || condition.status == "Unknown" && !machine.spec.provider_id.is_empty();
            if listed {
                let message = if condition.message.is_empty() {
                    format!("condition is {}", condition.status)
                } else {
                    condition.message.to_string()
                };
                lines.push(format!("  * {}: {message}", condition.kind));
            }
        }
        let first = conditions.first()?;
        let alike = conditions.len() > 1 && conditions.iter().all(|condition| condition.message == first.message);
        if lines.is_empty() {
            None
        } else if alike {
            Some(format!("  * Control plane components: {}", first.message))
        } else {
            Some(lines.join("\n"))
        }
    }

    /// Somebody reports an issue, or there is one that belongs to no machine.
    pub fn failing(&self) -> bool {
        self.failing
    }

    /// Somebody does not know.
    pub fn unknown(&self) -> bool {
        self.unknown
    }

    /// Somebody reports that all is well, or has nothing to report yet.
    pub fn fine(&self) -> bool {
        self.fine
    }

    /// Who reports what.
    pub fn message(&self) -> &str {
        &self.message
    }
}
