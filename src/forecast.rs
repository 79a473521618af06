//! The decisions to come up to a horizon: the same evaluation at each moment that it names as its next change.

use crate::error::Error;
use crate::evaluate::evaluate_at;
use crate::json::written;
use crate::outcome::{Action, Condition, Evaluation, MachineEvaluation};
use crate::progress::Mode;
use crate::snapshot::Snapshot;
use crate::sorted::Sorted;
use crate::time::Time;
use serde::Serialize;

/// A forecast ends after this many moments, whatever the horizon.
pub const MAX_MOMENTS: usize = 1_000;

/// The decisions to come if nothing but time changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Forecast {
    /// The decision now.
    pub now: Evaluation,
    /// Up to when the forecast looks.
    pub until: Time,
    /// The moments at which something changes, in order.
    pub moments: Vec<Moment>,
    /// False when there were too many moments to look at all of them.
    pub complete: bool,
}

/// A moment at which the decision changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Moment {
    /// When.
    pub at: Time,
    /// What is different from just before.
    pub changes: Vec<Change>,
}

/// One thing that changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// The name of the object or machine it is about.
    pub subject: String,
    /// `verdict`, `action`, the type of a condition, or the name of an owner's decision.
    pub what: String,
    /// What it was; absent when there was nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// What it becomes; absent when nothing is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The row that decides so.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub row: &'static str,
}

/// Looks ahead up to `until`.
pub fn forecast(snapshot: &Snapshot<'_>, until: Time) -> Result<Forecast, Error> {
    look_ahead(Mode::from(snapshot), until, |mode| evaluate_at(snapshot, mode))
}

/// Looks ahead with whatever decides.
pub(crate) fn look_ahead(
    mode: Mode,
    until: Time,
    evaluate: impl Fn(Mode) -> Result<Evaluation, Error>,
) -> Result<Forecast, Error> {
    let mode = Mode { explain: false, ..mode };
    let now = evaluate(mode)?;
    let mut moments = Vec::new();
    let mut before = now.clone();
    for _ in 0..MAX_MOMENTS {
        let Some(at) = before.next_change.filter(|at| *at <= until && *at > before.now) else {
            return Ok(Forecast { now, until, moments, complete: true });
        };
        let after = evaluate(Mode { now: at, ..mode })?;
        let changes = changes(&before, &after);
        if !changes.is_empty() {
            moments.push(Moment { at, changes });
        }
        before = after;
    }
    Ok(Forecast { now, until, moments, complete: false })
}

/// Forecast of JSON text as JSON text; `until` is RFC 3339.
pub fn forecast_json(text: &str, until: &str) -> Result<String, Error> {
    let until = Time::parse_named("until", until)?;
    Ok(written(&forecast(&Snapshot::parse(text)?, until)?))
}

/// What differs between two evaluations of one object, times of transition aside.
pub fn changes(before: &Evaluation, after: &Evaluation) -> Vec<Change> {
    let mut changes = Vec::new();
    condition_changes(&after.name, &before.conditions, &after.conditions, &mut changes);
    owner_changes(before, after, &mut changes);
    // Both are in the order of names.
    let mut old_machines = before.machines.iter().peekable();
    for machine in &after.machines {
        while old_machines.next_if(|old| old.name < machine.name).is_some() {}
        let old = old_machines.next_if(|old| old.name == machine.name);
        verdict_change(old.map(|old| &**old), machine, &mut changes);
        condition_changes(&machine.name, old.map_or(&[], |m| &m.conditions), &machine.conditions, &mut changes);
    }
    action_changes(before, after, &mut changes);
    changes
}

fn action_changes(before: &Evaluation, after: &Evaluation, changes: &mut Vec<Change>) {
    let texts = |evaluation: &Evaluation| {
        let mut texts: Vec<_> = evaluation.actions.iter().map(written).collect();
        texts.order_by(Ord::cmp);
        texts
    };
    let (old_texts, new_texts) = (texts(before), texts(after));
    let change = |action: &Action, from, to| Change {
        subject: action.machine().unwrap_or(&after.name).to_owned(),
        what: "action".to_owned(),
        from,
        to,
        row: "",
    };
    for new in after.actions.iter().filter(|new| old_texts.binary_search(&written(new)).is_err()) {
        changes.push(change(new, None, Some(new.name().to_owned())));
    }
    for old in before.actions.iter().filter(|old| new_texts.binary_search(&written(old)).is_err()) {
        changes.push(change(old, Some(old.name().to_owned()), None));
    }
}

/// What the owner does differently from just before: steps, waits, and the numbers behind them.
fn owner_changes(before: &Evaluation, after: &Evaluation, changes: &mut Vec<Change>) {
    let lines = |of: &Evaluation| -> Vec<(&'static str, &'static str, String)> {
        of.owner_actions.iter().map(|action| (action.decision, action.row, action.line())).collect()
    };
    let (mut old, new) = (lines(before), lines(after));
    let change = |decision: &str, from, to, row| Change {
        subject: after.name.clone(),
        what: decision.to_owned(),
        from,
        to,
        row,
    };
    for (decision, row, line) in new {
        if let Some(same) = old.iter().position(|(other, _, text)| *other == decision && *text == line) {
            old.remove(same);
            continue;
        }
        let was = old.iter().position(|(other, ..)| *other == decision).map(|was| old.remove(was).2);
        changes.push(change(decision, was, Some(line), row));
    }
    for (decision, row, line) in old {
        changes.push(change(decision, Some(line), None, row));
    }
}

fn verdict_change(old: Option<&MachineEvaluation>, new: &MachineEvaluation, changes: &mut Vec<Change>) {
    if old.is_some_and(|old| old.verdict == new.verdict) {
        return;
    }
    let (from, to) = (old.map(|m| m.verdict.as_str().to_owned()), Some(new.verdict.as_str().to_owned()));
    changes.push(Change { subject: String::from(&*new.name), what: "verdict".to_owned(), from, to, row: new.row });
}

fn condition_changes(subject: &str, before: &[Condition], after: &[Condition], changes: &mut Vec<Change>) {
    for new in after {
        let old = before.iter().find(|old| old.kind == new.kind);
        let same = |old: &Condition| (old.status, &old.reason, &old.message) == (new.status, &new.reason, &new.message);
        if !old.is_some_and(same) {
            changes.push(Change {
                subject: subject.to_owned(),
                what: new.kind.to_owned(),
                from: old.map(Condition::line),
                to: Some(new.line()),
                row: new.row,
            });
        }
    }
    for old in before.iter().filter(|old| !after.iter().any(|new| new.kind == old.kind)) {
        let (subject, what, from) = (subject.to_owned(), old.kind.to_owned(), Some(old.line()));
        changes.push(Change { subject, what, from, to: None, row: "" });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_is_ready_from_now_on_becomes_available() {
        let text = r#"{
            "now": "2025-01-01T00:00:00Z",
            "machine": {
                "metadata": { "name": "m1" },
                "spec": { "minReadySeconds": 60, "bootstrap": { "dataSecretName": "data" } },
                "status": { "initialization": { "infrastructureProvisioned": true } }
            },
            "cluster": { "status": {
                "initialization": { "infrastructureProvisioned": true },
                "conditions": [{ "type": "ControlPlaneInitialized", "status": "True" }]
            } },
            "infraMachine": { "kind": "DockerMachine" },
            "node": { "status": { "conditions": [
                { "type": "Ready", "status": "True" }, { "type": "MemoryPressure", "status": "False" },
                { "type": "DiskPressure", "status": "False" }, { "type": "PIDPressure", "status": "False" }
            ] } },
            "observed": {
                "healthCheckingState": { "lastProbeSuccessTime": "2025-01-01T00:00:00Z" },
                "remoteConditionsGracePeriodSeconds": 3600
            }
        }"#;
        let until = Time::parse("2025-01-01T00:30:00Z").expect("a time");
        let forecast = forecast(&Snapshot::parse(text).expect("a snapshot"), until).expect("a forecast");
        let available = Change {
            subject: "m1".to_owned(),
            what: "Available".to_owned(),
            from: Some("False WaitingForMinReadySeconds".to_owned()),
            to: Some("True Available".to_owned()),
            row: "M-AVL-2",
        };
        let at = Time::parse("2025-01-01T00:01:00Z").expect("a time");
        assert_eq!(forecast.moments, [Moment { at, changes: vec![available] }]);
    }
}
