//! A fleet in virtual time: what is due is evaluated, what was decided is carried out, and machines live their lives.

use crate::carry_out::carry_out;
use crate::change::{Change, Step};
use crate::model::{Model, World};
use crate::queue::{Due, Queue};
use crate::state::State;
use crate::{control_plane, machine, object};
use capi_policy::fleet::{ObjectRef, Options, Subject};
use capi_policy::outcome::CheckedMachine;
use capi_policy::time::Time;
use capi_policy::{Evaluation, Kind, Profile};
use std::collections::BTreeMap;

/// So many evaluations of one object at one moment mean that its decisions contradict each other.
const RESTLESS: usize = 1_000;

/// What is enough for a patient simulation, and how long it waits then.
const PATIENCE: usize = 20;
const PAUSE_SECONDS: i64 = 10;

/// Why a simulation can't go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An object can't be read or decided about.
    #[error(transparent)]
    Policy(#[from] capi_policy::Error),
    /// Decisions go back and forth for ever.
    #[error("{subject} does not come to rest at {time}: {RESTLESS} decisions, the last one {last}")]
    Restless {
        /// The object.
        subject: Subject,
        /// When.
        time: Time,
        /// What was decided last.
        last: String,
    },
}

/// Gets every decision once it is carried out, and may interfere.
pub type Seen<'s> = dyn FnMut(&mut State, &Subject, &Evaluation) + 's;

/// Objects, their time, and what is to happen.
pub struct Simulation<M> {
    /// The objects.
    pub state: State,
    /// How machines behave.
    pub model: M,
    pub(crate) now: Time,
    pub(crate) name_of_new: Option<String>,
    /// What each health check found about its machines last.
    pub(crate) checked: BTreeMap<Subject, Vec<CheckedMachine>>,
    /// So many evaluations of one object at one moment are enough: it goes on a little later.
    patience: usize,
    queue: Queue,
    profile: Profile,
    steps: Vec<Step>,
}

impl<M: Model> Simulation<M> {
    /// Starts at a moment. Machines that are on their way up, in deletion or being updated go on.
    pub fn new(state: State, model: M, now: Time, profile: Profile) -> Result<Self, Error> {
        let mut simulation = Self {
            state,
            model,
            now,
            name_of_new: None,
            checked: BTreeMap::new(),
            patience: usize::MAX,
            queue: Queue::default(),
            profile,
            steps: Vec::new(),
        };
        simulation.let_model(M::start)?;
        simulation.take_up();
        Ok(simulation)
    }

    /// Lets objects whose decisions contradict each other go on a little later, as controllers do, so that others have their turn.
    #[must_use]
    pub fn patient(mut self) -> Self {
        self.patience = PATIENCE;
        self
    }

    /// Lets the model act, and notes what it changed.
    fn let_model(
        &mut self,
        act: impl FnOnce(&mut M, &mut World<'_>) -> Result<(), capi_policy::Error>,
    ) -> Result<(), Error> {
        let mut changes = Vec::new();
        let (state, queue, now) = (&mut self.state, &mut self.queue, self.now);
        act(&mut self.model, &mut World { state, queue, now, changes: &mut changes })?;
        for change in changes {
            self.note(Step { time: now, by: None, row: String::new(), why: String::new(), change });
        }
        Ok(())
    }

    /// The time.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Which rules apply.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Plans something in so many seconds.
    pub fn plan(&mut self, seconds: i64, what: Due) {
        self.queue.plan(self.now.plus(seconds.max(0)), what);
    }

    /// Notes a change.
    pub fn note(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Everything that changed since the last call.
    pub fn take_steps(&mut self) -> Vec<Step> {
        std::mem::take(&mut self.steps)
    }

    /// When something happens next, if nobody interferes.
    pub fn next(&self) -> Option<Time> {
        self.queue.next()
    }

    /// Whether a machine is on its way up, being updated, or going.
    pub fn moves_machines(&self) -> bool {
        self.queue.moves_machines()
    }

    /// Asks for a machine's deletion; whether that is new.
    pub fn delete_machine(&mut self, name: &ObjectRef) -> Result<bool, capi_policy::Error> {
        if !machine::delete(&mut self.state, name, self.now)? {
            return Ok(false);
        }
        self.drain_machine(name);
        Ok(true)
    }

    /// A machine is on its way up.
    pub fn boot_machine(&mut self, name: &ObjectRef) {
        let seconds = self.state.get(name).and_then(|object| self.model.boot(object, self.now));
        self.plan_for(seconds, Due::Booted(name.clone()));
    }

    /// A machine is being updated in place.
    pub fn update_machine(&mut self, name: &ObjectRef) {
        let seconds = self.state.get(name).and_then(|object| self.model.update(object));
        self.plan_for(seconds, Due::Updated(name.clone()));
    }

    fn drain_machine(&mut self, name: &ObjectRef) {
        let seconds = self.state.get(name).and_then(|object| self.model.drain(object, self.now));
        self.plan_for(seconds, Due::Drained(name.clone()));
    }

    fn plan_for(&mut self, seconds: Option<i64>, what: Due) {
        if let Some(seconds) = seconds {
            self.plan(seconds, what);
        }
    }

    /// What machines were doing when the simulation began.
    fn take_up(&mut self) {
        let machines: Vec<_> =
            self.state.of_kind(Kind::Machine).map(|(name, object)| (name.clone(), object.clone())).collect();
        for (name, object) in machines {
            if object::in_deletion(&object) {
                self.drain_machine(&name);
            } else if object::annotation(&object, capi_policy::view::annotation::PENDING_HOOKS).is_some() {
                self.update_machine(&name);
            } else if object::text(&object, "/status/nodeRef/name").is_empty() {
                self.continue_boot(&name, &object);
            }
        }
    }

    /// A machine that should have been up long ago is broken.
    fn continue_boot(&mut self, name: &ObjectRef, object: &serde_json::Value) {
        let made = object::time(object, "/metadata/creationTimestamp").unwrap_or(self.now);
        let up = self.model.boot(object, self.now).map(|seconds| made.plus(seconds)).filter(|up| *up >= self.now);
        if let Some(up) = up {
            self.queue.plan(up, Due::Booted(name.clone()));
        }
    }

    /// Lets everything happen that happens by then. `seen` gets every decision.
    pub fn run(&mut self, until: Time, seen: &mut Seen<'_>) -> Result<(), Error> {
        self.settle(seen)?;
        while self.advance(until) {
            self.settle(seen)?;
        }
        Ok(())
    }

    /// Goes on to the moment at which something happens next; whether there is one by then.
    pub fn advance(&mut self, until: Time) -> bool {
        let next = self.queue.next().filter(|next| *next <= until);
        self.now = next.map_or(self.now, |next| next.max(self.now));
        next.is_some()
    }

    /// Lets everything happen that happens now, from the bottom up: an owner decides when what it owns has come to rest.
    pub fn settle(&mut self, seen: &mut Seen<'_>) -> Result<(), Error> {
        self.settle_below(usize::MAX, seen)
    }

    /// Lets Machines find out how they are, before anybody decides about them.
    pub fn settle_machines(&mut self, seen: &mut Seen<'_>) -> Result<(), Error> {
        self.settle_below(1, seen)
    }

    fn settle_below(&mut self, end: usize, seen: &mut Seen<'_>) -> Result<(), Error> {
        let mut evaluated: BTreeMap<Subject, usize> = BTreeMap::new();
        loop {
            while let Some(due) = self.queue.take(self.now) {
                self.happen(due)?;
            }
            let mut due = self.state.fleet().due(self.now);
            let all = due.len();
            due.retain(|subject| evaluated.get(subject).is_none_or(|count| *count < self.patience));
            if due.len() < all {
                self.queue.plan(self.now.plus(PAUSE_SECONDS), Due::Decision);
            }
            let Some(lowest) = due.iter().map(level).min().filter(|lowest| *lowest < end) else { return Ok(()) };
            for subject in due.into_iter().filter(|subject| level(subject) == lowest) {
                let mut evaluation = self.evaluate(&subject)?;
                seen(&mut self.state, &subject, &evaluation);
                if !evaluation.machines.is_empty() {
                    self.checked.insert(subject.clone(), std::mem::take(&mut evaluation.machines));
                }
                let count = evaluated.entry(subject.clone()).or_default();
                *count = count.saturating_add(1);
                if *count > RESTLESS {
                    let last = evaluation.owner_actions.last().map(capi_policy::outcome::OwnerAction::line);
                    return Err(Error::Restless { subject, time: self.now, last: last.unwrap_or_default() });
                }
            }
        }
    }

    fn evaluate(&mut self, subject: &Subject) -> Result<Evaluation, Error> {
        if subject.kind == Kind::KubeadmControlPlane {
            let object = ObjectRef { place: subject.place(), name: subject.name.clone() };
            control_plane::inspect(&mut self.state, &object, self.now)?;
        }
        let options = Options { now: self.now, profile: self.profile, explain: false };
        let evaluation = self.state.fleet().evaluate(subject, options)?;
        self.name_of_new = None;
        carry_out(self, subject, &evaluation)?;
        if let Some(next) = evaluation.next_change.filter(|next| *next > self.now) {
            self.queue.plan(next, Due::Decision);
        }
        Ok(evaluation)
    }

    fn happen(&mut self, due: Due) -> Result<(), Error> {
        let change = match due {
            Due::Decision => return Ok(()),
            Due::Model(happening) => return self.let_model(|model, world| model.happen(happening, world)),
            Due::Booted(name) => {
                if let Some(seconds) = self.model.delay(&name, self.now) {
                    self.plan(seconds.max(1), Due::Booted(name));
                    return Ok(());
                }
                if !machine::boot(&mut self.state, &name, self.now)? {
                    return Ok(());
                }
                self.join(&name)?;
                self.let_model(|model, world| model.up(&name, world))?;
                Change::MachineUp { machine: name.name }
            }
            Due::Updated(name) => {
                if !machine::updated(&mut self.state, &name)? {
                    return Ok(());
                }
                Change::UpdateDone { machine: name.name }
            }
            Due::Drained(name) => {
                if !machine::drained(&mut self.state, &name, self.now)? {
                    return Ok(());
                }
                self.let_model(|model, world| model.gone(&name, world))?;
                Change::MachineGone { machine: name.name }
            }
        };
        self.note(Step { time: self.now, by: None, row: String::new(), why: String::new(), change });
        Ok(())
    }

    /// The member of a control plane's machine joins etcd.
    fn join(&mut self, machine: &ObjectRef) -> Result<(), Error> {
        let owner = self.state.get(machine).and_then(crate::state::owner_of).and_then(|owner| owner.subject());
        if let Some(owner) = owner.filter(|owner| owner.kind == Kind::KubeadmControlPlane) {
            control_plane::join(&mut self.state, &owner, &machine.name)?;
        }
        Ok(())
    }
}

/// Owners come after what they own; a Cluster comes last.
const ORDER: &[&[Kind]] = &[
    &[Kind::Machine],
    &[Kind::MachineHealthCheck],
    &[Kind::MachineSet, Kind::KubeadmControlPlane],
    &[Kind::MachineDeployment],
];

fn level(subject: &Subject) -> usize {
    ORDER.iter().position(|kinds| kinds.contains(&subject.kind)).unwrap_or(ORDER.len())
}
