//! Carries decisions out on the objects, as the controllers would.

use crate::change::{Change, Step};
use crate::model::Model;
use crate::object::{self, CLUSTER_API, annotate, member, remove_annotation, set_condition};
use crate::queue::Due;
use crate::simulation::Simulation;
use crate::{control_plane, machine};
use capi_policy::fleet::{ObjectRef, Place, Subject};
use capi_policy::outcome::{
    Action, CheckedMachine, Condition, Evaluation, MachineEvaluation, OwnedMachine, OwnerAction, OwnerStep, Status,
};
use capi_policy::view::annotation;
use capi_policy::{Error, Kind};
use serde_json::{Map, Value, json};

/// The conditions of a Machine that a health check owns, and those that it shares with the owner.
const OF_HEALTH_CHECK: &[&str] = &["HealthCheckSucceeded", "OwnerRemediated", "ExternallyRemediated"];
const OF_OWNER: &[&str] = &["HealthCheckSucceeded", "OwnerRemediated"];
/// Status fields that objects have in another place than evaluations.
const PLACES: &[(&str, &[&str])] = &[("controlPlaneInitialized", &["initialization"])];
/// What stands in the way of a control plane; informs its next step and does nothing itself.
const PREFLIGHT_CHECKS: &str = "PreflightChecks";
/// Names of evaluations for what does not exist yet.
const NEW: &str = "<new>";
const RANDOM: &str = "<random>";

/// A decision while it is carried out.
struct Decision<'s, M> {
    simulation: &'s mut Simulation<M>,
    subject: &'s Subject,
    object: ObjectRef,
    /// Where the Machines of its namespace are.
    machines: Place,
    /// Of the owner's decision that is carried out.
    row: &'static str,
    why: String,
}

/// Carries out an evaluation.
pub fn carry_out<M: Model>(
    simulation: &mut Simulation<M>,
    subject: &Subject,
    evaluation: &Evaluation,
) -> Result<(), Error> {
    let object = ObjectRef { place: subject.place(), name: subject.name.clone() };
    let machines = Place::of(Kind::Machine, &subject.namespace);
    let mut decision = Decision { simulation, subject, object, machines, row: "", why: String::new() };
    decision.write_status(evaluation)?;
    for machine in &evaluation.machine_conditions {
        decision.write_machine(&machine.name, &machine.conditions, &[])?;
    }
    decision.write_machines(&evaluation.machines)?;
    for action in &evaluation.actions {
        (decision.row, decision.why) = decided_by(action, &evaluation.machines);
        decision.act(action)?;
    }
    decision.owner_actions(&evaluation.owner_actions)
}

impl<M: Model> Decision<'_, M> {
    fn note(&mut self, change: Change) {
        let (time, by) = (self.simulation.now(), Some(self.subject.clone()));
        self.simulation.note(Step { time, by, row: self.row.to_owned(), why: self.why.clone(), change });
    }

    fn machine(&self, name: &str) -> ObjectRef {
        ObjectRef { place: self.machines.clone(), name: name.to_owned() }
    }

    fn edit(&mut self, change: impl FnOnce(&mut Value)) -> Result<(), Error> {
        self.simulation.state.edit(&self.object, change)
    }

    fn write_status(&mut self, evaluation: &Evaluation) -> Result<(), Error> {
        if self.simulation.state.is_written(&self.object, evaluation) {
            return Ok(());
        }
        let before = self.simulation.state.take_written(&self.object);
        let fields = fields(&evaluation.status, before.as_ref().map(|before| &before.status));
        let is_new =
            |condition: &&Condition| before.as_ref().is_none_or(|before| !before.conditions.contains(condition));
        self.simulation.state.edit_status(&self.object, |object| {
            let generation = object::at(object, "/metadata/generation").cloned().filter(|_| evaluation.error.is_none());
            for (field, value) in fields.as_object().into_iter().flatten() {
                let place = PLACES.iter().find(|(known, _)| known == field).map_or(&[][..], |(_, place)| place);
                let path: Vec<&str> = ["status"].iter().chain(place).copied().collect();
                member(object, &path).insert(field.clone(), value.clone());
            }
            for condition in evaluation.conditions.iter().filter(is_new) {
                set_condition(object, stored(condition));
            }
            if let Some(generation) = generation {
                member(object, &["status"]).insert("observedGeneration".to_owned(), generation);
            }
        })?;
        self.simulation.state.note_written(&self.object, evaluation);
        Ok(())
    }

    /// Writes the conditions of a health check's machines. A verdict that the fleet repeats was written before, and its machine has
    /// not changed since: else it would be a new one.
    fn write_machines(&mut self, machines: &[CheckedMachine]) -> Result<(), Error> {
        let before = self.simulation.checked.remove(self.subject).unwrap_or_default();
        let mut before = before.iter().peekable();
        for machine in machines {
            while before.next_if(|known| known.name < machine.name).is_some() {}
            let found: &MachineEvaluation = machine;
            let repeated = before.peek().is_some_and(|known: &&CheckedMachine| {
                let known: &MachineEvaluation = known;
                std::ptr::eq(known, found)
            });
            if !repeated && !self.simulation.state.is_marked(&self.machines, &machine.name, &machine.conditions) {
                self.row = machine.row;
                self.why = cause(machine);
                self.write_machine(&machine.name, &machine.conditions, OF_HEALTH_CHECK)?;
                self.simulation.state.note_marked(&self.machines, &machine.name, &machine.conditions);
            }
        }
        Ok(())
    }

    /// Writes conditions of a Machine; those of `complete` that are not among them go.
    fn write_machine(&mut self, name: &str, conditions: &[Condition], complete: &[&str]) -> Result<(), Error> {
        if self.simulation.state.at(&self.machines, name).is_some_and(|object| carries(object, conditions, complete)) {
            return Ok(());
        }
        let machine = self.machine(name);
        let marked =
            |machine: Option<&Value>| machine.is_some_and(|machine| object::has(machine, "OwnerRemediated", "False"));
        let before = marked(self.simulation.state.get(&machine));
        self.simulation.state.edit_status(&machine, |object| {
            for kind in complete.iter().filter(|kind| !conditions.iter().any(|condition| condition.kind == **kind)) {
                object::remove_condition(object, kind);
            }
            for condition in conditions {
                set_condition(object, stored(condition));
            }
        })?;
        if !before && marked(self.simulation.state.get(&machine)) {
            self.note(Change::MachineUnhealthy { machine: name.to_owned() });
        }
        Ok(())
    }

    fn act(&mut self, action: &Action) -> Result<(), Error> {
        match action {
            Action::SetOwnerReference { owner } => {
                let owner = serde_json::to_value(owner).unwrap_or_default();
                self.edit(|object| {
                    let owners = member(object, &["metadata"]).entry("ownerReferences").or_insert(json!([]));
                    if let Value::Array(owners) = owners {
                        owners.retain(|known| known["uid"] != owner["uid"]);
                        owners.push(owner);
                    }
                })
            }
            Action::AddLabel { key, value } => {
                self.edit(|object| drop(member(object, &["metadata", "labels"]).insert(key.clone(), json!(value))))
            }
            Action::CreateRemediationRequest { machine, object } => {
                let object = serde_json::to_value(object).unwrap_or_default();
                let request = self.simulation.state.put(object, None)?.place.kind;
                self.note(Change::RemediationRequested { machine: machine.clone(), request });
                Ok(())
            }
            Action::DeleteRemediationRequest { machine, api_version, kind, namespace, name } => {
                let request = ObjectRef::new((object::group_of(api_version), kind), namespace, name);
                self.simulation.state.remove(&request);
                self.note(Change::RemediationRequestDeleted { machine: machine.clone(), request: kind.clone() });
                Ok(())
            }
            Action::DeleteMachine { name, .. } => self.delete_machine(name),
        }
    }

    /// A control plane's reconcile ends with the first step that does something or can't go on.
    fn owner_actions(&mut self, actions: &[OwnerAction]) -> Result<(), Error> {
        for action in actions {
            (self.row, self.why) = (action.row, why(action));
            for OwnedMachine { name, conditions } in &action.machines {
                self.write_machine(name, conditions, OF_OWNER)?;
            }
            for step in &action.steps {
                self.step(step)?;
            }
            let ends = action.requeue_after_milliseconds.is_some() || action.error.is_some();
            if self.subject.kind == Kind::KubeadmControlPlane && ends && action.decision != PREFLIGHT_CHECKS {
                break;
            }
        }
        Ok(())
    }

    fn step(&mut self, step: &OwnerStep) -> Result<(), Error> {
        match step {
            OwnerStep::DeleteMachine { machine } => self.delete_machine(machine),
            OwnerStep::CreateMachines { count, failure_domain } => {
                self.create_machines(*count, failure_domain.as_deref())
            }
            OwnerStep::MoveMachine { machine, to, unique_label } => {
                let object = self.machine(machine);
                machine::hand_over(&mut self.simulation.state, &object, to, unique_label)?;
                self.note(Change::MachineMoved { machine: machine.clone(), to: to.clone() });
                Ok(())
            }
            // The MachineDeployment counts machines by an annotation of the MachineSet that it applies.
            OwnerStep::AcknowledgeMove { .. } if self.subject.kind == Kind::MachineDeployment => Ok(()),
            OwnerStep::AcknowledgeMove { machine } => {
                let object = self.machine(machine);
                let mark = annotation::PENDING_ACKNOWLEDGE_MOVE;
                self.simulation.state.edit(&object, |machine| remove_annotation(machine, mark))
            }
            OwnerStep::StartInPlaceUpdate { machine } => self.start_update(machine),
            OwnerStep::MoveEtcdLeadership { from, to } => {
                control_plane::lead(&mut self.simulation.state, self.subject, to)?;
                self.note(Change::EtcdLeadershipMoved { from: from.clone(), to: to.clone() });
                Ok(())
            }
            OwnerStep::RemoveEtcdMember { member } => {
                control_plane::leave(&mut self.simulation.state, self.subject, member)?;
                self.note(Change::EtcdMemberRemoved { member: member.clone() });
                Ok(())
            }
            OwnerStep::RemovePreTerminateHook { machine } => {
                let object = self.machine(machine);
                let hook = annotation::KCP_CLEANUP_HOOK;
                self.simulation.state.edit(&object, |machine| remove_annotation(machine, hook))?;
                self.simulation.plan(0, Due::Drained(object));
                Ok(())
            }
            OwnerStep::SetAnnotation { key, value } => self.edit(|object| annotate(object, key, value)),
            OwnerStep::RemoveAnnotation { key } => self.edit(|object| remove_annotation(object, key)),
            OwnerStep::SetLastRemediation(last) => {
                let last = serde_json::to_value(last).unwrap_or_default();
                self.edit(|object| drop(member(object, &["status"]).insert("lastRemediation".to_owned(), last)))
            }
            OwnerStep::ApplyMachineSet { created: true, replicas, object, notes, .. } => {
                self.explain(notes);
                self.create_machine_set(*replicas, &json!(object))
            }
            OwnerStep::ApplyMachineSet { machine_set, from, replicas, object, notes, .. } => {
                self.explain(notes);
                self.apply_machine_set(machine_set, &json!(object))?;
                if from != replicas {
                    let machine_set = machine_set.clone();
                    self.note(Change::MachineSetScaled { machine_set, from: *from, to: *replicas });
                }
                Ok(())
            }
            OwnerStep::DeleteMachineSet { machine_set } => {
                let object = self.machine_set(machine_set);
                self.simulation.state.remove(&object);
                self.note(Change::MachineSetDeleted { machine_set: machine_set.clone() });
                Ok(())
            }
        }
    }

    /// What the planner notes says more than the row.
    fn explain(&mut self, notes: &[String]) {
        if !notes.is_empty() {
            self.why = notes.join("; ");
        }
    }

    fn machine_set(&self, name: &str) -> ObjectRef {
        ObjectRef::new((Kind::MachineSet.group(), Kind::MachineSet.name()), &self.subject.namespace, name)
    }

    fn delete_machine(&mut self, name: &str) -> Result<(), Error> {
        let machine = self.machine(name);
        if self.simulation.delete_machine(&machine)? {
            self.note(Change::MachineDeleting { machine: name.to_owned() });
        }
        Ok(())
    }

    fn create_machines(&mut self, count: i64, failure_domain: Option<&str>) -> Result<(), Error> {
        for _ in 0..count {
            let (state, now) = (&mut self.simulation.state, self.simulation.now);
            let made = match self.subject.kind {
                Kind::KubeadmControlPlane => machine::of_control_plane(state, &self.object, failure_domain, now)?,
                _ => machine::of_machine_set(state, &self.object, now)?,
            };
            let Some(made) = made else { continue };
            self.note(Change::MachineCreated { machine: made.name.clone(), owner: self.subject.name.clone() });
            self.simulation.boot_machine(&made);
        }
        Ok(())
    }

    fn start_update(&mut self, name: &str) -> Result<(), Error> {
        let machine = self.machine(name);
        let owner = self.simulation.state.get(&self.object).cloned().unwrap_or_default();
        let template = match self.subject.kind {
            Kind::KubeadmControlPlane => json!({ "version": owner["spec"]["version"] }),
            _ => owner["spec"]["template"]["spec"].clone(),
        };
        machine::start_update(&mut self.simulation.state, &machine, &template)?;
        self.note(Change::UpdateStarted { machine: name.to_owned() });
        self.simulation.update_machine(&machine);
        Ok(())
    }

    /// The new MachineSet gets a name, and whoever refers to it learns that name.
    fn create_machine_set(&mut self, replicas: i64, wanted: &Value) -> Result<(), Error> {
        let name = self.simulation.state.new_name(&self.subject.name);
        let uid = self.simulation.state.new_uid();
        let owner = self.simulation.state.get(&self.object).map(machine::owner_reference).unwrap_or_default();
        let mut set = named(wanted, &name);
        set["apiVersion"] = json!(CLUSTER_API);
        set["kind"] = json!(Kind::MachineSet.name());
        let metadata = member(&mut set, &["metadata"]);
        let own = json!({
            "name": name, "namespace": self.subject.namespace, "uid": uid, "generation": 1,
            "creationTimestamp": self.simulation.now.to_string(), "ownerReferences": [owner],
        });
        metadata.extend(own.as_object().cloned().unwrap_or_default());
        self.simulation.state.put(set, None)?;
        self.simulation.name_of_new = Some(name.clone());
        self.note(Change::MachineSetCreated { machine_set: name, replicas });
        Ok(())
    }

    fn apply_machine_set(&mut self, name: &str, wanted: &Value) -> Result<(), Error> {
        let set = self.machine_set(name);
        let new = self.simulation.name_of_new.clone().unwrap_or_else(|| NEW.to_owned());
        let wanted = named(wanted, &new);
        self.simulation.state.edit(&set, |object| {
            for part in ["annotations", "labels"] {
                member(object, &["metadata"]).insert(part.to_owned(), wanted["metadata"][part].clone());
            }
            let fields = wanted["spec"].as_object().cloned().unwrap_or_else(Map::new);
            member(object, &["spec"]).extend(fields);
        })
    }
}

/// Why a health check takes a machine for unhealthy.
fn cause(machine: &MachineEvaluation) -> String {
    machine.cause.map(|cause| cause.as_str().to_owned()).unwrap_or_default()
}

/// The row that decided on an action about one of a health check's machines, and why.
fn decided_by(action: &Action, machines: &[CheckedMachine]) -> (&'static str, String) {
    let name = match action {
        Action::CreateRemediationRequest { machine, .. } | Action::DeleteRemediationRequest { machine, .. } => machine,
        Action::DeleteMachine { name, .. } => name,
        Action::SetOwnerReference { .. } | Action::AddLabel { .. } => return Default::default(),
    };
    let machine = machines.iter().find(|machine| *machine.name == **name);
    machine.map_or_else(Default::default, |machine| (machine.remediation_row.unwrap_or(machine.row), cause(machine)))
}

/// The row's guard; the numbers where it says nothing but that no other row held.
fn why(action: &OwnerAction) -> String {
    if action.why != "otherwise" {
        return action.why.clone();
    }
    let numbers: Vec<_> = action.numbers.iter().map(|number| format!("{} {}", number.name, number.value)).collect();
    numbers.join(", ")
}

/// With a name for what had none.
fn named(wanted: &Value, name: &str) -> Value {
    match wanted {
        Value::String(text) if text == NEW => json!(name),
        Value::String(text) if text.contains(RANDOM) => json!(text.replace(RANDOM, name)),
        Value::Array(items) => items.iter().map(|item| named(item, name)).collect(),
        Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), named(value, name))).collect(),
        other => other.clone(),
    }
}

/// Whether an object has these conditions already, and none of `complete` beside them: most of a large health check's machines do,
/// and copying each of them to find that out would be most of a simulation's time.
fn carries(object: &Value, conditions: &[Condition], complete: &[&str]) -> bool {
    let same = |condition: &Condition| {
        object::condition(object, condition.kind).is_some_and(|known| {
            known["status"] == condition.status.as_str()
                && known["reason"] == *condition.reason
                && known["message"] == *condition.message
                && known["observedGeneration"].as_i64().unwrap_or(0) == condition.observed_generation
                && object::time(known, "/lastTransitionTime") == Some(condition.last_transition_time)
        })
    };
    let absent = |kind: &&str| {
        conditions.iter().any(|condition| condition.kind == *kind) || object::condition(object, kind).is_none()
    };
    conditions.iter().all(same) && complete.iter().all(absent)
}

/// The fields to write. The targets of a large health check hardly ever change, and are most of its status.
fn fields(status: &Status, before: Option<&Status>) -> Value {
    let without = before
        .filter(|before| before.targets == status.targets)
        .map(|_| Status { targets: Vec::new(), ..status.clone() });
    serde_json::to_value(without.as_ref().unwrap_or(status)).unwrap_or_default()
}

/// A condition as objects store it.
fn stored(condition: &Condition) -> Value {
    let mut stored = serde_json::to_value(condition).unwrap_or_default();
    if let Value::Object(stored) = &mut stored {
        stored.remove("row");
    }
    stored
}
