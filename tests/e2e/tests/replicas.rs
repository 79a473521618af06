//! Two replicas: the leader is killed, the other takes over within the lease, and nothing is decided twice.

use anyhow::{Context, Result, ensure};
use capi_policy_e2e::fleet::{Fleet, install_provider};
use capi_policy_e2e::host::Host;
use capi_policy_e2e::kube_objects::Kube;
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::proxy::{Proxy, Rules};
use capi_policy_e2e::scenario;
use capi_policy_e2e::wait::{eventually, now, within};
use serde_json::{Value, json};
use std::process::ExitCode;

const LEASE_SECONDS: &str = "4";

fn main() -> ExitCode {
    scenario::main(async {
        let plane = Plane::start(&[]).await?;
        let kube = plane.kube().await?;
        install_provider(&kube).await?;
        let fleet = Fleet::create(&kube, "replicas", &plane.kubeconfig).await?;
        let template = json!({ "name": "how", "namespace": "replicas" });
        kube.create(json!({ "kind": "TestRemediationTemplate", "metadata": template, "spec": { "template": {} } }))
            .await?;
        for number in 1..=3 {
            fleet.machine(&format!("replicas-{number}"), None).await?;
        }
        let api_version = "remediation.test.capi-policy/v1";
        let reference = json!({ "apiVersion": api_version, "kind": "TestRemediationTemplate", "name": "how" });
        fleet.health_check(1, json!({ "templateRef": reference })).await?;

        let proxy = Proxy::start(&kube, plane.directory(), "proxy", Rules::default()).await?;
        let arguments =
            ["--mode", "apply", "--leader-elect", "--lease-seconds", LEASE_SECONDS, "--lease-namespace", "default"];
        let mut hosts = Vec::new();
        for name in ["a", "b"] {
            hosts.push(Host::start(&proxy.kubeconfig, plane.directory(), name, &arguments)?);
        }
        for host in &hosts {
            host.ready().await?;
        }
        let leader = eventually("one leads", within(60), async || leader(&hosts).await).await?;
        fleet.says("Machine", "replicas-1", "HealthCheckSucceeded", "True").await?;
        fleet.node_is("replicas-1", "False").await?;
        requested(&kube, "replicas-1").await?;
        ensure!(
            hosts.iter().filter(|host| host.decisions().is_ok_and(|d| !d.is_empty())).count() == 1,
            "both have decided"
        );

        let mut dead = hosts.swap_remove(leader);
        // The machine breaks while nobody looks.
        dead.kill()?;
        let start = now();
        fleet.node_is("replicas-2", "False").await?;
        let other = hosts.first().context("no other replica")?;
        eventually("the other leads", within(60), async || {
            Ok((other.metric("capi_policy_leading").await? == 1).then_some(()))
        })
        .await?;
        let taken_over = start.elapsed();
        requested(&kube, "replicas-2").await?;
        fleet.node_is("replicas-3", "False").await?;
        requested(&kube, "replicas-3").await?;

        for machine in ["replicas-1", "replicas-2", "replicas-3"] {
            // The proxy notes it when it has passed the answer on; by then the test may have seen the request.
            let created = || proxy.rules.done().iter().filter(|d| d.method == "POST" && d.name == machine).count();
            eventually("the request is noted", within(10), async || Ok((created() > 0).then_some(()))).await?;
            ensure!(created() == 1, "{} requests for {machine}", created());
        }
        let again = other.decisions()?.iter().any(|decision| did(decision, "replicas-1"));
        ensure!(!again, "the new leader has written again what was written before");
        // One that is told to stop gives the Lease back, so a third need not wait.
        let third = Host::start(&proxy.kubeconfig, plane.directory(), "c", &arguments)?;
        third.ready().await?;
        let mut other = hosts.remove(0);
        other.stop().await?;
        let start = now();
        eventually("the third leads", within(60), async || {
            Ok((third.metric("capi_policy_leading").await? == 1).then_some(()))
        })
        .await?;
        println!(
            "test replicas ... ok  taken over {} ms after SIGKILL (lease {LEASE_SECONDS} s), {} ms after SIGTERM",
            taken_over.as_millis(),
            start.elapsed().as_millis()
        );
        Ok(0)
    })
}

async fn leader(hosts: &[Host]) -> Result<Option<usize>> {
    for (number, host) in hosts.iter().enumerate() {
        if host.metric("capi_policy_leading").await? == 1 {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

async fn requested(kube: &Kube, machine: &str) -> Result<()> {
    eventually(&format!("a request for {machine}"), within(60), async || {
        Ok(kube.get("TestRemediation", "replicas", machine).await?.map(drop))
    })
    .await
}

/// Whether a decision wrote something about a machine.
fn did(decision: &Value, machine: &str) -> bool {
    let written = decision["written"].as_array().into_iter().flatten();
    written
        .filter(|written| written["what"] != "apply")
        .any(|written| written["object"].as_str().is_some_and(|o| o.ends_with(machine)))
}
