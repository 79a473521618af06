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

use capi_policy_e2e::fleet::install_provider;
use capi_policy_e2e::host::Host;
use capi_policy_e2e::plane::Plane;
use capi_policy_e2e::scenario::{self, run_all, scenario};
use capi_policy_e2e::stage::Stage;
use std::process::ExitCode;

fn main() -> ExitCode {
    scenario::main(async {
        let plane = Plane::start(&["blind", "bound"]).await?;
        let stage = Stage::new(&plane).await?;
        install_provider(&stage.kube).await?;
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
        let checks = [deployments::stuck(&stage).await, coverage::every_row(&stage).await, stage.soon_enough()];
        for check in &checks {
            match check {
                Ok(found) => println!("test apply::{found} ... ok"),
                Err(error) => println!("test apply ... FAILED\n{error:#}"),
            }
        }
        Ok(failed + checks.iter().filter(|check| check.is_err()).count())
    })
}
