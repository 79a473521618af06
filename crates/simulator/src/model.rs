//! How long things take, and what goes wrong.

use crate::change::Change;
use crate::queue::Queue;
use crate::scenario::Span;
use crate::state::State;
use capi_policy::Error;
use capi_policy::fleet::ObjectRef;
use capi_policy::time::Time;
use serde_json::Value;
use std::fmt;

/// A model of infrastructure.
pub trait Model {
    /// Looks at the machines that are there, and plans what is going to happen to them.
    fn start(&mut self, _world: &mut World<'_>) -> Result<(), Error> {
        Ok(())
    }

    /// Seconds until a new machine has a ready Node; `None` for one that never comes up.
    fn boot(&mut self, machine: &Value, now: Time) -> Option<i64>;

    /// Seconds until a machine in deletion is drained; `None` for one that never is.
    fn drain(&mut self, machine: &Value, now: Time) -> Option<i64>;

    /// Seconds until a machine is updated in place; `None` for an update that never ends.
    fn update(&mut self, machine: &Value) -> Option<i64>;

    /// Seconds that a machine has to wait that would come up now.
    fn delay(&mut self, _machine: &ObjectRef, _now: Time) -> Option<i64> {
        None
    }

    /// A machine has come up.
    fn up(&mut self, _machine: &ObjectRef, _world: &mut World<'_>) -> Result<(), Error> {
        Ok(())
    }

    /// A machine is gone.
    fn gone(&mut self, _machine: &ObjectRef, _world: &mut World<'_>) -> Result<(), Error> {
        Ok(())
    }

    /// Something that the model planned happens.
    fn happen(&mut self, _happening: Happening, _world: &mut World<'_>) -> Result<(), Error> {
        Ok(())
    }
}

/// What a model acts on.
pub struct World<'w> {
    /// The objects.
    pub state: &'w mut State,
    /// What happens later.
    pub queue: &'w mut Queue,
    /// The time.
    pub now: Time,
    /// What the model changed.
    pub changes: &'w mut Vec<Change>,
}

/// Something that happens to machines, whatever anybody decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// An incident, by its number.
    Begins(usize),
    /// Its end.
    Ends(usize),
    /// A machine dies.
    Dies(ObjectRef),
    /// A machine that flaps falls silent.
    FallsSilent(ObjectRef),
    /// It is back.
    IsBack(ObjectRef),
    /// A machine has been silent since that moment for so long that its Node says so.
    Reported(ObjectRef, Time),
}

/// Nothing goes wrong, and everything takes its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Steady {
    /// Seconds until a new machine has a ready Node.
    pub boot_seconds: i64,
    /// Seconds until a machine in deletion is gone.
    pub drain_seconds: i64,
    /// Seconds until a machine is updated in place.
    pub update_seconds: i64,
}

impl Model for Steady {
    fn boot(&mut self, _: &Value, _: Time) -> Option<i64> {
        Some(self.boot_seconds)
    }

    fn drain(&mut self, _: &Value, _: Time) -> Option<i64> {
        Some(self.drain_seconds)
    }

    fn update(&mut self, _: &Value) -> Option<i64> {
        Some(self.update_seconds)
    }
}

impl fmt::Display for Steady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [boot, drain, update] = [self.boot_seconds, self.drain_seconds, self.update_seconds].map(Span);
        write!(
            f,
            "new machines come up after {boot}, deleted ones are gone after {drain}, in-place updates take {update}; \
             nothing else breaks or recovers"
        )
    }
}
