//! `capi-policy capture`: everything that one cluster's decisions read, in one file.

use super::Answer;
use anyhow::{Context, Result};
use std::fs;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  capi-policy capture --cluster prod -o prod.yaml
  capi-policy explain -f prod.yaml mhc

Secrets are read to reach the workload cluster's Nodes, and left out of the file.";

/// Write everything that one cluster's decisions read into a file that evaluate, explain and diff open
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The Cluster's name
    #[arg(long)]
    cluster: String,
    /// The Cluster's namespace
    #[arg(short, long, default_value = "default")]
    namespace: String,
    /// Where to write to; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// How to reach the management cluster [default: as kubectl does]
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        let objects = capi_policy_controller::capture(self.kubeconfig.as_deref(), &self.namespace, &self.cluster)?;
        let mut text = String::new();
        for object in &objects {
            text.push_str("---\n");
            text.push_str(&serde_saphyr::to_string(object)?);
        }
        if self.output.as_os_str() == "-" {
            crate::render::print(&text)?;
        } else {
            fs::write(&self.output, text).with_context(|| self.output.display().to_string())?;
            anstream::eprintln!("{} objects in {}", objects.len(), self.output.display());
        }
        Ok(Answer::Fine)
    }
}
