//! What no plan may do, over made-up fleets.

mod fleet;

use capi_policy::Profile;
use capi_policy::fleet::{Assumption, Fleet};
use capi_policy_simulator::{Plan, Request, State, Steady, fill, plan};
use fleet::{
    cluster, control_plane, control_plane_machine, health_check, machine, machine_deployment, machine_set, now, owner,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn planned(objects: Vec<Value>, model: Steady, in_place: bool) -> Plan {
    let mut fleet = Fleet::default();
    fleet.assume(Assumption::PresentKindsAreComplete);
    let mut state = State::new(fleet);
    for object in objects {
        state.put(object, None).expect("an object");
    }
    let assumptions = fill(&mut state).expect("objects");
    let until = now().plus(86_400);
    let request = Request { owners: vec![], now: now(), until, profile: Profile::NEWEST, model, in_place };
    plan(state, &request, assumptions).expect("decisions")
}

fn model() -> impl Strategy<Value = Steady> {
    (0_i64..900, 0_i64..300, 0_i64..300).prop_map(|(boot_seconds, drain_seconds, update_seconds)| Steady {
        boot_seconds,
        drain_seconds,
        update_seconds,
    })
}

fn share() -> impl Strategy<Value = Value> {
    prop_oneof![(0_i64..5).prop_map(|number| json!(number)), (0_i64..60).prop_map(|share| json!(format!("{share}%")))]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn availability_stays_where_the_strategy_wants_it(
        healthy in prop::collection::vec(prop::bool::weighted(0.85), 1..8),
        wanted in 1_usize..9,
        changed in any::<bool>(),
        checked in any::<bool>(),
        in_place in any::<bool>(),
        (surge, unavailable) in (share(), share()),
        model in model(),
    ) {
        let version = if changed { "v1.34.0" } else { "v1.33.0" };
        let set = owner("cluster.x-k8s.io", "MachineSet", "md-old");
        let mut objects = vec![
            cluster(), machine_deployment(wanted, version, &surge, &unavailable), machine_set("md-old", healthy.len(), "v1.33.0"),
        ];
        objects.extend(checked.then(health_check));
        objects.extend(healthy.iter().enumerate().map(|(i, healthy)| machine(&format!("m{i}"), &set, "v1.33.0", *healthy)));
        let plan = planned(objects, model, in_place);
        let [md] = plan.owners.as_slice() else { panic!("one owner: {:?}", plan.owners) };
        let allowed = md.available.allowed.expect("a rolling update");
        let before = i64::try_from(md.available.before).expect("a few");
        let lowest = i64::try_from(md.available.lowest).expect("a few");
        prop_assert!(lowest >= allowed.min(before), "{} of {} (allowed {})\n{}", lowest, before, allowed, steps(&plan));
        prop_assert!(md.done || !md.stops.is_empty(), "{}", steps(&plan));
    }

    #[test]
    fn etcd_keeps_its_quorum(
        unhealthy in prop::option::of(0_usize..5),
        machines in prop::sample::select(vec![1_usize, 3, 5]),
        wanted in prop::sample::select(vec![1_usize, 3, 5]),
        changed in any::<bool>(),
        checked in any::<bool>(),
        surge in 0_usize..2,
        in_place in any::<bool>(),
        model in model(),
    ) {
        let version = if changed { "v1.34.0" } else { "v1.33.0" };
        let mut objects = vec![cluster(), control_plane(wanted, version, surge)];
        objects.extend(checked.then(health_check));
        objects.extend((0..machines).map(|i| control_plane_machine(&format!("cp{i}"), "v1.33.0", unhealthy != Some(i))));
        let plan = planned(objects, model, in_place);
        let [kcp] = plan.owners.as_slice() else { panic!("one owner: {:?}", plan.owners) };
        let etcd = kcp.etcd.expect("members");
        let had_quorum = unhealthy.is_none_or(|i| i >= machines) || machines > 1;
        prop_assert!(etcd.quorum_held || !had_quorum, "{:?}\n{}", etcd, steps(&plan));
        prop_assert!(kcp.done || !kcp.stops.is_empty(), "{}", steps(&plan));
    }
}

fn steps(plan: &Plan) -> String {
    let lines: Vec<_> = plan.steps.iter().map(|step| format!("{} {}", step.time, step.change.line())).collect();
    lines.join("\n")
}
