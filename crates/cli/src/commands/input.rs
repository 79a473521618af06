//! What is asked: files in, one snapshot for each object that the policy can evaluate out.

use super::moment;
use crate::objects::{self, Document};
use crate::render;
use anyhow::{Result, bail};
use capi_policy_controller::group::{self, Question};
use capi_policy_host::decision::Catalog;
use serde_json::{Value, json};
use std::path::PathBuf;

/// `-f` and what goes with it.
#[derive(clap::Args)]
pub struct InputArgs {
    /// Objects as kubectl prints them (YAML or JSON), or snapshots; a folder is read with all below it, - is
    /// standard input; may be repeated
    #[arg(short = 'f', long = "filename", required = true, value_name = "FILE|DIR|-")]
    files: Vec<PathBuf>,
    /// The time of the evaluation, as in 2026-01-15T12:30:00Z [default: that of the snapshot, else the present]
    #[arg(long, value_name = "TIME")]
    now: Option<String>,
    /// Which rules apply [default: that of the snapshot, else documented]; `diff` compares two
    #[arg(long, value_parser = ["documented", "cluster-api", "cluster-api-v1.13", "cluster-api-v1.14"])]
    profile: Vec<String>,
    /// Only these objects, as in Machine, mhc/workers or MachineDeployment/prod/md-0
    #[arg(value_name = "KIND[/[NAMESPACE/]NAME]")]
    only: Vec<String>,
}

impl InputArgs {
    /// The snapshots, in the order in which they are shown.
    pub fn questions(&self, catalog: &Catalog) -> Result<Vec<Question>> {
        if self.profile.len() > 1 {
            bail!("--profile can be given once here; `capi-policy diff` compares two");
        }
        let now = self.now.as_deref().map(moment::parse).transpose()?;
        let moment = now.unwrap_or_else(moment::present).to_string();
        let mut questions = read(&self.files, catalog, &moment)?;
        for question in &mut questions {
            let fields = &mut question.snapshot;
            if now.is_some() || fields["now"].is_null() {
                fields["now"] = json!(moment);
            }
            if let Some(profile) = self.profile.first() {
                fields["profile"] = json!(profile);
            }
        }
        self.select(questions)
    }

    /// The profiles that were named, for a command that compares them.
    pub fn take_profiles(&mut self) -> Vec<String> {
        std::mem::take(&mut self.profile)
    }

    /// Names the profile.
    pub fn set_profile(&mut self, profile: &str) {
        self.profile = vec![profile.to_owned()];
    }

    fn select(&self, questions: Vec<Question>) -> Result<Vec<Question>> {
        if self.only.is_empty() {
            return Ok(questions);
        }
        let all: Vec<_> = questions.iter().map(Question::label).collect();
        let selected: Vec<_> =
            questions.into_iter().filter(|question| self.only.iter().any(|only| question.is(only))).collect();
        if selected.is_empty() {
            bail!("nothing is called {}; there is:\n  {}", self.only.join(" or "), all.join("\n  "));
        }
        Ok(selected)
    }
}

/// The snapshots of files, as they are.
pub fn read(files: &[PathBuf], catalog: &Catalog, now: &str) -> Result<Vec<Question>> {
    let (mut objects, mut questions) = (Vec::new(), Vec::new());
    for document in objects::read(files)? {
        match document {
            Document::Object(object) => objects.push(object),
            Document::Snapshot(snapshot) => questions.push(Question::of(snapshot)),
            Document::Case(case) => questions.push(Question::of(case.snapshot())),
        }
    }
    let grouped = group::group(&objects, &catalog.kinds(), now);
    tell(&grouped);
    questions.extend(grouped.questions);
    if questions.is_empty() {
        let kinds: Vec<_> = catalog.kinds().into_iter().collect();
        bail!("none of the {} objects can be evaluated; the policy knows {}", objects.len(), kinds.join(", "));
    }
    Ok(questions)
}

/// What a person should know before believing the result.
fn tell(grouped: &group::Grouped) {
    let list = |names: &std::collections::BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
    if !grouped.absent.is_empty() {
        render::note(&format!(
            "objects refer to {} and the input has none: what the objects last said about them counts; add them with another -f",
            list(&grouped.absent)
        ));
    }
    if !grouped.outdated.is_empty() {
        render::note(&format!(
            "the policy reads v1beta2, but the input has {}; ask for the version, as in `kubectl get machines.v1beta2.cluster.x-k8s.io`",
            list(&grouped.outdated)
        ));
    }
}

/// A snapshot as text, with `explain` where asked for.
pub fn text(question: &Question, explain: bool) -> String {
    let mut snapshot = question.snapshot.clone();
    if explain {
        snapshot["explain"] = Value::Bool(true);
    }
    snapshot.to_string()
}
