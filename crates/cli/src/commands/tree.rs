//! `capi-policy tree`.

use super::Answer;
use super::evaluate::{Answers, Output, format};
use super::input::SourceArgs;
use super::policy::{self, PolicyArgs};
use crate::question::Question;
use crate::render::tree::{self, Branch};
use crate::render::width;
use anyhow::{Result, bail};
use capi_policy_host::decision::{Catalog, Evaluation};
use serde_json::Value;

const EXAMPLES: &str = "\
Examples:
  capi-policy tree blue
  capi-policy tree -n prod --watch
  capi-policy tree -f fleet.yaml -f nodes.yaml blue -o json

Each line shows the condition that says most about its object, the row of the rule table that decided it, when
that can change by itself, and what would turn it around. Machines that are as they should be share a line.";

/// Draw a cluster as a tree: control plane, workers, machines, health checks
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    policy: PolicyArgs,
    /// How to show it
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    output: Output,
    /// The cluster, as in blue or prod/blue [default: all]
    #[arg(value_name = "[NAMESPACE/]CLUSTER")]
    cluster: Option<String>,
}

impl Options {
    pub fn run(self) -> Result<Answer> {
        let engine = self.policy.load()?;
        let catalog = policy::catalog(&engine)?;
        self.source.each_answered(&engine, |questions| {
            let answers = Answers::ask(&engine, &questions, false);
            // What could not be answered is reported at the end, and has no place in the tree.
            let evaluations = answers.evaluations()?;
            let roots = self.roots(&questions, &evaluations, &catalog)?;
            let text = match self.output {
                Output::Table => tree::draw(&roots, width()),
                structured => {
                    let roots: Vec<_> = roots.iter().map(serde_json::to_value).collect::<Result<_, _>>()?;
                    format(&roots, structured)?
                }
            };
            Ok((text, answers))
        })
    }

    fn roots(&self, questions: &[Question], evaluations: &[Evaluation], catalog: &Catalog) -> Result<Vec<Branch>> {
        let clusters: Vec<_> = questions.iter().filter(|question| question.kind == "Cluster").collect();
        let named = |question: &&&Question| self.cluster.as_deref().is_none_or(|name| is(question, name));
        let wanted: Vec<_> = clusters.iter().filter(named).collect();
        match (wanted.is_empty(), &self.cluster) {
            (true, Some(name)) => {
                let all: Vec<_> = clusters.iter().map(|question| question.label()).collect();
                bail!("no Cluster is called {name}; there is:\n  {}", all.join("\n  "));
            }
            (true, None) => bail!("there is no Cluster among the objects"),
            (false, _) => {}
        }
        let forest = Forest { questions, evaluations, catalog };
        Ok(wanted.into_iter().map(|cluster| forest.cluster(cluster)).collect())
    }
}

fn is(cluster: &Question, name: &str) -> bool {
    match name.split_once('/') {
        Some((namespace, name)) => cluster.namespace == namespace && cluster.name == name,
        None => cluster.name == name,
    }
}

/// All objects, from whose snapshots it can be seen which belongs to which: relations are the policy's.
struct Forest<'a> {
    questions: &'a [Question],
    evaluations: &'a [Evaluation],
    catalog: &'a Catalog,
}

impl Forest<'_> {
    fn cluster(&self, cluster: &Question) -> Branch {
        let mut root = self.branch(cluster);
        let infrastructure = &cluster.snapshot["infraCluster"];
        if infrastructure.is_object() {
            root.children.push(tree::reported("infrastructure", infrastructure));
        }
        let of_cluster: Vec<_> = self.questions.iter().filter(|question| belongs(question, cluster)).collect();
        let of_kind = |kind: &'static str| of_cluster.iter().copied().filter(move |question| question.kind == kind);
        let mut placed: Vec<&Question> = Vec::new();
        let control_plane = &cluster.snapshot["controlPlane"];
        match of_kind("KubeadmControlPlane").find(|question| question.name == name(control_plane)) {
            Some(question) => {
                let machines = below(question, &of_cluster);
                root.children.push(self.owner(question, "control plane", &machines));
                placed.extend(machines);
            }
            None if control_plane.is_object() => root.children.push(tree::reported("control plane", control_plane)),
            None => {}
        }
        for deployment in of_kind("MachineDeployment") {
            let mut branch = self.branch(deployment).called("workers");
            for set in below(deployment, &of_cluster).into_iter().filter(|question| question.kind == "MachineSet") {
                let machines = below(set, &of_cluster);
                branch.children.push(self.owner(set, "", &machines));
                placed.extend([set]);
                placed.extend(machines);
            }
            root.children.push(branch);
        }
        let alone: Vec<_> = of_kind("MachineSet").filter(|question| !is_in(&placed, question)).collect();
        for set in alone {
            let machines = below(set, &of_cluster);
            root.children.push(self.owner(set, "workers", &machines));
            placed.extend(machines);
        }
        for pool in of_kind("MachinePool") {
            let machines = below(pool, &of_cluster);
            root.children.push(self.owner(pool, "workers", &machines));
            placed.extend(machines);
        }
        let alone = of_kind("Machine").filter(|question| !is_in(&placed, question));
        root.children.extend(alone.map(|question| self.branch(question)));
        for check in of_kind("MachineHealthCheck") {
            root.children.push(self.branch(check).called("health check"));
        }
        root
    }

    fn owner(&self, question: &Question, role: &str, machines: &[&Question]) -> Branch {
        let mut branch = self.branch(question).called(role);
        branch.children.extend(machines.iter().map(|machine| self.branch(machine)));
        branch
    }

    fn branch(&self, question: &Question) -> Branch {
        let evaluation = self.evaluations.iter().find(|evaluation| {
            (&evaluation.kind, &evaluation.namespace, &evaluation.name)
                == (&question.kind, &question.namespace, &question.name)
        });
        match evaluation {
            Some(evaluation) => tree::decided(evaluation, self.catalog),
            None => Branch::named(&question.kind, &question.name),
        }
    }
}

/// The objects that the snapshot of their owner lists as its own.
fn below<'q>(owner: &Question, of_cluster: &[&'q Question]) -> Vec<&'q Question> {
    let listed = |question: &&&Question| {
        let field = match &*question.kind {
            "MachineSet" => "machineSets",
            "Machine" => "machines",
            _ => return false,
        };
        let list = owner.snapshot[field].as_array();
        list.is_some_and(|list| list.iter().any(|object| name(object) == question.name))
    };
    of_cluster.iter().filter(listed).copied().collect()
}

fn is_in(questions: &[&Question], question: &Question) -> bool {
    questions.iter().any(|known| std::ptr::eq(*known, question))
}

fn belongs(question: &Question, cluster: &Question) -> bool {
    question.namespace == cluster.namespace && name(&question.snapshot["cluster"]) == cluster.name
}

fn name(object: &Value) -> &str {
    object.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default()
}
