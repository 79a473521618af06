//! What whoever operates the host relies on: its log, its commands, its signals, what it says about itself.

#[path = "operation/ends.rs"]
mod ends;
#[path = "operation/events.rs"]
mod events;
#[path = "operation/example.rs"]
mod example;
#[path = "operation/files.rs"]
mod files;
#[path = "operation/policy.rs"]
mod policy;

use anyhow::Result;
use capi_policy_e2e::fleet::install_provider;
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
            scenario("history of a machine that is gone", files::history(stage.clone())),
            scenario("the decision log is rotated", files::rotated(stage.clone())),
            scenario("capture", files::capture(stage.clone())),
            scenario("another policy while it runs", policy::replaced(stage.clone())),
            scenario("an event that is never answered", events::unanswered(stage.clone())),
            scenario("the small example", example::prints(stage.clone())),
            scenario("what it says about itself", ends::endpoints(stage.clone())),
            scenario("told to stop in the middle of a remediation", ends::stopped(stage.clone())),
        ];
        Ok(run_all("operation", scenarios).await)
    })
}

/// A host that applies in one namespace.
fn host(stage: &Stage, kubeconfig: &Path, name: &str, arguments: &[&str]) -> Result<Host> {
    let all = [&["--mode", "apply", "--namespace", name], arguments].concat();
    Host::start(kubeconfig, &stage.directory, name, &all)
}
