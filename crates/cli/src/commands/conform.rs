//! `capi-policy conform`.

use super::policy::{self, Kind, PolicyArgs};
use super::{Answer, push};
use crate::conformance::{Conformance, Corpus};
use crate::render::grid::{BOLD, DIM, GREEN, RED, paint};
use crate::render::print;
use crate::{objects, oci, trust};
use anyhow::{Context, Result, bail};
use capi_policy_corpus::{Case, compare, families, read};
use capi_policy_host::Engine;
use capi_policy_signing::statement::CONFORMANCE;
use capi_policy_signing::{SigningKey, Statement};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeSet;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const EXAMPLES: &str = "\
Examples:
  capi-policy conform tests/conformance/v1.14
  capi-policy conform --profile cluster-api-v1.13 tests/conformance/v1.13/*.jsonl.gz
  capi-policy conform answers.jsonl --engine native -j 4
  capi-policy conform --profile cluster-api-v1.14 tests/conformance/v1.14 \
    --policy oci://registry.example/policies/capi-policy:0.1.0 --attest cosign.key

A corpus holds recorded answers of Cluster API, one JSON object a line; FORMAT.md beside them says how they look.
Each case that differs is shown, a case that can't be compared differs, and the last line counts.";

/// Compare the policy with recorded answers of Cluster API
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Corpus files, gzipped or not
    #[arg(required = true, value_name = "FILE.jsonl[.gz]")]
    files: Vec<PathBuf>,
    /// The profile that has to give these answers
    #[arg(long, value_name = "NAME", default_value = "cluster-api")]
    profile: String,
    /// What answers
    #[arg(long, value_enum, default_value_t = Kind::Component)]
    engine: Kind,
    /// How many cases at once [default: one for each processor]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// When every answer is given, sign an attestation of that with this private key and put it beside the policy, which has
    /// to be in a registry
    #[arg(long, value_name = "cosign.key", conflicts_with = "engine")]
    attest: Option<PathBuf>,
    #[command(flatten)]
    policy: PolicyArgs,
}

/// What became of a case.
enum Verdict {
    Passed,
    Failed(String),
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        let attest = self.attest.as_deref().map(|key| self.attested(key)).transpose()?;
        let engine = self.policy.engine(self.engine)?;
        let files = self.files()?;
        let mut cases = Vec::new();
        for file in &files {
            let recorded = read(file).context("can't read the corpus")?;
            cases.push(
                recorded.into_iter().map(|case| Case { profile: self.profile.clone(), ..case }).collect::<Vec<_>>(),
            );
        }
        let contents: Vec<_> = cases.iter().map(|cases| (cases.len(), about(cases))).collect();
        let cases = cases.concat();
        let jobs = self.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
        let verdicts = judge_all(&*engine, &cases, jobs)?;
        let answer = report(&cases, &verdicts)?;
        if let (Some((reference, key, release)), Answer::Fine) = (attest, answer) {
            let catalog = policy::catalog(&*engine)?;
            let corpora = files.iter().zip(contents).map(|(file, content)| corpus(file, content, &release));
            let conformance = Conformance {
                policy: format!("{} {}", catalog.name, catalog.version),
                corpora: corpora.collect::<Result<_>>()?,
            };
            let digest = oci::resolve(&reference)?;
            let statement = Statement::new(&digest, CONFORMANCE, serde_json::to_value(conformance)?);
            push::attach(&reference, &key, &statement)?;
        }
        Ok(answer)
    }

    /// Where an attestation goes, who signs it, and which release it is about. The very policy that is run is attested, so it
    /// is named by its digest from the start.
    fn attested(&self, key: &Path) -> Result<(String, SigningKey, String)> {
        let reference = self.policy.reference()?;
        if !reference.starts_with(oci::SCHEME) || !reference.contains('@') {
            bail!(
                "--attest puts the attestation beside the policy: name it by its digest, as `capi-policy push` prints it, with \
                 --policy oci://registry/name:tag@sha256:…"
            );
        }
        let Some(release) = self.profile.strip_prefix("cluster-api-") else {
            bail!("--attest names a release of Cluster API: say which with --profile cluster-api-v1.14");
        };
        Ok((reference, trust::signing_key(key)?, release.to_owned()))
    }

    fn files(&self) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for file in &self.files {
            if !file.is_dir() && !objects::is_corpus(file) {
                bail!("{}: expected a corpus, a file that ends in .jsonl or .jsonl.gz", file.display());
            }
            files.extend(objects::corpus_files(file)?);
        }
        Ok(files)
    }
}

fn about(cases: &[Case]) -> BTreeSet<String> {
    cases.iter().map(|case| case.kind.clone()).collect()
}

/// A file of which every answer was given.
fn corpus(file: &Path, (answers, families): (usize, BTreeSet<String>), release: &str) -> Result<Corpus> {
    let content = fs::read(file).with_context(|| file.display().to_string())?;
    Ok(Corpus {
        file: file.file_name().unwrap_or_default().display().to_string(),
        digest: oci::digest(&content),
        families,
        release: release.to_owned(),
        answers,
        equal: answers,
    })
}

/// Every verdict, in the order of the cases.
fn judge_all(engine: &dyn Engine, cases: &[Case], jobs: usize) -> Result<Vec<Verdict>> {
    let progress = ProgressBar::new(cases.len().try_into()?);
    progress.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} {per_sec} {eta}")?);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(i) else { return done };
            done.push((i, judge(engine, case)));
            progress.inc(1);
        }
    };
    let mut verdicts: Vec<(usize, Verdict)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
    });
    progress.finish_and_clear();
    if verdicts.len() != cases.len() {
        bail!("{} of {} cases were lost", cases.len() - verdicts.len(), cases.len());
    }
    verdicts.sort_by_key(|(i, _)| *i);
    Ok(verdicts.into_iter().map(|(_, verdict)| verdict).collect())
}

fn judge(engine: &dyn Engine, case: &Case) -> Verdict {
    if families::named(&case.kind).is_none() {
        return Verdict::Failed(format!("  {}: a family that can't be compared\n", case.kind));
    }
    let evaluation = match engine.evaluate(&case.snapshot().to_string()) {
        Ok(evaluation) => evaluation,
        Err(error) => return Verdict::Failed(format!("  no answer: {error}\n")),
    };
    let evaluation = match serde_json::from_str(&evaluation) {
        Ok(evaluation) => evaluation,
        Err(error) => return Verdict::Failed(format!("  the answer is not JSON: {error}\n")),
    };
    let comparison = compare(case, &evaluation);
    let show = |mark: &str, text: &str, style| {
        let lines: Vec<_> = text.lines().map(|line| format!("    {mark} {}\n", paint(line, style))).collect();
        if lines.is_empty() { format!("    {mark}\n") } else { lines.concat() }
    };
    let differences: Vec<_> = comparison
        .differences
        .iter()
        .map(|d| format!("  {}\n{}{}", d.path, show("-", &d.recorded, RED), show("+", &d.computed, GREEN)))
        .collect();
    if differences.is_empty() { Verdict::Passed } else { Verdict::Failed(differences.concat()) }
}

fn report(cases: &[Case], verdicts: &[Verdict]) -> Result<Answer> {
    let (mut passed, mut failed) = (0, 0);
    let mut lines = Vec::new();
    for (case, verdict) in cases.iter().zip(verdicts) {
        match verdict {
            Verdict::Passed => passed += 1,
            Verdict::Failed(differences) => {
                failed += 1;
                lines.push(format!("{} {}\n{differences}", paint("✗", RED), paint(&case.id, BOLD)));
            }
        }
    }
    if failed > 0 {
        lines.push(format!("\n{}\n", paint("- what Cluster API said, + what the policy says", DIM)));
    }
    lines.push(format!("{passed} passed, {failed} failed\n"));
    print(&lines.concat())?;
    Ok(if failed == 0 { Answer::Fine } else { Answer::Differences })
}
