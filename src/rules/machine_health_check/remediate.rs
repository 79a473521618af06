//! Stage 5, remediate: what is done about each machine.

use super::externally_remediated::EXTERNALLY_REMEDIATED;
use super::owner_remediated::OWNER_REMEDIATED;
use super::remediation::{Act, REMEDIATION};
use super::request;
use super::target::Target;
use crate::outcome::{Action, Event, Verdict};
use crate::progress::decide;

/// What follows from the stage.
#[derive(Default)]
pub struct Remediations {
    /// What went wrong first.
    pub(super) error: Option<String>,
    /// What the host should do.
    pub(super) actions: Vec<Action>,
    /// Events to record.
    pub(super) events: Vec<Event>,
}

impl Remediations {
    /// Decides for each machine what is done about it, the unhealthy ones first.
    pub fn of(targets: &mut [Target<'_>], allowed: bool) -> Self {
        let mut all = Self::default();
        let mut stopped = false;
        for verdict in [Verdict::Unhealthy, Verdict::Healthy] {
            for target in targets.iter_mut().filter(|target| target.verdict == verdict) {
                target.allowed = allowed;
                if stopped && verdict == Verdict::Unhealthy {
                    continue;
                }
                let remediation = decide(&REMEDIATION, target);
                target.remediation_row = Some(remediation.row);
                stopped |= matches!(remediation.act, Some(Act::Stop | Act::ReportFailureAndStop));
                if let Some(act) = remediation.act {
                    all.carry_out(act, target);
                }
            }
        }
        all
    }

    fn carry_out(&mut self, act: Act, target: &mut Target<'_>) {
        match act {
            Act::CreateRequest => {
                self.actions.extend(request::create(target));
                decide(&EXTERNALLY_REMEDIATED, target);
            }
            Act::DeleteRequest => self.actions.extend(request::delete(target)),
            Act::ReportFailure | Act::ReportFailureAndStop => {
                decide(&EXTERNALLY_REMEDIATED, target);
                self.error.get_or_insert_with(|| request::failure(target));
            }
            Act::MarkForOwner => {
                decide(&OWNER_REMEDIATED, target);
            }
            Act::DeleteMachine => {
                let metadata = &target.machine.metadata;
                let (namespace, name) = (metadata.namespace.to_string(), metadata.name.to_string());
                self.actions.push(Action::DeleteMachine { namespace, name });
            }
            Act::UnderWay | Act::Stop => {}
        }
        if matches!(act, Act::CreateRequest | Act::MarkForOwner | Act::DeleteMachine | Act::UnderWay) {
            self.events.push(marked_unhealthy(target));
        }
    }
}

fn marked_unhealthy(target: &Target<'_>) -> Event {
    let (machine, health_check) = (target.machine.metadata.key(), target.health_check.metadata.key());
    Event {
        kind: "Normal",
        reason: "MachineMarkedUnhealthy",
        message: format!("Machine {machine} has been marked as unhealthy by {health_check}"),
        object_kind: "Machine",
        object_name: target.machine.metadata.name.to_string(),
    }
}
