//! How many machines of a MachineDeployment may be unavailable, from its rollout strategy and its replicas.

use crate::rules::share::Share;
use crate::view::MachineDeployment;

/// How many machines of a MachineDeployment may be unavailable.
///
/// A strategy that can't be read allows none. One that would allow neither an additional nor a missing machine allows a
/// missing one, or nothing could ever be replaced.
pub fn may_be_unavailable(machine_deployment: &MachineDeployment<'_>, replicas: i64) -> i64 {
    if !rolling_update(machine_deployment) || replicas == 0 {
        return 0;
    }
    let limits = &machine_deployment.spec.rollout.strategy.rolling_update;
    let surge = limits.max_surge.as_ref().and_then(|limit| Share::of(limit, replicas)).map(Share::up);
    let unavailable = limits.max_unavailable.as_ref().and_then(|limit| Share::of(limit, replicas)).map(Share::down);
    match (surge, unavailable) {
        (Some(0), Some(0)) => 1.min(replicas),
        (Some(_), Some(unavailable)) => unavailable.min(replicas),
        _ => 0,
    }
}

/// How many machines a MachineDeployment may have beyond those it wants. A strategy that can't be read allows none.
pub fn max_surge(machine_deployment: &MachineDeployment<'_>, replicas: i64) -> i64 {
    let limits = &machine_deployment.spec.rollout.strategy.rolling_update;
    let readable = limits.max_unavailable.as_ref().is_some_and(|limit| Share::of(limit, replicas).is_some());
    let surge = limits.max_surge.as_ref().filter(|_| readable && rolling_update(machine_deployment));
    surge.and_then(|limit| Share::of(limit, replicas)).map_or(0, Share::up)
}

/// Whether machines are replaced step by step.
pub fn rolling_update(machine_deployment: &MachineDeployment<'_>) -> bool {
    machine_deployment.spec.rollout.strategy.kind == "RollingUpdate"
}

#[cfg(test)]
mod tests {
    use super::may_be_unavailable;
    use crate::view::{IntOrPercent, MachineDeployment};

    #[test]
    fn percentages_round_down_and_zero_of_both_becomes_one() {
        let of = |surge: Option<IntOrPercent<'static>>, unavailable: Option<IntOrPercent<'static>>, replicas| {
            let mut machine_deployment = MachineDeployment::default();
            let strategy = &mut machine_deployment.spec.rollout.strategy;
            strategy.kind = "RollingUpdate".into();
            strategy.rolling_update.max_surge = surge;
            strategy.rolling_update.max_unavailable = unavailable;
            may_be_unavailable(&machine_deployment, replicas)
        };
        let number = |number| Some(IntOrPercent::Int(number));
        let text = |text: &'static str| Some(IntOrPercent::Text(text.into()));
        assert_eq!(of(number(1), number(2), 5), 2);
        assert_eq!(of(number(1), number(9), 5), 5);
        assert_eq!(of(number(1), text("50%"), 5), 2);
        assert_eq!(of(number(0), text("10%"), 5), 1);
        assert_eq!(of(text("1%"), text("10%"), 5), 0);
        assert_eq!(of(None, number(2), 5), 0);
        assert_eq!(of(number(1), None, 5), 0);
        assert_eq!(of(number(1), text("2"), 5), 0);
        assert_eq!(of(number(0), number(0), 0), 0);
    }
}
