//! What is known to be wrong with dependencies: cargo-deny for crates, govulncheck for Go modules. Both are installed on demand.
//!
//! Their databases are downloaded. Where that is not possible, the step and the release say what was not looked up instead of
//! claiming that nothing was found. Without the tools themselves both fail.

use crate::{go, run, tools};
use anyhow::{Context, Result, bail, ensure};
use std::process::Command;

const GOVULNCHECK: &str = "golang.org/x/vuln/cmd/govulncheck@v1.8.0";
/// How govulncheck ends when it has found something; any other failure is its own.
const FOUND: i32 = 3;

/// Checks everything, and says what could not be looked up.
pub fn test() -> Result<()> {
    check()?.into_iter().for_each(|warning| run::say(&warning));
    Ok(())
}

/// Licences, sources, bans and advisories of crates; vulnerabilities of Go modules. A line for each database that can't be had.
pub fn check() -> Result<Vec<String>> {
    let deny = tools::cargo("cargo-deny", "0.20.2", &[])?;
    run::exec(run::command(&deny, &["check", "licenses", "bans", "sources"]).env("CARGO_TERM_COLOR", "never"))?;
    let mut unknown = Vec::new();
    if run::succeeds(&deny, &["fetch", "db"]) {
        run::exec(&mut run::command(&deny, &["check", "--disable-fetch", "advisories"]))?;
    } else {
        unknown.push("advisories about crates");
    }
    if !go_modules()? {
        unknown.push("vulnerabilities of Go modules");
    }
    let warning = |what| format!("NOT LOOKED UP, their database can't be had from here: {what}");
    Ok(unknown.into_iter().map(warning).collect())
}

/// Known vulnerabilities of what the Go modules call, for which the database has to be reachable.
pub fn test_go() -> Result<()> {
    ensure!(go_modules()?, "govulncheck's database can't be had from here");
    Ok(())
}

/// Whether the database could be had. A module in which something was found is an error.
fn go_modules() -> Result<bool> {
    let govulncheck = tools::go("govulncheck", GOVULNCHECK)?;
    for module in go::MODULES {
        let output = Command::new(&govulncheck)
            .arg("./...")
            .current_dir(run::root().join(module))
            .output()
            .with_context(|| govulncheck.clone())?;
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        match output.status.code() {
            Some(0) => run::say(&format!("govulncheck: nothing found in {module}")),
            Some(FOUND) => bail!("govulncheck in {module}:\n{text}"),
            _ if text.contains("vuln.go.dev") => return Ok(false),
            _ => bail!("govulncheck could not look at {module}:\n{text}"),
        }
    }
    Ok(true)
}
