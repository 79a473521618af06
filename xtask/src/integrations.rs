//! Tests with other projects' own engines. They take long to build, so they run only when they are named.

use crate::{gitops, monitoring, run};
use anyhow::Result;

/// Modules below `tests/integrations`.
const MODULES: &[&str] = &["argocd", "flux"];

/// Runs the health checks of `deploy/gitops` in Argo CD's and Flux' engines, and the alert rules of `deploy/monitoring` in Prometheus'.
pub fn test() -> Result<()> {
    gitops::write_objects()?;
    for module in MODULES {
        let folder = run::root().join("tests/integrations").join(module);
        // What the modules need is newer than what the rest of the project asks for; Go gets it by itself.
        let mut test = run::command("go", &["test", "-count=1", "-timeout", "20m", "./..."]);
        run::exec(test.current_dir(folder).env("GOTOOLCHAIN", "auto"))?;
    }
    gitops::check_measured()?;
    monitoring::test()
}
