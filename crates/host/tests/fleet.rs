//! A fleet in the policy decides what a snapshot decides, also after its instance has failed.

mod policies;

use capi_policy::evaluate_json;
use capi_policy_host::{Assumption, EngineError, Fleet, FleetEngine, How, Limits, ObjectName};
use policies::{real, uncached};
use serde_json::{Value, json};

const NOW: &str = "2026-01-01T12:00:00Z";

fn fleet(limits: Limits) -> Fleet {
    let mut fleet = FleetEngine::load(real(), &uncached(limits)).expect("the policy").fleet();
    fleet.assume(Assumption::EverythingIsComplete).expect("accepted");
    fleet
}

fn name(kind: &str, name: &str) -> ObjectName {
    ObjectName { kind: kind.to_owned(), namespace: "ns".to_owned(), name: name.to_owned(), ..ObjectName::default() }
}

fn metadata(name: &str, owner: &str) -> Value {
    let kind = if owner == "ms" { "MachineSet" } else { "MachineDeployment" };
    let owner = json!({ "controller": true, "kind": kind, "uid": owner, "name": owner });
    json!({ "name": name, "namespace": "ns", "uid": name, "ownerReferences": [owner] })
}

/// A MachineSet of so many machines, one of them not ready if `unready` names it.
struct Example {
    set: Value,
    machines: Vec<Value>,
}

impl Example {
    fn new(machines: usize, unready: Option<usize>) -> Self {
        let machine = |i: usize| {
            let status = if unready == Some(i) { "False" } else { "True" };
            let conditions = json!([{ "type": "Ready", "status": status, "reason": "R", "message": "as it is" }]);
            json!({ "kind": "Machine", "metadata": metadata(&format!("m{i}"), "ms"), "status": { "conditions": conditions } })
        };
        let set = json!({ "kind": "MachineSet", "metadata": metadata("ms", "md"), "spec": { "replicas": machines } });
        Self { set, machines: (0..machines).map(machine).collect() }
    }

    fn tell(&self, fleet: &mut Fleet) -> Result<(), EngineError> {
        fleet.upsert(name("MachineSet", "ms"), self.set.to_string())?;
        for (i, machine) in self.machines.iter().enumerate() {
            fleet.upsert(name("Machine", &format!("m{i}")), machine.to_string())?;
        }
        Ok(())
    }

    fn decision(&self) -> String {
        let snapshot =
            json!({ "now": NOW, "profile": "cluster-api", "machineSet": self.set, "machines": self.machines });
        evaluate_json(&snapshot.to_string()).expect("a decision")
    }
}

fn decided(fleet: &mut Fleet) -> String {
    fleet
        .evaluate(&name("MachineSet", "ms"), How { now: NOW, profile: "cluster-api", explain: false })
        .expect("a decision")
}

#[test]
fn a_fleet_decides_what_a_snapshot_decides_and_says_what_is_due() {
    let mut fleet = fleet(Limits::default());
    Example::new(3, None).tell(&mut fleet).expect("accepted");
    assert_eq!(decided(&mut fleet), Example::new(3, None).decision());
    assert!(!fleet.due(NOW).expect("objects").contains(&name("MachineSet", "ms")));

    let changed = Example::new(3, Some(1));
    fleet.upsert(name("Machine", "m1"), changed.machines[1].to_string()).expect("accepted");
    assert!(fleet.due(NOW).expect("objects").contains(&name("MachineSet", "ms")));
    assert_eq!(decided(&mut fleet), changed.decision());

    fleet.remove(&name("Machine", "m2")).expect("removed");
    let without = Example { machines: changed.machines[..2].to_vec(), ..changed };
    assert_eq!(decided(&mut fleet), without.decision());
    assert_eq!(fleet.instances(), 1);
}

#[test]
fn what_cannot_be_read_is_refused_with_its_path_and_changes_nothing() {
    let mut fleet = fleet(Limits::default());
    Example::new(2, None).tell(&mut fleet).expect("accepted");
    let broken = r#"{ "kind": "Machine", "metadata": { "name": "m0", "namespace": 5 } }"#;
    let error = fleet.upsert(name("Machine", "m0"), broken.to_owned()).expect_err("refused");
    assert!(
        matches!(&error, EngineError::Malformed { path: Some(path), .. } if path == "metadata.namespace"),
        "{error:?}"
    );
    for (now, profile, path) in [("soon", "documented", "now"), (NOW, "strict", "profile")] {
        let error =
            fleet.evaluate(&name("MachineSet", "ms"), How { now, profile, explain: false }).expect_err("refused");
        assert!(matches!(&error, EngineError::Malformed { path: Some(found), .. } if found == path), "{error:?}");
    }
    let error = fleet
        .evaluate(&name("MachineSet", "other"), How { now: NOW, profile: "documented", explain: false })
        .expect_err("refused");
    assert_eq!(error.to_string(), "fleet: there is no MachineSet ns/other");
    assert_eq!((decided(&mut fleet), fleet.instances()), (Example::new(2, None).decision(), 1));
}

#[test]
fn an_instance_that_hits_its_limit_is_made_anew_from_what_the_host_knows() {
    let mut fleet = fleet(Limits { memory_bytes: 4 << 20, ..Limits::default() });
    let example = Example::new(10, Some(4));
    example.tell(&mut fleet).expect("accepted");
    fleet.observe(name("MachineSet", "ms"), r#"{"machinesListed": true}"#.to_owned()).expect("accepted");
    let large = json!({ "kind": "Machine", "metadata": metadata("large", "ms"), "x": "x".repeat(8 << 20) }).to_string();
    let error = fleet.upsert(name("Machine", "large"), large).expect_err("too large");
    assert!(matches!(error, EngineError::MemoryLimit { .. }), "{error:?}");
    assert_eq!(decided(&mut fleet), example.decision());
    // The second instance tried the large object once more; the third is the one that decides.
    assert_eq!(fleet.instances(), 3);
}
