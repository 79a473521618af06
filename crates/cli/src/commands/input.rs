//! What is evaluated: the objects of files or of a cluster, put into the policy's fleet, which gives a snapshot for each that
//! can be evaluated.

use super::evaluate::Answers;
use super::live::{LiveArgs, LiveObjects};
use super::policy::PolicyArgs;
use super::{Answer, moment, policy};
use crate::objects::{self, Document};
use crate::question::Question;
use crate::render;
use anyhow::{Context, Result, bail};
use capi_policy_controller::profile::AUTO;
use capi_policy_host::{Assumption, EngineError, Fleet, How, ObjectName, PolicyEngine, Scope, Time, WorkloadCluster};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What a command evaluates, and by which policy.
#[derive(clap::Args)]
pub struct Subjects {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub policy: PolicyArgs,
}

/// Which objects to evaluate, and how.
#[derive(clap::Args)]
pub struct InputArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// Only these objects, as in Machine, mhc/workers or MachineDeployment/prod/md-0
    #[arg(value_name = "KIND[/[NAMESPACE/]NAME]")]
    only: Vec<String>,
}

/// `-f` and what goes with it.
#[derive(clap::Args)]
pub struct SourceArgs {
    /// Objects as kubectl prints them (YAML or JSON), or snapshots; a folder is read with all below it, - is
    /// standard input; may be repeated [default: the objects of the cluster that kubectl talks to]
    #[arg(short = 'f', long = "filename", value_name = "FILE|DIR|-")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    live: LiveArgs,
    /// The time of the evaluation, as in 2026-01-15T12:30:00Z [default: that of the snapshot, else the present]
    #[arg(long, value_name = "TIME")]
    now: Option<String>,
    /// Which rules apply; auto: those of the Cluster API that the cluster has [default: auto; for files that of the snapshot,
    /// else documented]; `diff` compares two
    #[arg(long, value_parser = [AUTO, "documented", "cluster-api", "cluster-api-v1.13", "cluster-api-v1.14"])]
    profile: Vec<String>,
    #[command(flatten)]
    listing: Listing,
}

/// What the files don't say about themselves.
#[derive(clap::Args, Default)]
pub struct Listing {
    /// All objects of this kind are in the files, also if there are none; otherwise a kind without any object counts as not
    /// read; may be repeated
    #[arg(long, value_name = "KIND")]
    complete: Vec<String>,
    /// The Cluster that Nodes belong to which don't say it in their annotations
    #[arg(long, value_name = "NAMESPACE/NAME")]
    workload_cluster: Option<String>,
}

impl InputArgs {
    /// The snapshots, in the order in which they are shown.
    pub fn questions(&self, engine: &PolicyEngine) -> Result<Vec<Question>> {
        let selected = self.select(self.source.questions(engine)?)?;
        note_unlisted(&selected);
        Ok(selected)
    }

    /// Every snapshot with those that were named, if any were, for a command that reads all objects and shows some; with
    /// `--watch` again whenever that looks different.
    pub fn each_with_named(
        &self,
        engine: &PolicyEngine,
        show: impl Fn(&[Question], &[Question]) -> Result<(String, Answer)>,
    ) -> Result<Answer> {
        self.source.each(engine, |everything| {
            let named = if self.only.is_empty() { Vec::new() } else { self.select(everything.clone())? };
            show(&everything, &named)
        })
    }

    /// Shows the snapshots; with `--watch` again whenever that looks different.
    pub fn each(
        &self,
        engine: &PolicyEngine,
        show: impl Fn(&[Question]) -> Result<(String, Answers)>,
    ) -> Result<Answer> {
        self.source.each_answered(engine, |questions| show(&self.select(questions)?))
    }

    /// The profiles that were named, for a command that compares them.
    pub fn take_profiles(&mut self) -> Vec<String> {
        std::mem::take(&mut self.source.profile)
    }

    /// Whether somebody chose the profile, here or in a snapshot: the alternative is what a cluster happens to have.
    pub fn chooses_profile(&self) -> bool {
        !self.source.files.is_empty() || self.source.profile.iter().any(|profile| profile != AUTO)
    }

    /// Names the profile.
    pub fn set_profile(&mut self, profile: &str) {
        self.source.profile = vec![profile.to_owned()];
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

impl SourceArgs {
    /// A snapshot for each object that can be evaluated, in the order in which they are shown.
    fn questions(&self, engine: &PolicyEngine) -> Result<Vec<Question>> {
        if self.files.is_empty() {
            return self.live_questions(&mut self.live(engine)?);
        }
        let profile = self.profile()?;
        if profile == Some(AUTO) {
            bail!(
                "--profile {AUTO} is for a cluster; files don't say which Cluster API is installed, so name a profile"
            );
        }
        let questions = read(&self.files, engine, &self.listing, &self.moment()?.to_string())?;
        self.settled(questions, |_| profile.map(str::to_owned))
    }

    /// Shows what a policy said about the snapshots; with `--watch` again whenever that looks different.
    pub fn each_answered(
        &self,
        engine: &PolicyEngine,
        show: impl Fn(Vec<Question>) -> Result<(String, Answers)>,
    ) -> Result<Answer> {
        if self.live.watch {
            return self.each(engine, |questions| {
                let (text, answers) = show(questions)?;
                Ok((text + &answers.failures(), Answer::Fine))
            });
        }
        let (text, answers) = show(self.noted(engine)?)?;
        render::print(&text)?;
        answers.finish()
    }

    /// Shows the snapshots; with `--watch` again whenever that looks different.
    fn each(&self, engine: &PolicyEngine, show: impl Fn(Vec<Question>) -> Result<(String, Answer)>) -> Result<Answer> {
        if !self.live.watch {
            let (text, answer) = show(self.noted(engine)?)?;
            render::print(&text)?;
            return Ok(answer);
        }
        let mut objects = self.live(engine)?;
        let mut shown = String::new();
        loop {
            let (text, _) = show(self.live_questions(&mut objects)?)?;
            if text != shown {
                render::redraw(&text)?;
                shown = text;
            }
            objects.follow()?;
        }
    }

    fn noted(&self, engine: &PolicyEngine) -> Result<Vec<Question>> {
        let questions = self.questions(engine)?;
        note_unlisted(&questions);
        Ok(questions)
    }

    fn live(&self, engine: &PolicyEngine) -> Result<LiveObjects> {
        self.live.read(engine, self.profile()?)
    }

    fn live_questions(&self, objects: &mut LiveObjects) -> Result<Vec<Question>> {
        let questions = questions(&mut objects.fleet, &self.moment()?.to_string())?;
        if questions.is_empty() {
            bail!("{}", objects.none());
        }
        self.settled(questions, |kind| Some(objects.profiles.of(kind).to_owned()))
    }

    fn profile(&self) -> Result<Option<&str>> {
        match self.profile.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(one)),
            _ => bail!("--profile can be given once here; `capi-policy diff` compares two"),
        }
    }

    fn moment(&self) -> Result<Time> {
        Ok(self.now.as_deref().map(moment::parse).transpose()?.unwrap_or_else(moment::present))
    }

    /// The snapshots with the time that was named and the profile of their kind.
    fn settled(&self, mut questions: Vec<Question>, profile: impl Fn(&str) -> Option<String>) -> Result<Vec<Question>> {
        let moment = self.moment()?.to_string();
        for question in &mut questions {
            let fields = &mut question.snapshot;
            if self.now.is_some() || fields["now"].is_null() {
                fields["now"] = json!(moment);
            }
            if let Some(profile) = profile(&question.kind) {
                fields["profile"] = json!(profile);
            }
        }
        Ok(questions)
    }
}

/// The snapshots of files, as they are.
pub fn read(files: &[PathBuf], engine: &PolicyEngine, listing: &Listing, now: &str) -> Result<Vec<Question>> {
    let (mut objects, mut questions) = (Vec::new(), Vec::new());
    for document in objects::read(files)? {
        match document {
            Document::Object(object) => objects.push(object),
            Document::Snapshot(snapshot) => questions.push(Question::of(snapshot)),
            Document::Case(case) => questions.push(Question::of(case.snapshot())),
        }
    }
    questions.extend(snapshots(engine, &objects, listing, now)?);
    if questions.is_empty() {
        let kinds: Vec<_> = policy::catalog(engine)?.kinds().into_iter().collect();
        bail!("none of the {} objects can be evaluated; the policy knows {}", objects.len(), kinds.join(", "));
    }
    Ok(questions)
}

/// One snapshot for each object that can be evaluated.
fn snapshots(engine: &PolicyEngine, objects: &[Value], listing: &Listing, now: &str) -> Result<Vec<Question>> {
    let mut fleet = engine.fleet();
    fleet.assume(Assumption::PresentKindsAreComplete)?;
    let mut questions = Vec::new();
    for object in objects {
        let name = name(object, listing.workload_cluster.as_deref())?;
        match fleet.upsert(name.clone(), object.to_string()) {
            Ok(()) => {}
            // The decision about it fails for the same reason, which is reported with those of others.
            Err(EngineError::Malformed { .. }) => questions.extend(unreadable(&name, object, now)),
            Err(error) => return Err(error.into()),
        }
    }
    let wanted: Wanted = serde_json::from_str(&fleet.wanted()?).context("the policy's answer")?;
    mark_complete(&mut fleet, &wanted, &listing.complete)?;
    let wanted: Wanted = serde_json::from_str(&fleet.wanted()?).context("the policy's answer")?;
    tell(&wanted);
    questions.extend(self::questions(&mut fleet, now)?);
    questions.sort_by(|a, b| a.place().cmp(&b.place()));
    Ok(questions)
}

/// One snapshot for each object of a fleet that can be evaluated, in the order in which they are shown.
fn questions(fleet: &mut Fleet, now: &str) -> Result<Vec<Question>> {
    let mut questions = Vec::new();
    for name in fleet.decidable()? {
        let snapshot = fleet.snapshot(&name, How { now, profile: "documented", explain: false })?;
        let mut snapshot: Value = serde_json::from_str(&snapshot).context("the policy's answer")?;
        snapshot.as_object_mut().map(|fields| fields.remove("profile"));
        questions.push(Question::of(snapshot));
    }
    questions.sort_by(|a, b| a.place().cmp(&b.place()));
    Ok(questions)
}

/// What the fleet calls an object.
fn name(object: &Value, workload_cluster: Option<&str>) -> Result<ObjectName> {
    let text = |path: &str| object.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
    let group = text("/apiVersion").split_once('/').map(|(group, _)| group.to_owned()).unwrap_or_default();
    let (kind, namespace, name) = (text("/kind"), text("/metadata/namespace"), text("/metadata/name"));
    let annotated = object.pointer("/metadata/annotations").is_some_and(|all| all[CLUSTER_NAME].is_string());
    let cluster = workload_cluster.filter(|_| kind == "Node" && group.is_empty() && !annotated);
    let cluster = cluster.map(|cluster| cluster.split_once('/').context("--workload-cluster: expected NAMESPACE/NAME"));
    let workload_cluster = cluster
        .transpose()?
        .map(|(namespace, name)| WorkloadCluster { namespace: namespace.to_owned(), name: name.to_owned() });
    Ok(ObjectName { group, kind, namespace, name, workload_cluster })
}

/// The annotation with which Cluster API says which Cluster a Node belongs to.
const CLUSTER_NAME: &str = "cluster.x-k8s.io/cluster-name";

/// A snapshot of nothing but an object that can't be read.
fn unreadable(name: &ObjectName, object: &Value, now: &str) -> Option<Question> {
    let kind = capi_policy::Kind::ALL.iter().find(|kind| kind.name() == name.kind && kind.group() == name.group)?;
    Some(Question::of(json!({ "kind": name.kind, "now": now, kind.field(): object })))
}

/// Marks kinds as completely listed, by their name or as `kind.group`.
fn mark_complete(fleet: &mut Fleet, wanted: &Wanted, kinds: &[String]) -> Result<()> {
    for given in kinds {
        let (kind, group) = given.split_once('.').unwrap_or((given, ""));
        let known =
            wanted.kinds.iter().find(|known| known.kind.eq_ignore_ascii_case(kind) && known.group.ends_with(group));
        let (kind, group) = known.map_or((kind, group), |known| (&known.kind, &known.group));
        fleet.mark(Scope { kind: kind.to_owned(), group: group.to_owned(), ..Scope::default() }, true)?;
    }
    Ok(())
}

/// What the fleet needs, as far as people are told.
#[derive(Deserialize)]
struct Wanted {
    kinds: Vec<Named>,
    objects: Vec<Named>,
    outdated: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    group: String,
    kind: String,
    #[serde(default)]
    presence: String,
    #[serde(default)]
    version: String,
}

/// What a person should know before believing the result.
fn tell(wanted: &Wanted) {
    let list = |names: BTreeSet<String>| names.into_iter().collect::<Vec<_>>().join(", ");
    let unread = wanted.objects.iter().filter(|object| object.presence == "notRead");
    let unread: BTreeSet<_> = unread.map(|object| object.kind.clone()).collect();
    if !unread.is_empty() {
        render::note(&format!(
            "objects refer to {} and the input has none: what the objects last said about them counts; add them with another -f",
            list(unread)
        ));
    }
    let outdated = wanted.outdated.iter().map(|object| format!("{} {}/{}", object.kind, object.group, object.version));
    let outdated: BTreeSet<_> = outdated.collect();
    if !outdated.is_empty() {
        render::note(&format!(
            "the policy reads v1beta2, but the input has {}; ask for the version, as in `kubectl get machines.v1beta2.cluster.x-k8s.io`",
            list(outdated)
        ));
    }
}

/// What was not listed, so that decisions that count it can't be made.
fn note_unlisted(questions: &[Question]) {
    let unlisted = |fact: &str| questions.iter().any(|question| question.snapshot["observed"][fact] == false);
    let facts = [
        ("machinesListed", "Machines"),
        ("machineSetsListed", "MachineSets"),
        ("descendantsListed", "all of MachineDeployments, MachineSets and Machines"),
    ];
    let missing: Vec<_> = facts.iter().filter(|(fact, _)| unlisted(fact)).map(|(_, what)| *what).collect();
    if !missing.is_empty() {
        render::note(&format!(
            "the input does not have {}, which counts as not read: add them with another -f, or say with --complete KIND that there are none",
            missing.join(" and ")
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
