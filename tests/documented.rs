//! Profile `documented` against the documents themselves: what their tables say (`docs/documents.md`), written down a second
//! time without looking at the rules, over made-up objects.

use capi_policy::evaluate_json;
use serde_json::{Value, json};

const NOW: &str = "2026-01-01T12:00:00Z";
const LOGS: &str = "Please check controller logs for errors";

/// Made-up numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::try_from(self.below(choices.len() as u64)).expect("an index")]
    }
}

/// So many seconds before now.
fn ago(seconds: u64) -> String {
    let seconds = 12 * 3600 - seconds;
    format!("2026-01-01T{:02}:{:02}:{:02}Z", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn evaluated(snapshot: &Value) -> Value {
    let text = evaluate_json(&snapshot.to_string()).unwrap_or_else(|error| panic!("{error}: {snapshot}"));
    serde_json::from_str(&text).expect("JSON")
}

fn condition(object: &Value, condition_type: &str) -> (String, String, String) {
    let conditions = object["conditions"].as_array().into_iter().flatten();
    let found = conditions.into_iter().find(|c| c["type"] == condition_type).cloned().unwrap_or_default();
    let text = |field: &str| found[field].as_str().unwrap_or_default().to_owned();
    (text("status"), text("reason"), text("message"))
}

fn expected(status: &str, reason: &str, message: &str) -> (String, String, String) {
    (status.to_owned(), reason.to_owned(), message.to_owned())
}

fn names_are(names: &[String]) -> String {
    match names {
        [one] => format!("Machine {one} is"),
        few if few.len() <= 3 => format!("Machines {} are", few.join(", ")),
        many => format!("Machines {}, ... ({} more) are", many[..3].join(", "), many.len() - 3),
    }
}

#[test]
fn machine_deployment_deleting() {
    let random = &mut Random(1);
    for _ in 0..2_000 {
        let (listed, deleted) = (!random.one_in(8), !random.one_in(4));
        let ages: Vec<_> =
            (0..random.below(5)).map(|_| random.of(&[None, Some(60), Some(900), Some(901), Some(7200)])).collect();
        let sets = random.below(3);
        let machines = ages.iter().enumerate().map(|(i, age)| match age {
            Some(age) => json!({ "metadata": { "name": format!("m{i}"), "deletionTimestamp": ago(*age) } }),
            None => json!({ "metadata": { "name": format!("m{i}") } }),
        });
        let machines: Vec<_> = machines.collect();
        let mut snapshot = json!({ "now": NOW, "machineDeployment": { "metadata": { "name": "md" } }, "machines": machines,
            "machineSets": (0..sets).map(|i| json!({ "metadata": { "name": format!("ms{i}") } })).collect::<Vec<_>>(),
            "observed": { "machineSetsListed": listed } });
        if deleted {
            snapshot["machineDeployment"]["metadata"]["deletionTimestamp"] = json!(ago(8000));
        }
        let stale: Vec<_> =
            (0..ages.len()).filter(|i| ages[*i].is_some_and(|age| age > 15 * 60)).map(|i| format!("m{i}")).collect();
        let left =
            if ages.len() == 1 { "Deleting 1 Machine".to_owned() } else { format!("Deleting {} Machines", ages.len()) };
        let wanted = match (listed, deleted, ages.len(), stale.is_empty()) {
            (false, ..) => expected("Unknown", "InternalError", LOGS),
            (_, false, ..) => expected("False", "NotDeleting", ""),
            (_, _, 0, _) if sets > 0 => expected("True", "Deleting", &format!("Deleting {sets} MachineSets")),
            (_, _, 0, _) => expected("True", "Deleting", "Deletion completed"),
            (.., true) => expected("True", "Deleting", &left),
            (.., false) => {
                let line = format!("{left}\n* {} in deletion since more than 15m", names_are(&stale));
                expected("True", "Deleting", &line)
            }
        };
        assert_eq!(condition(&evaluated(&snapshot), "Deleting"), wanted, "{snapshot}");
    }
}

#[test]
fn remediating_of_machine_deployments_and_control_planes() {
    let random = &mut Random(2);
    for _ in 0..2_000 {
        let (kind, by) =
            random.of(&[("machineDeployment", " by MachineDeployment/MachineSet"), ("kubeadmControlPlane", "")]);
        let (mut unhealthy, mut marked, mut fails) = (Vec::new(), 0, false);
        let machines: Vec<_> = (0..random.below(6))
            .map(|i| {
                let name = format!("m{i}");
                let mut conditions = Vec::new();
                let (health, owner) = (random.of(&["", "True", "False"]), random.of(&["", "True", "False"]));
                if !health.is_empty() {
                    conditions.push(json!({ "type": "HealthCheckSucceeded", "status": health }));
                }
                if !owner.is_empty() {
                    conditions
                        .push(json!({ "type": "OwnerRemediated", "status": owner, "reason": "R", "message": "soon" }));
                }
                if health == "False" {
                    unhealthy.push(name.clone());
                    if owner == "False" {
                        marked += 1;
                        if random.one_in(6) {
                            conditions.push(json!({ "type": "OwnerRemediated", "status": "True" }));
                            fails = true;
                        }
                    }
                }
                json!({ "metadata": { "name": name }, "status": { "conditions": conditions } })
            })
            .collect();
        let snapshot = json!({ "now": NOW, kind: { "metadata": { "name": "owner" } }, "machines": machines });
        let got = condition(&evaluated(&snapshot), "Remediating");
        if marked > 0 && !fails {
            assert_eq!((&*got.0, &*got.1), ("True", "Remediating"), "{snapshot}");
            assert!(got.2.contains("soon"), "{got:?} {snapshot}");
            continue;
        }
        let wanted = match (unhealthy.is_empty(), marked) {
            (true, _) => expected("False", "NotRemediating", ""),
            (_, 0) => {
                let message = format!("{} not healthy (not to be remediated{by})", names_are(&unhealthy));
                expected("False", "NotRemediating", &message)
            }
            _ => expected("Unknown", "InternalError", LOGS),
        };
        assert_eq!(got, wanted, "{snapshot}");
    }
}

#[test]
fn machine_updating() {
    let random = &mut Random(3);
    for _ in 0..500 {
        let annotations = random.of(&[
            None,
            Some(("in-place-updates.internal.cluster.x-k8s.io/update-in-progress", "")),
            Some(("runtime.cluster.x-k8s.io/pending-hooks", "UpdateMachine")),
            Some(("runtime.cluster.x-k8s.io/pending-hooks", "Another")),
        ]);
        let (reason, message) = (random.of(&["", "Draining"]), random.of(&["", "Cordoned the Node"]));
        let mut snapshot = json!({ "now": NOW, "machine": { "metadata": { "name": "m", "annotations": {} } },
            "observed": { "updatingReason": reason, "updatingMessage": message } });
        if let Some((name, value)) = annotations {
            snapshot["machine"]["metadata"]["annotations"][name] = json!(value);
        }
        let updating = annotations.is_some_and(|(_, value)| value != "Another");
        let wanted = match (updating, reason) {
            (false, _) => expected("False", "NotUpdating", ""),
            (true, "") => expected("True", "InPlaceUpdating", "In-place update in progress"),
            (true, given) => expected("True", given, message),
        };
        assert_eq!(condition(&evaluated(&snapshot), "Updating"), wanted, "{snapshot}");
    }
}

/// What the document's health check says about a machine.
#[derive(Clone, Copy, PartialEq)]
enum Health {
    True,
    False,
    Unknown,
    NodeUnreadable,
}

impl Health {
    fn status(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::False => "False",
            Self::Unknown => "Unknown",
            Self::NodeUnreadable => "",
        }
    }
}

/// The remediation decision: the range, else the limit, else always.
fn allows(range: &str, limit: Option<&str>, count: usize, total: usize) -> bool {
    match (range, limit) {
        ("", None) => true,
        ("", Some(limit)) => match limit.strip_suffix('%') {
            Some(percent) => count <= percent.parse::<usize>().expect("a percentage") * total / 100,
            None => count <= limit.parse().expect("a number"),
        },
        (range, _) => {
            let (min, max) = range.trim_matches(['[', ']']).split_once('-').expect("a range");
            (min.parse().expect("a number")..=max.parse().expect("a number")).contains(&count)
        }
    }
}

/// A health check of a Cluster that is up.
fn health_check(remediation: &Value, checks: &Value) -> Value {
    json!({ "now": NOW,
        "machineHealthCheck": { "metadata": { "name": "mhc", "namespace": "ns" }, "spec": { "clusterName": "c",
            "selector": { "matchLabels": { "role": "worker" } }, "remediation": remediation, "checks": checks } },
        "cluster": { "metadata": { "name": "c", "namespace": "ns" }, "status": { "conditions": [
            { "type": "InfrastructureReady", "status": "True", "lastTransitionTime": ago(36_000) },
            { "type": "ControlPlaneInitialized", "status": "True", "lastTransitionTime": ago(36_000) }] } },
        "remediationTemplate": { "apiVersion": "example.io/v1", "kind": "RebootTemplate", "metadata": { "name": "reboot" },
            "spec": { "template": { "spec": {} } } } })
}

#[test]
fn machine_health_checks() {
    let random = &mut Random(4);
    for _ in 0..1_500 {
        let (startup, timeout) = (random.of(&[0_u64, 300, 600]), random.of(&[60_u64, 300]));
        let (mut machines, mut nodes, mut unreadable, mut health, mut owned) = (vec![], vec![], vec![], vec![], vec![]);
        for i in 0..random.below(6) {
            let (name, node) = (format!("m{i}"), format!("n{i}"));
            let age = random.of(&[30_u64, 299, 300, 301, 599, 600, 601, 3600]);
            let mut machine = json!({ "metadata": { "name": name, "namespace": "ns", "uid": name, "creationTimestamp": ago(age),
                "labels": { "cluster.x-k8s.io/cluster-name": "c", "role": "worker" } }, "spec": { "clusterName": "c" }, "status": {} });
            let has_owner = !random.one_in(3);
            if has_owner {
                machine["metadata"]["ownerReferences"] =
                    json!([{ "kind": "MachineSet", "name": "ms", "controller": true }]);
            }
            owned.push(has_owner);
            let since = random.of(&[30_u64, 60, 61, 300, 301]);
            let choice = random.below(5);
            if choice > 0 {
                machine["status"]["nodeRef"] = json!({ "name": node });
            }
            let ready = |status: &str| {
                json!({ "metadata": { "name": node }, "status": { "conditions": [
                    { "type": "Ready", "status": status, "reason": "Kubelet", "lastTransitionTime": ago(since) }] } })
            };
            health.push(match choice {
                0 if startup > 0 && age > startup => Health::False,
                0 if startup > 0 => Health::Unknown,
                // Without a startup timeout nothing is known of a machine that has no Node.
                0 => Health::NodeUnreadable,
                1 => Health::False,
                2 => {
                    nodes.push(ready("True"));
                    Health::True
                }
                3 => {
                    nodes.push(ready("False"));
                    if since > timeout { Health::False } else { Health::Unknown }
                }
                _ => {
                    unreadable.push(node);
                    Health::NodeUnreadable
                }
            });
            machines.push(machine);
        }
        let (limit, range) = (
            random.of(&[None, Some("0"), Some("2"), Some("40%"), Some("100%")]),
            random.of(&["", "", "[1-2]", "[0-9]"]),
        );
        let mut trigger = json!({ "unhealthyInRange": range });
        if let Some(limit) = limit {
            trigger["unhealthyLessThanOrEqualTo"] = limit.parse::<i64>().map_or(json!(limit), |number| json!(number));
        }
        let external = random.one_in(4);
        let mut remediation = json!({ "triggerIf": trigger });
        if external {
            remediation["templateRef"] =
                json!({ "apiVersion": "example.io/v1", "kind": "RebootTemplate", "name": "reboot" });
        }
        let checks = json!({ "nodeStartupTimeoutSeconds": startup,
            "unhealthyNodeConditions": [{ "type": "Ready", "status": "False", "timeoutSeconds": timeout }] });
        let mut snapshot = health_check(&remediation, &checks);
        snapshot["machines"] = json!(machines);
        snapshot["nodes"] = json!(nodes);
        snapshot["observed"] = json!({ "nodeReadErrors": unreadable });
        let evaluation = evaluated(&snapshot);

        let total = health.len();
        let healthy = health.iter().filter(|h| **h == Health::True).count();
        let count = total - healthy;
        let allowed = allows(range, limit, count, total);
        assert_eq!(condition(&evaluation, "RemediationAllowed").0 == "True", allowed, "{snapshot}");
        let status = &evaluation["status"];
        assert_eq!(
            (&status["expectedMachines"], &status["currentHealthy"]),
            (&json!(total), &json!(healthy)),
            "{snapshot}"
        );
        assert_eq!(status["targets"].as_array().map_or(0, Vec::len), total, "{snapshot}");

        let none = vec![];
        let actions = evaluation["actions"].as_array().unwrap_or(&none);
        for (i, (health, owned)) in health.iter().zip(&owned).enumerate() {
            let name = format!("m{i}");
            let about: Vec<_> =
                evaluation["machines"].as_array().unwrap_or(&none).iter().filter(|m| m["name"] == *name).collect();
            let [machine] = about[..] else { panic!("{name} is reported {} times: {snapshot}", about.len()) };
            let succeeded = condition(machine, "HealthCheckSucceeded").0;
            assert_eq!(succeeded, health.status(), "{name}: {snapshot}");
            let unreadable = unreadable.contains(&format!("n{i}"));
            assert_eq!(condition(machine, "NodeHealthy").0 == "Unknown", unreadable, "{name}: {snapshot}");

            let remediated = *health == Health::False && allowed;
            let action = |action: &str, field: &str| actions.iter().any(|a| a["type"] == action && a[field] == *name);
            assert_eq!(action("createRemediationRequest", "machine"), remediated && external, "{name}: {snapshot}");
            assert_eq!(action("deleteMachine", "name"), remediated && !external && !owned, "{name}: {snapshot}");
            let marked = condition(machine, "OwnerRemediated").0 == "False";
            assert_eq!(marked, remediated && !external && *owned, "{name}: {snapshot}");
        }
    }
}
