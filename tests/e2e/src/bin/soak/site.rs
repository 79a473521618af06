//! The server, the clusters on it, the host that looks after them, and what breaks.

use crate::change::LEFT_ALONE;
use crate::random::Random;
use anyhow::Result;
use capi_policy_e2e::fleet::{Fleet, install_provider};
use capi_policy_e2e::host::{self, Host};
use capi_policy_e2e::kube_objects::Kube;
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::proxy::{Proxy, Rules};
use capi_policy_e2e::wait::{eventually, within};
use capi_policy_e2e::wrong_clock::WrongClock;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// Every so many of the host's writes, until the end of the round.
    WritesRefused,
    WatchesCut,
    HistoryForgotten,
    EtcdPaused,
    /// An hour ahead or back, until the host has noticed.
    ClockJumped,
    ServerKilled,
    HostKilled,
    HostStopped,
}

pub const FAULTS: &[Fault] = &[
    Fault::WritesRefused,
    Fault::WritesRefused,
    Fault::WatchesCut,
    Fault::HistoryForgotten,
    Fault::EtcdPaused,
    Fault::ClockJumped,
    Fault::ServerKilled,
    Fault::HostKilled,
    Fault::HostStopped,
];

pub struct Site {
    pub plane: Plane,
    pub kube: Kube,
    pub proxy: Proxy,
    pub host: Host,
    pub fleets: Vec<Fleet>,
    clock: WrongClock,
    policy: PathBuf,
    another: bool,
    /// Of hosts that are gone.
    evaluations: u64,
}

impl Site {
    pub async fn start() -> Result<Self> {
        let plane = Plane::start(&[]).await?;
        let kube = plane.kube().await?;
        install_provider(&kube).await?;
        let fleets = fleets(&kube, &plane).await?;
        let proxy = Proxy::start(&kube, plane.directory(), "proxy", Rules::default()).await?;
        let policy = plane.directory().join("policy.wasm");
        put(&policy, &bytes(false)?)?;
        let clock = WrongClock::create(plane.directory(), "clock", 0)?;
        let host = start_host(&clock, &proxy, &plane, &policy)?;
        host.ready().await?;
        Ok(Self { plane, kube, proxy, host, fleets, clock, policy, another: false, evaluations: 0 })
    }

    /// Does what is wrong. A host that is gone is started again by the caller, who may do something before.
    pub async fn break_something(&mut self, fault: Fault, random: &mut Random) -> Result<()> {
        match fault {
            Fault::WritesRefused => self.refuse(2 + random.below(9)),
            Fault::WatchesCut => self.plane.command("cut-watches").await.map(drop)?,
            Fault::HistoryForgotten => {
                eventually("etcd forgets", within(60), async || Ok(self.plane.command("compact").await.ok())).await?;
            }
            Fault::EtcdPaused => self.plane.command("pause-etcd 2s").await.map(drop)?,
            Fault::ClockJumped => {
                self.clock.set(if random.one_in(2) { 3_600 } else { -3_600 })?;
                eventually("the host doubts the clock", within(60), async || {
                    Ok((self.host.get("/readyz").await?.0 == 503).then_some(()))
                })
                .await?;
                self.clock.set(0)?;
            }
            Fault::ServerKilled => self.plane.crash_and_restart().await?,
            Fault::HostKilled => {
                self.evaluations = self.evaluations().await;
                self.host.kill()?;
            }
            Fault::HostStopped => {
                self.evaluations = self.evaluations().await;
                self.host.stop().await?;
            }
        }
        Ok(())
    }

    /// Starts a host after the last one.
    pub fn start_host(&mut self) -> Result<()> {
        self.host = start_host(&self.clock, &self.proxy, &self.plane, &self.policy)?;
        Ok(())
    }

    /// Every so many writes fail from now on; none at 0.
    pub fn refuse(&self, every: usize) {
        self.proxy.rules.refuse_every.store(every, Ordering::SeqCst);
    }

    /// The policy with other bytes instead of itself, or the other way round.
    pub async fn swap_policy(&mut self) -> Result<&'static str> {
        self.another = !self.another;
        put(&self.policy, &bytes(self.another)?)?;
        // Before it listens to the signal, the signal ends it.
        self.host.ready().await?;
        self.host.signal("HUP")?;
        Ok(if self.another { "one with other bytes" } else { "the first one" })
    }

    /// What all hosts have asked the policy so far.
    pub async fn evaluations(&self) -> u64 {
        self.evaluations + self.host.metric("capi_policy_evaluations_total").await.unwrap_or(0)
    }
}

/// Three clusters that differ in who remediates: the owner of the machines, somebody else, nobody but the host.
async fn fleets(kube: &Kube, plane: &Plane) -> Result<Vec<Fleet>> {
    let mut fleets = Vec::new();
    for name in ["owned", "external", "ownerless"] {
        let fleet = Fleet::create(kube, name, &plane.kubeconfig).await?;
        let (mut set, mut remediation) = (None, json!({}));
        if name == "owned" {
            let deployment = fleet.machine_deployment(name).await?;
            set = Some(fleet.machine_set(name, Some(&deployment)).await?);
        }
        if name == "external" {
            let metadata = json!({ "name": "how", "namespace": name });
            let template =
                json!({ "kind": "TestRemediationTemplate", "metadata": metadata, "spec": { "template": {} } });
            kube.create(template).await?;
            set = Some(fleet.machine_set(name, None).await?);
            let api_version = "remediation.test.capi-policy/v1";
            let reference = json!({ "apiVersion": api_version, "kind": "TestRemediationTemplate", "name": "how" });
            remediation = json!({ "templateRef": reference });
        }
        machines(&fleet, set.as_ref()).await?;
        fleet.health_check(2, remediation).await?;
        fleets.push(fleet);
    }
    Ok(fleets)
}

async fn machines(fleet: &Fleet, set: Option<&Value>) -> Result<()> {
    for number in 1..=2 {
        fleet.machine(&format!("{}{LEFT_ALONE}{number}", fleet.name), set).await?;
    }
    for letter in ["a", "b", "c"] {
        fleet.machine(&format!("{}-{letter}", fleet.name), set).await?;
    }
    Ok(())
}

fn start_host(clock: &WrongClock, proxy: &Proxy, plane: &Plane, policy: &Path) -> Result<Host> {
    let policy = policy.to_str().unwrap_or_default();
    let arguments = ["--mode", "apply", "--policy", policy];
    Host::start_with_clock(clock, &proxy.kubeconfig, plane.directory(), "host", &arguments)
}

/// The policy, or another that decides the same: it has a custom section more.
fn bytes(another: bool) -> Result<Vec<u8>> {
    let mut bytes = std::fs::read(host::policy()?)?;
    if another {
        bytes.extend_from_slice(b"\x00\x08\x07another");
    }
    Ok(bytes)
}

/// Replaces the file as people should: all of it at once.
fn put(file: &Path, policy: &[u8]) -> Result<()> {
    let new = file.with_extension("new");
    std::fs::write(&new, policy)?;
    Ok(std::fs::rename(&new, file)?)
}
