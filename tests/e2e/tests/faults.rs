//! Everything that can break breaks in the middle of remediations; afterwards all is as if nothing had.

use anyhow::{Context, Result, ensure};
use capi_policy_e2e::fleet::{Fleet, install_provider};
use capi_policy_e2e::host::Host;
use capi_policy_e2e::kube_objects::Kube;
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::proxy::{Proxy, Rules};
use capi_policy_e2e::scenario;
use capi_policy_e2e::stored::{differences, settled, state};
use capi_policy_e2e::wait::{eventually, within};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Machines of the fleet that somebody else remediates.
const MACHINES: usize = 8;

fn main() -> ExitCode {
    scenario::main(async {
        let (calm, stormy) = tokio::join!(play(false), play(true));
        let (mut calm, mut stormy) = (calm.context("without faults")?, stormy.context("with faults")?);
        let expected = settled(&calm.kube, "").await?;
        let same = eventually("with faults all is as without", within(90), async || {
            Ok((state(&stormy.kube, "").await? == expected).then_some(()))
        });
        if let Err(error) = same.await {
            return Err(error.context(differences(&expected, &state(&stormy.kube, "").await?)));
        }
        calm.host.stop().await?;
        stormy.host.stop().await?;
        let after = differences(&expected, &state(&stormy.kube, "").await?);
        ensure!(after.is_empty(), "a difference came late: {after}");
        let remediated = stormy.remediated();
        for (machine, times) in &remediated {
            ensure!(*times == 1, "{machine} was remediated {times} times");
        }
        ensure!(remediated.len() == MACHINES + 2, "remediated: {remediated:?}");
        println!(
            "test faults ... ok  {} objects as in the run without faults, {} remediations, each once, {} writes refused",
            expected.len(),
            remediated.len(),
            stormy.proxy.rules.refused()
        );
        Ok(0)
    })
}

/// A fleet, and who looks after it.
struct Campaign {
    /// Ends with the campaign.
    _plane: Plane,
    kube: Kube,
    proxy: Proxy,
    host: Host,
}

impl Campaign {
    /// How often a remediation request was created or a machine deleted, by machine.
    fn remediated(&self) -> BTreeMap<String, usize> {
        let mut remediated = BTreeMap::new();
        for done in self.proxy.rules.done() {
            let machine = match &*done.method {
                "POST" if done.path.ends_with("/testremediations") => done.name,
                "DELETE" if done.path.contains("/machines/") => {
                    done.path.rsplit('/').next().unwrap_or_default().to_owned()
                }
                _ => continue,
            };
            *remediated.entry(machine).or_default() += 1;
        }
        remediated
    }
}

async fn play(faults: bool) -> Result<Campaign> {
    let mut plane = Plane::start(&[]).await?;
    let kube = plane.kube().await?;
    install_provider(&kube).await?;
    let fleet = Fleet::create(&kube, "faults", &plane.kubeconfig).await?;
    let metadata = json!({ "name": "how", "namespace": "faults" });
    kube.create(json!({ "kind": "TestRemediationTemplate", "metadata": metadata, "spec": { "template": {} } })).await?;
    for number in 1..=MACHINES {
        fleet.machine(&format!("faults-{number}"), None).await?;
    }
    let reference =
        json!({ "apiVersion": "remediation.test.capi-policy/v1", "kind": "TestRemediationTemplate", "name": "how" });
    fleet.health_check(1, json!({ "templateRef": reference })).await?;
    let ownerless = Fleet::create(&kube, "ownerless", &plane.kubeconfig).await?;
    for name in ["ownerless-1", "ownerless-2"] {
        ownerless.machine(name, None).await?;
    }
    ownerless.health_check(1, json!({})).await?;

    let proxy = Proxy::start(&kube, plane.directory(), "proxy", Rules::default()).await?;
    proxy.rules.refuse_every.store(if faults { 10 } else { 0 }, Ordering::SeqCst);
    let mut host = Host::start(&proxy.kubeconfig, plane.directory(), "host", &["--mode", "apply"])?;
    fleet.says("Machine", "faults-1", "HealthCheckSucceeded", "True").await?;

    broken(&fleet, &[1, 2]).await?;
    if faults {
        plane.crash_and_restart().await?;
    }
    requested(&kube, &[1, 2]).await?;

    if faults {
        plane.command("pause-etcd 3s").await?;
    }
    broken(&fleet, &[3, 4]).await?;
    requested(&kube, &[3, 4]).await?;

    broken(&fleet, &[5]).await?;
    if faults {
        plane.command("cut-watches").await?;
    }
    broken(&fleet, &[6]).await?;
    requested(&kube, &[5, 6]).await?;

    if faults {
        eventually("etcd forgets", within(60), async || Ok(plane.command("compact").await.ok())).await?;
    }
    broken(&fleet, &[7, 8]).await?;
    requested(&kube, &[7, 8]).await?;

    ownerless.says("Machine", "ownerless-1", "HealthCheckSucceeded", "True").await?;
    proxy.rules.hold_actions.store(faults, Ordering::SeqCst);
    ready(&ownerless, "ownerless-1", "False").await?;
    if faults {
        eventually("the deletion is on its way", within(60), async || Ok((proxy.rules.held() > 0).then_some(())))
            .await?;
        host.kill()?;
        proxy.rules.hold_actions.store(false, Ordering::SeqCst);
        host = Host::start(&proxy.kubeconfig, plane.directory(), "host", &["--mode", "apply"])?;
    }
    ready(&ownerless, "ownerless-2", "False").await?;
    for name in ["ownerless-1", "ownerless-2"] {
        eventually(&format!("{name} is deleted"), within(60), async || {
            Ok(kube.get("Machine", "ownerless", name).await?.is_none().then_some(()))
        })
        .await?;
    }

    for number in 1..=MACHINES {
        ready(&fleet, &format!("faults-{number}"), "True").await?;
    }
    eventually("all requests are gone", within(90), async || {
        Ok(kube.list("TestRemediation", "faults").await?.is_empty().then_some(()))
    })
    .await?;
    for number in 1..=MACHINES {
        fleet.says("Machine", &format!("faults-{number}"), "HealthCheckSucceeded", "True").await?;
    }
    eventually("the health checks have counted", within(60), async || {
        let counted = |check: &Value, number: usize| check["status"]["currentHealthy"] == number;
        let (one, two) = (
            kube.get("MachineHealthCheck", "faults", "faults").await?.unwrap_or_default(),
            kube.get("MachineHealthCheck", "ownerless", "ownerless").await?.unwrap_or_default(),
        );
        Ok((counted(&one, MACHINES) && counted(&two, 0)).then_some(()))
    })
    .await?;
    Ok(Campaign { _plane: plane, kube, proxy, host })
}

async fn broken(fleet: &Fleet, numbers: &[usize]) -> Result<()> {
    for number in numbers {
        ready(fleet, &format!("faults-{number}"), "False").await?;
    }
    Ok(())
}

/// The server may be away just now, also for the test.
async fn ready(fleet: &Fleet, name: &str, status: &str) -> Result<()> {
    eventually(&format!("{name} becomes {status}"), within(60), async || Ok(Some(fleet.node_is(name, status).await?)))
        .await
}

async fn requested(kube: &Kube, numbers: &[usize]) -> Result<()> {
    for number in numbers {
        eventually(&format!("a request for faults-{number}"), within(90), async || {
            Ok(kube.get("TestRemediation", "faults", &format!("faults-{number}")).await?.map(drop))
        })
        .await?;
    }
    Ok(())
}
