//! `capi-policy plan`.

mod objects;

use super::Answer;
use super::evaluate::{self, yaml};
use super::input::Subjects;
use super::moment;
use crate::question::Question;
use crate::render::plan as render;
use crate::render::width;
use anyhow::{Context, Result, bail};
use capi_policy::fleet::{ObjectRef, Subject};
use capi_policy::{Kind, Profile};
use capi_policy_simulator::merge_patch::assignment;
use capi_policy_simulator::object::text;
use capi_policy_simulator::plan::{self, Plan, Request};
use capi_policy_simulator::{State, Steady, fill, machine, state};
use serde_json::Value;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  Which machines will this rollout replace, in which order, and how long does it take?
    capi-policy plan -f fleet.yaml -f nodes.yaml md/workers --set spec.template.spec.version=v1.34.0

  The same for a change in a file, with machines that take ten minutes to come up:
    capi-policy plan -f fleet.yaml -f nodes.yaml kcp/prod --change patch.yaml --boot 10m

  What happens next if nobody changes anything: what is being remediated, and where is it stuck?
    capi-policy plan -f fleet.yaml -f nodes.yaml

  Straight on a cluster, by the rules of the Cluster API that it has:
    capi-policy plan -n prod cluster/blue --watch

  As a picture: capi-policy plan -f fleet.yaml md/workers --set spec.replicas=10 -o svg > plan.svg

A plan evaluates, carries the decision out on a copy of the objects, and evaluates again, until nothing more happens.
It changes no cluster. Exit code 1: somebody does not have the machines that it wants at the end.";

/// Show the steps to the end of a rollout or remediation: which machines, in which order, how long, where it stops
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    #[command(flatten)]
    subjects: Subjects,
    /// Change a field of the named object first; may be repeated
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Change the named object first by this merge patch, or the object that the file itself names
    #[arg(long, value_name = "FILE")]
    change: Option<PathBuf>,
    /// How long a new machine takes to come up
    #[arg(long, default_value = "5m", value_name = "DURATION")]
    boot: String,
    /// How long a deleted machine takes to go
    #[arg(long, default_value = "1m", value_name = "DURATION")]
    drain: String,
    /// How long a machine takes to be updated in place
    #[arg(long, default_value = "2m", value_name = "DURATION")]
    update: String,
    /// An extension takes every change, so that machines are updated in place
    #[arg(long)]
    in_place: bool,
    /// How far to look: a duration like 90m, 2h, 7d, or a time
    #[arg(long, default_value = "7d", value_name = "DURATION|TIME")]
    until: String,
    /// How to show it
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    output: Output,
}

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Output {
    /// For people: what it means, a timeline, and every step
    Table,
    /// The timeline alone
    Timeline,
    /// Everything
    Json,
    /// The same as YAML
    Yaml,
    /// A picture
    Svg,
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        let model = self.model()?;
        let engine = self.subjects.policy.load()?;
        self.subjects.input.each_with_named(&engine, |questions, named| {
            let plan = self.plan(questions, named, model)?;
            let done = plan.owners.iter().all(|owner| owner.done);
            Ok((self.text(&plan)?, if done { Answer::Fine } else { Answer::Differences }))
        })
    }

    fn plan(&self, questions: &[Question], named: &[Question], model: Steady) -> Result<Plan> {
        let mut state = objects::state(questions)?;
        let (now, profile, mut assumptions) = terms(questions, self.subjects.input.chooses_profile())?;
        assumptions.extend(fill(&mut state)?);
        let changed = self.changes(&mut state, named, now)?;
        let owners = if named.is_empty() { changed } else { owners(&state, named)? };
        let until = moment::parse_until(&self.until, now)?;
        let request = Request { owners, now, until, profile, model, in_place: self.in_place };
        let plan = plan::plan(state, &request, assumptions)?;
        if plan.owners.is_empty() {
            bail!("there is no MachineDeployment, MachineSet or KubeadmControlPlane to plan for");
        }
        Ok(plan)
    }

    fn text(&self, plan: &Plan) -> Result<String> {
        Ok(match self.output {
            Output::Table => render::table(plan, width()),
            Output::Timeline => render::timeline::timeline(plan, width()),
            Output::Json => evaluate::json(plan)?,
            Output::Yaml => yaml(plan)?,
            Output::Svg => render::svg::svg(plan),
        })
    }

    fn model(&self) -> Result<Steady> {
        let seconds = |option: &str, text: &str| {
            moment::duration(text).with_context(|| format!("--{option}: {text:?} is no duration like 90s, 5m, 1h30m"))
        };
        Ok(Steady {
            boot_seconds: seconds("boot", &self.boot)?,
            drain_seconds: seconds("drain", &self.drain)?,
            update_seconds: seconds("update", &self.update)?,
        })
    }

    /// Makes the changes; the answer is what was changed.
    fn changes(&self, state: &mut State, named: &[Question], now: capi_policy::time::Time) -> Result<Vec<Subject>> {
        let mut patches = self.set.iter().map(|set| assignment(set).context("--set")).collect::<Result<Vec<_>>>()?;
        let from_file = self.change.as_deref().map(read).transpose()?;
        let target = from_file.as_ref().and_then(|patch| named_in(state, patch));
        patches.extend(from_file);
        if patches.is_empty() {
            return Ok(Vec::new());
        }
        let target = target.or_else(|| the_one(state, named)).context(
            "--set and --change need one object to change: name a MachineDeployment, MachineSet or KubeadmControlPlane, \
             as in md/workers",
        )?;
        for patch in &patches {
            plan::apply(state, &target, patch, now)?;
        }
        Ok(target.subject().into_iter().collect())
    }
}

/// When to start, by which rules: as the snapshots have it, and else as Cluster API does it. Where nobody chose a release that
/// can't be planned by, the newest one has to do, which is an assumption.
fn terms(questions: &[Question], chosen: bool) -> Result<(capi_policy::time::Time, Profile, Vec<String>)> {
    let first = questions.first().map(|question| &question.snapshot);
    let field = |name: &str| first.and_then(|snapshot| snapshot[name].as_str());
    let now = moment::parse(field("now").unwrap_or_default())?;
    let profile = field("profile").map_or(Ok(Profile::NEWEST), Profile::named)?;
    match (profile.has_owner_actions(), chosen) {
        (true, _) => Ok((now, profile, Vec::new())),
        (false, true) => bail!("what owners do next is not known for {profile}; plan by cluster-api-v1.14"),
        (false, false) => {
            let newest = Profile::NEWEST;
            let assumed = format!("owners act as those of {newest} do: what they do next is not known for {profile}");
            Ok((now, newest, vec![assumed]))
        }
    }
}

/// A patch as YAML or JSON.
fn read(path: &Path) -> Result<Value> {
    let named = || format!("--change {}", path.display());
    let text = std::fs::read_to_string(path).with_context(named)?;
    serde_saphyr::from_str(&text).with_context(named)
}

/// The object that a patch itself names.
fn named_in(state: &State, patch: &Value) -> Option<ObjectRef> {
    let (kind, name) = (text(patch, "/kind"), text(patch, "/metadata/name"));
    let namespace = text(patch, "/metadata/namespace");
    let fits = |object: &&ObjectRef| {
        object.place.kind == kind
            && object.name == name
            && (namespace.is_empty() || object.place.namespace == namespace)
    };
    state.objects().map(|(object, _)| object).find(fits).cloned()
}

/// The only owner that was named, or the only one that there is.
fn the_one(state: &State, named: &[Question]) -> Option<ObjectRef> {
    let owners: Vec<_> = if named.is_empty() {
        let owners = [Kind::MachineDeployment, Kind::KubeadmControlPlane];
        owners.into_iter().flat_map(|kind| state.of_kind(kind)).map(|(owner, _)| owner.clone()).collect()
    } else {
        named.iter().filter_map(object_of).collect()
    };
    match owners.as_slice() {
        [one] if one.place.decidable().is_some_and(owns_machines) => Some(one.clone()),
        _ => None,
    }
}

fn owns_machines(kind: Kind) -> bool {
    matches!(kind, Kind::MachineDeployment | Kind::MachineSet | Kind::KubeadmControlPlane)
}

fn object_of(question: &Question) -> Option<ObjectRef> {
    let kind = Kind::ALL.iter().find(|kind| kind.name() == question.kind)?;
    Some(ObjectRef::new((kind.group(), kind.name()), &question.namespace, &question.name))
}

/// The owners of machines that the named objects are, belong to, or have.
fn owners(state: &State, named: &[Question]) -> Result<Vec<Subject>> {
    let mut owners = Vec::new();
    for object in named.iter().filter_map(object_of) {
        match object.place.decidable() {
            Some(Kind::Cluster) => {
                let all = [Kind::MachineDeployment, Kind::KubeadmControlPlane, Kind::MachineSet];
                let all = all.into_iter().flat_map(|kind| state.of_kind(kind));
                let own = all.filter(|(_, owner)| machine::workload_cluster(owner).name == object.name);
                owners.extend(own.filter_map(|(owner, _)| owner.subject()));
            }
            _ => owners.extend(outermost(state, object).subject().filter(|owner| owns_machines(owner.kind))),
        }
    }
    if owners.is_empty() {
        bail!("a plan is about MachineDeployments, MachineSets and KubeadmControlPlanes, or a Cluster with these");
    }
    Ok(owners)
}

/// The owner at the end of a chain of owners.
fn outermost(state: &State, object: ObjectRef) -> ObjectRef {
    match state.get(&object).and_then(state::owner_of).filter(|owner| state.get(owner).is_some()) {
        Some(owner) if owner.subject().is_some_and(|owner| owns_machines(owner.kind)) => outermost(state, owner),
        _ => object,
    }
}
