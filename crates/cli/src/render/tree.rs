//! A cluster as a tree.

use super::answer::{flip, leading, next_change};
use super::evaluations::{condition_is_normal, status_style, verdict, verdict_style};
use super::grid::{BOLD, DIM, GREEN, Grid, RED, plain, styled};
use super::words::relative;
use anstyle::Style;
use capi_policy_host::Time;
use capi_policy_host::decision::{Catalog, Condition, Evaluation, MachineEvaluation};
use serde::Serialize;
use serde_json::Value;

/// Lines of a cell that are shown.
const TALLEST: usize = 3;
/// Columns that the names of a group of Machines may take.
const LONGEST_NAMES: usize = 32;

/// An object, and what is below it.
#[derive(Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Branch {
    /// What it is to its parent, as in `control plane`.
    #[serde(skip_serializing_if = "String::is_empty")]
    role: String,
    kind: String,
    name: String,
    /// The condition that says most about it, or the verdict on a machine.
    #[serde(skip_serializing_if = "String::is_empty")]
    condition: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    status: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    reason: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    message: String,
    /// The row that decided.
    #[serde(skip_serializing_if = "String::is_empty")]
    row: String,
    /// When that can change by itself.
    #[serde(skip_serializing_if = "String::is_empty")]
    deadline: String,
    /// What would turn it around.
    #[serde(skip_serializing_if = "String::is_empty")]
    flips: String,
    /// What is below.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Self>,
    /// How long until then, for people.
    #[serde(skip)]
    soon: String,
    #[serde(skip)]
    is_normal: bool,
    #[serde(skip)]
    style: Style,
}

impl Branch {
    /// An object of which no more is known.
    pub fn named(kind: &str, name: &str) -> Self {
        Self { kind: kind.to_owned(), name: name.to_owned(), ..Self::default() }
    }

    /// The same with a role.
    #[must_use]
    pub fn called(self, role: &str) -> Self {
        Self { role: role.to_owned(), ..self }
    }

    fn until(self, deadline: Time, now: Time) -> Self {
        Self { deadline: deadline.to_string(), soon: relative(deadline, now), ..self }
    }

    fn of(self, condition: &Condition) -> Self {
        Self {
            condition: condition.condition_type.clone(),
            status: condition.status.as_str().to_owned(),
            reason: condition.reason.clone(),
            message: condition.message.clone(),
            row: condition.row.clone(),
            is_normal: condition_is_normal(condition),
            style: status_style(condition),
            ..self
        }
    }
}

/// An object that was evaluated; the machines of a health check are below it.
pub fn decided(evaluation: &Evaluation, catalog: &Catalog) -> Branch {
    let mut branch = Branch::named(&evaluation.kind, &evaluation.name);
    if let Some(condition) = leading(evaluation) {
        branch = branch.of(condition);
        branch.flips = flip(condition, evaluation, catalog).unwrap_or_default();
    }
    if let Some(error) = &evaluation.error {
        branch = Branch { status: "error".to_owned(), message: error.clone(), style: RED, is_normal: false, ..branch };
    }
    if let Some(next) = next_change(evaluation) {
        branch = branch.until(next, evaluation.now);
    }
    branch.children = evaluation.machines.iter().map(|machine| checked(machine, evaluation, catalog)).collect();
    branch
}

/// A provider's object: its own `Ready`, which no rule decides.
pub fn reported(role: &str, object: &Value) -> Branch {
    let text = |path: &str| object.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
    let branch = Branch::named(&text("/kind"), &text("/metadata/name")).called(role);
    let conditions = object.pointer("/status/conditions").and_then(Value::as_array);
    let Some(ready) = conditions.into_iter().flatten().find(|condition| condition["type"] == "Ready") else {
        return Branch { is_normal: true, ..branch };
    };
    let text = |field: &str| ready[field].as_str().unwrap_or_default().to_owned();
    let is_normal = ready["status"] == "True";
    Branch {
        condition: "Ready".to_owned(),
        status: text("status"),
        reason: text("reason"),
        message: text("message"),
        is_normal,
        style: if is_normal { GREEN } else { RED },
        ..branch
    }
}

/// What a health check finds about a machine.
fn checked(machine: &MachineEvaluation, evaluation: &Evaluation, catalog: &Catalog) -> Branch {
    let found = machine.verdict.as_str();
    let branch = Branch::named("Machine", &machine.name);
    let branch = match machine.conditions.iter().find(|condition| condition.row == machine.row) {
        Some(condition) => {
            let flips = flip(condition, evaluation, catalog).unwrap_or_default();
            Branch { flips, ..branch.of(condition) }
        }
        None => branch,
    };
    let branch = match machine.deadline.filter(|deadline| *deadline > evaluation.now) {
        Some(deadline) => branch.until(deadline, evaluation.now),
        None => branch,
    };
    Branch {
        status: verdict(found).to_owned(),
        row: machine.row.clone(),
        is_normal: found == "healthy",
        style: verdict_style(found),
        ..branch
    }
}

/// Leaves that are as they should be, for the same reason, as one.
fn grouped(branches: &[Branch]) -> Vec<Branch> {
    let mut grouped: Vec<(Branch, Vec<String>)> = Vec::new();
    for branch in branches {
        let alike = |(known, _): &&mut (Branch, Vec<String>)| {
            let plain = |branch: &Branch| branch.is_normal && branch.children.is_empty() && branch.deadline.is_empty();
            plain(known) && plain(branch) && (&known.kind, &known.row) == (&branch.kind, &branch.row)
        };
        match grouped.iter_mut().find(alike) {
            Some((_, names)) => names.push(branch.name.clone()),
            None => grouped.push((branch.clone(), vec![branch.name.clone()])),
        }
    }
    let named = |(branch, names): (Branch, Vec<String>)| match names.len() {
        1 => branch,
        many => {
            let all = names.join(", ");
            let name = if all.len() <= LONGEST_NAMES { all } else { format!("{}, …", branch.name) };
            Branch { kind: format!("{many} {}s", branch.kind), name, ..branch }
        }
    };
    grouped.into_iter().map(named).collect()
}

/// The trees as a table. Machines that are as they should be, for the same reason, share a line.
pub fn draw(roots: &[Branch], width: usize) -> String {
    let mut grid = Grid::new(&["OBJECT", "CONDITION…", "ROW", "BY ITSELF", "TURNS…"]).clipped(TALLEST);
    for root in roots {
        line(root, ["", ""], &mut grid);
    }
    grid.render(width)
}

/// One object with what is below it, after what is drawn before its own line and before those below.
fn line(branch: &Branch, [before, below]: [&str; 2], grid: &mut Grid) {
    let role = if branch.role.is_empty() { String::new() } else { format!("{}: ", branch.role) };
    let text = format!("{before}{role}{} {}", branch.kind, branch.name);
    let children = grouped(&branch.children);
    let more = if children.is_empty() { below.to_owned() } else { format!("{below}│") };
    let style = if below.is_empty() { BOLD } else { Style::new() };
    let words = [&branch.condition, &branch.status, &branch.reason];
    let condition: Vec<_> = words.into_iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
    grid.row(vec![
        styled(text, style).over(&more),
        styled(condition.join(" "), branch.style),
        styled(&branch.row, DIM),
        plain(&branch.soon),
        styled(if branch.is_normal { "" } else { &branch.flips }, DIM),
    ]);
    let last = children.len().saturating_sub(1);
    for (i, child) in children.iter().enumerate() {
        let (elbow, bar) = if i == last { ("└─", "  ") } else { ("├─", "│ ") };
        line(child, [&format!("{below}{elbow}"), &format!("{below}{bar}")], grid);
    }
}
