//! Scaling while a rollout is paused.

use super::max_unavailable::rolling_update;
use super::planner::{Plan, Set};
use crate::sorted::Sorted;
use std::cmp::Reverse;

/// Gives the only MachineSet with machines, or the newest, what the MachineDeployment wants. Where several have machines,
/// the whole difference goes to the largest.
pub fn scale(plan: &mut Plan<'_>) {
    let wanted = plan.wanted();
    plan.old.order_by(|a, b| b.created().cmp(&a.created()).then_with(|| b.name().cmp(a.name())));
    let (total, max_surge) = (plan.sum(|set| set.spec), plan.max_surge());
    let rolling = rolling_update(plan.input.object);
    let saturated = plan.current.as_ref().is_some_and(|set| set.spec == wanted && set.available() == wanted);
    let active = |set: &&mut Set<'_>| set.spec > 0;
    match plan.all().filter(|set| set.spec > 0).count() {
        0 => {
            if let Some(set) = plan.current.as_mut().or(plan.old.first_mut()) {
                set.intent = Some(wanted);
            }
        }
        1 => plan.old.iter_mut().chain(&mut plan.current).filter(active).for_each(|set| set.intent = Some(wanted)),
        _ if saturated => plan.old.iter_mut().filter(active).for_each(|set| set.intent = Some(0)),
        _ if !rolling => {}
        _ if wanted == 0 => {
            plan.old.iter_mut().chain(&mut plan.current).filter(active).for_each(|set| set.intent = Some(0));
        }
        _ => {
            let missing = wanted.saturating_add(max_surge).saturating_sub(total);
            let mut sets: Vec<_> = plan.old.iter_mut().chain(&mut plan.current).filter(active).collect();
            sets.order_by(|a, b| {
                let newer = (Reverse(a.created()), Reverse(a.name())).cmp(&(Reverse(b.created()), Reverse(b.name())));
                b.spec.cmp(&a.spec).then(if missing > 0 { newer } else { newer.reverse() })
            });
            if let (Some(largest), true) = (sets.into_iter().next(), missing != 0) {
                largest.intent = Some(largest.spec.saturating_add(missing).max(0));
            }
        }
    }
}
