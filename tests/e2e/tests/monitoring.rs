//! What a real `watch` serves while one health check is blocked and another soon will be, for the tests of the alert rules:
//! `cargo xtask test integrations` gives it to promtool.

use anyhow::Context;
use capi_policy_e2e::fleet::{Fleet, install_provider, transitioned};
use capi_policy_e2e::host::Host;
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::process::root;
use capi_policy_e2e::scenario;
use capi_policy_e2e::wait::{eventually, within};
use jiff::Timestamp;
use serde_json::json;
use std::process::ExitCode;

const NAME: &str = "monitoring";

/// Once all of this is served, everything has been decided.
const AWAITED: &[&str] = &[
    r#"capi_policy_remediation_blocked_timestamp_seconds{namespace="monitoring",name="blocked"} "#,
    r#"capi_policy_remediations_forecast{namespace="monitoring",name="soon"} 1"#,
    r#"capi_policy_remediations_allowed{namespace="monitoring",name="soon"} 0"#,
    r#"capi_policy_workload_connected{cluster="monitoring/monitoring"} 1"#,
    "capi_policy_leading 1",
];

fn main() -> ExitCode {
    scenario::main(async {
        let plane = Plane::start(&[]).await?;
        let kube = plane.kube().await?;
        install_provider(&kube).await?;
        let fleet = Fleet::create(&kube, NAME, &plane.kubeconfig).await?;
        fleet.set_condition("Cluster", NAME, transitioned("InfrastructureReady", "True", "Ready")).await?;
        let set = fleet.machine_set(NAME, None).await?;
        for machine in ["monitoring-1", "monitoring-2"] {
            fleet.machine(machine, Some(&set)).await?;
        }
        // A machine that is waiting counts towards the threshold already.
        for (check, timeout, threshold) in [("blocked", 1, 0), ("soon", 1800, 1)] {
            let unhealthy = json!([{ "type": "Ready", "status": "False", "timeoutSeconds": timeout }]);
            let remediation = json!({ "triggerIf": { "unhealthyLessThanOrEqualTo": threshold } });
            fleet.health_check_with(check, json!({ "unhealthyNodeConditions": unhealthy }), remediation).await?;
        }
        fleet.node_is("monitoring-1", "False").await?;
        let mut host = Host::start(&plane.kubeconfig, plane.directory(), NAME, &["--namespace", NAME])?;
        host.ready().await?;
        let (mut served, mut missing) = (String::new(), "nothing");
        let decided = eventually("everything has been decided", within(60), async || {
            served = host.get("/metrics").await?.1;
            let lacks = |line: &&&str| !served.lines().any(|served| served.starts_with(**line));
            missing = AWAITED.iter().find(lacks).copied().unwrap_or_default();
            Ok(missing.is_empty().then_some(()))
        });
        decided.await.with_context(|| format!("{missing:?} is not served"))?;
        let at = served_at();
        host.stop().await?;
        let folder = root().join("target/monitoring");
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("served.json"), json!({ "at": at, "metrics": served }).to_string())?;
        println!("test monitoring::served ... ok");
        Ok(0)
    })
}

#[allow(clippy::disallowed_methods, reason = "what is served is compared with the time")]
fn served_at() -> i64 {
    Timestamp::now().as_second()
}
