//! How many machines are being replaced, and why.

use crate::sorted::Sorted;
use crate::view::{ConditionsExt, Machine};

/// Lines that start so go first.
const VERSION_CHANGE: &str = "* Version";

/// The machines that are not as their owner wants them.
pub struct Rollout<'a> {
    machines: usize,
    /// Every line once, changes of the version first.
    reasons: Vec<&'a str>,
}

impl<'a> Rollout<'a> {
    /// Collects what the machines of an owner report.
    pub fn of(machines: &[&'a Machine<'a>]) -> Self {
        let mut rollout = Self { machines: 0, reasons: Vec::new() };
        let conditions = machines.iter().filter_map(|m| m.status.conditions.of_type("UpToDate"));
        for condition in conditions.filter(|c| c.status == "False") {
            rollout.machines = rollout.machines.saturating_add(1);
            if !condition.message.is_empty() {
                let lines = condition.message.split('\n');
                rollout.reasons.extend(lines);
            }
        }
        rollout.reasons.order_by_key(|line| (!line.starts_with(VERSION_CHANGE), *line));
        rollout.reasons.dedup();
        rollout
    }

    /// How many machines are not up to date.
    pub fn not_up_to_date_machines(&self) -> usize {
        self.machines
    }

    /// Why, a new line for each reason.
    pub fn reasons(&self) -> String {
        self.reasons.iter().flat_map(|reason| ["\n", reason]).collect()
    }
}

/// The table of `RollingOut` for an owner that replaces Machines: the codes of the rows that all such tables share.
macro_rules! rolling_out {
    (id: $id:literal, kind: $kind:literal, source: $source:literal, rows: replaced $replaced:literal, done $done:literal) => {
        $crate::table::Table {
            id: $id,
            kind: $kind,
            condition: "RollingOut",
            about: "A Machine is rolled out while its `UpToDate` is False; each line of the messages appears once, a change of the version first. True is the transitional state.",
            source: $source,
            facts: $crate::table::facts![rollout.not_up_to_date_machines; rollout.reasons],
            rows: &[
                $crate::table::row!($replaced, rollout.not_up_to_date_machines > 0 => True, "RollingOut", "Rolling out {rollout.not_up_to_date_machines} not up-to-date replicas{rollout.reasons}"),
                $crate::table::row!($done, otherwise => False, "NotRollingOut", ""),
            ],
        }
    };
}
pub(crate) use rolling_out;

#[cfg(test)]
mod tests {
    use super::Rollout;
    use crate::view::Machine;

    fn machine(status: &str, message: &str) -> String {
        let condition = serde_json::json!({ "type": "UpToDate", "status": status, "message": message });
        serde_json::json!({ "status": { "conditions": [condition] } }).to_string()
    }

    #[test]
    fn reasons_are_listed_once_and_the_version_goes_first() {
        let texts = [
            machine("False", "* KubeadmConfig changed\n* Version v1.30.0, v1.31.0 required"),
            machine("False", "* KubeadmConfig changed\n* Failure domain changed"),
            machine("False", ""),
            machine("True", "* not listed"),
        ];
        let machines: Vec<Machine<'_>> = texts.iter().filter_map(|text| capi_policy_json::read(text).ok()).collect();
        let rollout = Rollout::of(&machines.iter().collect::<Vec<_>>());
        assert_eq!(rollout.not_up_to_date_machines(), 3);
        assert_eq!(
            rollout.reasons(),
            "\n* Version v1.30.0, v1.31.0 required\n* Failure domain changed\n\
             * KubeadmConfig changed"
        );
    }
}
