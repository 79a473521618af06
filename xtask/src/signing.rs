//! Signatures both ways with the real cosign, on the registry of Debian and on one that lists referrers.

use crate::{artifact, run, test};
use anyhow::Result;

/// Programs that nobody here wrote, and the variables that name them to the tests.
const PROGRAMS: &[(&str, &str, &str)] = &[
    ("COSIGN", "cosign", "github.com/sigstore/cosign/v3/cmd/cosign@v3.1.3"),
    ("REGISTRY", "registry", "github.com/distribution/distribution/v3/cmd/registry@v3.0.0"),
];

/// Builds what is missing, minutes each, and runs the tests.
pub fn test() -> Result<()> {
    run::ensure_debian("docker-registry", &["docker-registry"])?;
    artifact::artifact()?;
    let folder = run::root().join("target/signing");
    let mut tests = test::host_tests(&["--test", "cli", "cosign", "--", "--ignored"]);
    for (variable, program, module) in PROGRAMS {
        let path = folder.join(program);
        if !path.exists() {
            run::exec(run::command("go", &["install", module]).env("GOBIN", &folder))?;
        }
        tests.env(variable, path);
    }
    run::exec(&mut tests)
}
