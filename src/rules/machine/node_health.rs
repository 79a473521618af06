//! How healthy a Node is, from its conditions.

use super::node_ready::last_of_type;
use crate::aggregate::Priority;
use crate::view::Node;

/// The conditions that matter, with the status that is good.
const WATCHED: &[(&str, &str)] =
    &[("Ready", "True"), ("MemoryPressure", "False"), ("DiskPressure", "False"), ("PIDPressure", "False")];

/// How healthy a Node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeHealth {
    /// The highest priority found.
    pub priority: Priority,
    /// What is not as it should be, one line each.
    pub message: String,
}

impl NodeHealth {
    /// Looks at the conditions that matter.
    pub fn of(node: &Node<'_>) -> Self {
        let mut priority = Priority::Info;
        let mut lines = Vec::new();
        let mut messages: Vec<String> = Vec::new();
        for (kind, good) in WATCHED {
            let condition = last_of_type(node, kind);
            let Some(condition) = condition else {
                priority = priority.min(Priority::Unknown);
                lines.push(format!("* Node.{kind}: Condition not yet reported"));
                continue;
            };
            if condition.status == *good {
                continue;
            }
            priority = priority.min(if condition.status == "Unknown" { Priority::Unknown } else { Priority::Issue });
            let message = match &*condition.message {
                "" => format!("Condition is {}", condition.status),
                message => message.to_owned(),
            };
            lines.push(format!("* Node.{kind}: {message}"));
            messages.push(message);
        }
        let message = match &*messages {
            [first, others @ ..] if !others.is_empty() && others.iter().all(|other| other == first) => {
                format!("* Node.AllConditions: {first}")
            }
            _ => lines.join("\n"),
        };
        Self { priority, message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn health(conditions: &str) -> NodeHealth {
        let text = format!(r#"{{"status": {{"conditions": [{conditions}]}}}}"#);
        NodeHealth::of(&capi_policy_json::read(&text).unwrap_or_default())
    }

    #[test]
    fn what_all_conditions_say_is_said_once() {
        let lost = |kind| format!(r#"{{"type": "{kind}", "status": "Unknown", "message": "kubelet is gone"}}"#);
        let all = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"].map(lost).join(",");
        let expected =
            NodeHealth { priority: Priority::Unknown, message: "* Node.AllConditions: kubelet is gone".to_owned() };
        assert_eq!(health(&all), expected);
    }

    #[test]
    fn an_issue_outweighs_what_is_unknown_and_a_missing_message_is_made_up() {
        let ready_and_pressure = r#"{"type": "Ready", "status": "True"}, {"type": "DiskPressure", "status": "True"}"#;
        let message = "* Node.MemoryPressure: Condition not yet reported\n* Node.DiskPressure: Condition is True\n\
                       * Node.PIDPressure: Condition not yet reported";
        assert_eq!(health(ready_and_pressure), NodeHealth { priority: Priority::Issue, message: message.to_owned() });
    }
}
