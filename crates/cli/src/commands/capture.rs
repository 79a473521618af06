//! `capi-policy capture`: everything that one cluster's decisions read, in one file.

use super::Answer;
use super::evaluate::yaml;
use anyhow::{Context, Result};
use capi_policy_controller::ServerList;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
    /// Which servers the Cluster's kubeconfig Secret may lead to, as in watch [default: any]
    #[arg(long, value_name = "SERVER,…")]
    workload_servers: Option<ServerList>,
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        let objects = capi_policy_controller::capture(
            self.kubeconfig.as_deref(),
            &self.namespace,
            &self.cluster,
            &self.workload_servers.unwrap_or_default(),
        )?;
        let mut text = String::new();
        for object in &objects {
            text.push_str("---\n");
            text.push_str(&yaml(object)?);
        }
        if self.output.as_os_str() == "-" {
            crate::render::print(&text)?;
        } else {
            write_private(&self.output, text.as_bytes()).with_context(|| self.output.display().to_string())?;
            anstream::eprintln!("{} objects in {}", objects.len(), self.output.display());
        }
        Ok(Answer::Fine)
    }
}

/// Writes a file that only its owner reads, also where there was one that others could read.
fn write_private(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Temporary files are closed to others from the start.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(content)?;
    file.persist(path)?;
    Ok(())
}
