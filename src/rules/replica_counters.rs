//! Counts the replicas of Machines or MachineSets.

use crate::outcome::Replicas;
use crate::view::{ConditionsExt, Machine, MachineSet};

/// Counts machines. Those for which `counts` is false are there, and nothing else.
pub fn of_machines(machines: &[&Machine<'_>], counts: fn(&Machine<'_>) -> bool) -> Replicas {
    let with = |condition: &str| {
        let all = machines.iter().filter(|m| counts(m) && m.status.conditions.has(condition, "True"));
        Some(number(all.count()))
    };
    Replicas {
        desired_replicas: None,
        replicas: Some(number(machines.len())),
        ready_replicas: with("Ready"),
        available_replicas: with("Available"),
        up_to_date_replicas: with("UpToDate"),
        versions: Vec::new(),
    }
}

/// Adds up what MachineSets count. What none of them counts stays unset.
pub fn of_machine_sets(machine_sets: &[&MachineSet<'_>]) -> Replicas {
    let sum = |counter: fn(&MachineSet<'_>) -> Option<i64>| {
        machine_sets.iter().filter_map(|machine_set| counter(machine_set)).reduce(i64::saturating_add)
    };
    Replicas {
        desired_replicas: None,
        replicas: sum(|machine_set| machine_set.status.replicas),
        ready_replicas: sum(|machine_set| machine_set.status.ready_replicas),
        available_replicas: sum(|machine_set| machine_set.status.available_replicas),
        up_to_date_replicas: sum(|machine_set| machine_set.status.up_to_date_replicas),
        versions: Vec::new(),
    }
}

/// A length as the number that a status stores.
pub fn number(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{of_machine_sets, of_machines};
    use crate::view::{Machine, MachineSet};

    #[test]
    fn a_counter_that_no_machine_set_has_stays_unset() {
        let mut counting = MachineSet::default();
        counting.status.replicas = Some(2);
        let silent = MachineSet::default();
        let counters = of_machine_sets(&[&counting, &silent, &counting]);
        assert_eq!((counters.replicas, counters.ready_replicas), (Some(4), None));
        assert_eq!(of_machine_sets(&[]).replicas, None);
    }

    #[test]
    fn machines_that_do_not_count_are_still_there() {
        let text = r#"{ "status": { "conditions": [{ "type": "Ready", "status": "True" }] } }"#;
        let machine: Machine<'_> = capi_policy_json::read(text).unwrap_or_default();
        assert_eq!(of_machines(&[&machine], |_| true).ready_replicas, Some(1));
        let counters = of_machines(&[&machine], |_| false);
        assert_eq!((counters.replicas, counters.ready_replicas), (Some(1), Some(0)));
    }
}
