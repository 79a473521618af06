//! Apply mode: every row of the documents' tables decides about live objects, and the objects say so.

#[path = "apply/coverage.rs"]
mod coverage;
#[path = "apply/deployments.rs"]
mod deployments;
#[path = "apply/external.rs"]
mod external;
#[path = "apply/health.rs"]
mod health;
#[path = "apply/trouble.rs"]
mod trouble;

use anyhow::Result;
use capi_policy_e2e::fleet::{Fleet, install_provider};
use capi_policy_e2e::host::Host;
use capi_policy_e2e::kube_objects::Kube;
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::scenario::{self, run_all, scenario};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// What a scenario needs.
#[derive(Clone)]
struct Stage {
    kube: Kube,
    kubeconfig: PathBuf,
    directory: PathBuf,
}

impl Stage {
    async fn fleet(&self, name: &str) -> Result<Fleet> {
        Fleet::create(&self.kube, name, &self.kubeconfig).await
    }
}

/// For people: how long it took.
fn took(what: &str, duration: Duration) -> String {
    format!("{what} after {} ms; ", duration.as_millis())
}

fn main() -> ExitCode {
    scenario::main(async {
        let plane = Plane::start(&["blind", "bound"]).await?;
        let kube = plane.kube().await?;
        install_provider(&kube).await?;
        let stage = Stage { kube, kubeconfig: plane.kubeconfig.clone(), directory: plane.directory().to_owned() };
        let host = Host::start(&plane.kubeconfig, plane.directory(), "apply", &["--mode", "apply"])?;
        host.ready().await?;
        let failed = run_all(
            "apply",
            vec![
                scenario("node goes not ready and recovers", health::not_ready_and_back(stage.clone())),
                scenario("node is deleted", health::node_deleted(stage.clone())),
                scenario("machine never gets a node", health::never_a_node(stage.clone())),
                scenario("too many unhealthy machines", health::too_many(stage.clone())),
                scenario("a range", health::range(stage.clone())),
                scenario("an ownerless machine", health::ownerless(stage.clone())),
                scenario("who is a target", health::targets(stage.clone())),
                scenario("machines that can't be judged", health::not_judged(stage.clone())),
                scenario("a condition of the machine", health::machine_condition(stage.clone())),
                scenario("a paused cluster", health::paused(stage.clone())),
                scenario("control-plane machines unhealthy", health::control_plane(stage.clone())),
                scenario("external remediation", external::from_template_to_clean_up(stage.clone())),
                scenario("no remediation template", external::no_template(stage.clone())),
                scenario("a refused remediation request", external::refused(stage.clone())),
                scenario("a MachineDeployment is deleted", deployments::deleted(stage.clone())),
                scenario("a MachineDeployment remediates", deployments::remediates(stage.clone())),
                scenario("an in-place update", deployments::in_place_update(stage.clone())),
                scenario("a cluster out of reach", trouble::out_of_reach(stage.clone())),
                scenario("a cluster that is not there", trouble::no_cluster(stage.clone())),
                scenario("kinds that can't be listed", trouble::blind(stage.clone(), plane.user("blind")?)),
                scenario("two hosts share a management cluster", trouble::shared(stage.clone())),
            ],
        )
        .await;
        let late = deployments::stuck(&stage).await;
        let rows = coverage::every_row(&stage, &host);
        for result in [&late, &rows] {
            match result {
                Ok(found) => println!("test apply::{found} ... ok"),
                Err(error) => println!("test apply ... FAILED\n{error:#}"),
            }
        }
        Ok(failed + usize::from(late.is_err()) + usize::from(rows.is_err()))
    })
}
