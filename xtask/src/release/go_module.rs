//! The Go module with the policy embedded, in the files of a module proxy: `GOPROXY=file://…/goproxy` serves it.

use super::VERSION;
use crate::{go, run};
use anyhow::Result;
use std::fs;
use std::path::Path;

const MODULE: &str = "github.com/capi-policy/capi-policy/go";

/// Writes `goproxy/` from what is committed, and gets the module from there into a module of its own, which has to build and evaluate.
pub fn build(folder: &Path) -> Result<()> {
    go::check_embedded()?;
    let proxy = folder.join("goproxy");
    let packer = run::root().join("xtask/modzip");
    let version = format!("v{VERSION}");
    let root = run::root().join("go");
    let mut pack = run::command("go", &["run", ".", MODULE, &version]);
    run::exec(pack.current_dir(packer).arg(&root).arg(&proxy))?;
    try_it(&proxy, &version)
}

const TRIAL: &str = r#"package main

import (
	"context"
	"fmt"
	"log"

	capipolicy "github.com/capi-policy/capi-policy/go"
)

func main() {
	engine, err := capipolicy.New(capipolicy.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	answer, err := engine.EvaluateJSON(context.Background(), []byte(`{"now":"2025-01-01T00:00:00Z","machineSet":{"metadata":{"name":"ms"}}}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(answer) > 0)
}
"#;

fn try_it(proxy: &Path, version: &str) -> Result<()> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("main.go"), TRIAL)?;
    fs::write(folder.path().join("go.mod"), "module trial\n\ngo 1.26.0\n")?;
    let others = run::output(&mut run::command("go", &["env", "GOPROXY"]))?;
    let cache = folder.path().join("modules");
    let go = |arguments: &[&str]| {
        let mut go = run::command("go", arguments);
        go.current_dir(folder.path())
            .env("GOMODCACHE", &cache)
            .env("GONOSUMDB", MODULE)
            .env("GOFLAGS", "-mod=mod -modcacherw");
        go.env("GOPROXY", format!("file://{},{}", proxy.display(), others.trim()));
        go
    };
    run::exec(&mut go(&["get", &format!("{MODULE}@{version}")]))?;
    run::exec(&mut go(&["run", "."]))
}
