//! What the host withstands: tenants that mean harm, servers that misbehave, others who write.

#[path = "safety/answers.rs"]
mod answers;
#[path = "safety/certificates.rs"]
mod certificates;
#[path = "safety/journal.rs"]
mod journal;
#[path = "safety/replicas.rs"]
mod replicas;
#[path = "safety/restore.rs"]
mod restore;
#[path = "safety/tenants.rs"]
mod tenants;
#[path = "safety/time.rs"]
mod time;
#[path = "safety/unseen.rs"]
mod unseen;
#[path = "safety/versions.rs"]
mod versions;
#[path = "safety/writers.rs"]
mod writers;

use anyhow::Result;
use capi_policy_e2e::fleet::{Fleet, install_provider, transitioned};
use capi_policy_e2e::host::Host;
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::scenario::{self, run_all, scenario};
use capi_policy_e2e::stage::Stage;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    scenario::main(async {
        let plane = Plane::start(&[]).await?;
        let stage = Stage::new(&plane).await?;
        install_provider(&stage.kube).await?;
        let scenarios = vec![
            scenario("kubeconfigs that are refused", tenants::kubeconfigs(stage.clone())),
            scenario("workload servers that mean harm", tenants::servers(stage.clone())),
            scenario("connections that say nothing", tenants::connections(stage.clone())),
            scenario("writes that are never answered", answers::muted(stage.clone())),
            scenario("writes that are refused for a moment", answers::refused(stage.clone())),
            scenario("a group that is not served at first", answers::not_served(stage.clone())),
            scenario("a server that falls silent", answers::silent(stage.clone())),
            scenario("a leader that is stopped for a while", answers::frozen(stage.clone())),
            scenario("killed between the record and the deletion", journal::killed(stage.clone())),
            scenario("a full disk", journal::full(stage.clone())),
            scenario("an older version only", versions::older_only()),
            scenario("a second writer", writers::second(stage.clone())),
            scenario("a machine that changes after the decision", writers::changed(stage.clone())),
            scenario("a server that is behind", restore::behind(stage.clone())),
            scenario("a clock that jumps", time::jumps(stage.clone())),
            scenario("a clock that is put right", time::corrected(stage.clone())),
            scenario("a server's certificate that expires", certificates::management(stage.clone())),
            scenario("a workload server's certificate that expires", certificates::workload(stage.clone())),
            scenario("what happens while nobody looks", unseen::states(stage.clone())),
            scenario("two replicas with different views", replicas::views(stage.clone())),
            scenario("a server restored to an older state", restore::restored()),
        ];
        Ok(run_all("safety", scenarios).await)
    })
}

/// A host that applies health checks in one namespace.
fn host(stage: &Stage, kubeconfig: &Path, name: &str, arguments: &[&str]) -> Result<Host> {
    let all = [&["--mode", "apply", "--kinds", "MachineHealthCheck", "--namespace", name], arguments].concat();
    Host::start(kubeconfig, &stage.directory, name, &all)
}

/// A cluster that is up, as its own controller says: here only health checks are decided about.
async fn fleet(stage: &Stage, name: &str) -> Result<Fleet> {
    let fleet = stage.fleet(name).await?;
    fleet.set_condition("Cluster", name, transitioned("InfrastructureReady", "True", "Ready")).await?;
    Ok(fleet)
}
