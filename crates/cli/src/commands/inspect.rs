//! `capi-policy inspect`.

use super::Answer;
use super::evaluate::Output;
use super::policy::{self, PolicyArgs};
use crate::render::grid::{DIM, Grid, plain, styled};
use crate::render::words::count;
use crate::render::{print, width};
use anyhow::Result;
use capi_policy_host::PolicyEngine;
use capi_policy_host::decision::Catalog;
use serde_json::json;

const EXAMPLES: &str = "\
Examples:
  capi-policy inspect
  capi-policy inspect oci://registry.example/policies/capi-policy:0.1.0
  capi-policy inspect dist/capi_policy.wasm -o json";

/// Show what a policy is: version, digest, interfaces, tables
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The policy [default: as for every command]
    #[arg(value_name = "FILE|oci://…")]
    subject: Option<String>,
    #[command(flatten)]
    policy: PolicyArgs,
    /// How to show it
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    output: Output,
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        let reference = self.subject.clone().map_or_else(|| self.policy.reference(), Ok)?;
        // A policy that imports anything does not load, so none is what there is to say about imports.
        let engine = self.policy.load_from(&reference)?;
        let catalog = policy::catalog(&engine)?;
        let text = if self.output == Output::Table {
            show(&reference, &catalog, &engine)
        } else {
            let value = json!({
                "reference": reference, "name": catalog.name, "version": catalog.version, "wit": catalog.wit,
                "digest": format!("sha256:{}", engine.about().digest()), "bytes": engine.about().size(), "imports": [], "exports": engine.about().exports(),
                "profiles": catalog.profiles, "clusterApi": catalog.cluster_api,
                "tables": catalog.tables.iter().map(|table| json!({
                    "id": table.id, "kind": table.kind, "condition": table.condition, "rows": table.rows.len(),
                })).collect::<Vec<_>>(),
            });
            match self.output {
                Output::Yaml => serde_saphyr::to_string(&value)?,
                _ => serde_json::to_string_pretty(&value)? + "\n",
            }
        };
        print(&text)?;
        Ok(Answer::Fine)
    }
}

fn show(reference: &str, catalog: &Catalog, engine: &PolicyEngine) -> String {
    let mut facts = Grid::new(&["", "…"]);
    for (name, value) in [
        ("policy", reference.to_owned()),
        ("name", catalog.name.clone()),
        ("version", catalog.version.clone()),
        ("wit", catalog.wit.clone()),
        ("digest", format!("sha256:{}", engine.about().digest())),
        ("size", format!("{} bytes", engine.about().size())),
        ("imports", "none".to_owned()),
        ("exports", engine.about().exports().join("\n")),
        ("profiles", catalog.profiles.join(", ")),
        ("cluster api", catalog.cluster_api.join(", ")),
        (
            "tables",
            format!("{}, {}", catalog.tables.len(), count(catalog.tables.iter().map(|t| t.rows.len()).sum(), "row")),
        ),
    ] {
        facts.row(vec![styled(name, DIM), plain(value)]);
    }
    let mut tables = Grid::new(&["TABLE", "KIND", "DECIDES", "ROWS", "ABOUT…"]).indented(2);
    for table in &catalog.tables {
        let rows = table.rows.len().to_string();
        tables.row(vec![
            plain(&table.id),
            plain(&table.kind),
            plain(&table.condition),
            plain(rows),
            styled(&table.about, DIM),
        ]);
    }
    format!("{}\n{}", facts.render(width()), tables.render(width()))
}
