//! Lets as many evaluations run at once as there are instances in the pool; the others wait.

use crate::limits::Limits;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// The places.
pub struct Slots {
    free: Mutex<u32>,
    freed: Condvar,
}

/// One place, given back when dropped.
pub struct Slot(Arc<Slots>);

impl Slots {
    pub fn new(limits: &Limits) -> Arc<Self> {
        Arc::new(Self { free: Mutex::new(limits.concurrency.max(1)), freed: Condvar::new() })
    }

    pub fn take(slots: &Arc<Self>) -> Slot {
        let free = slots.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = slots.freed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        Slot(Arc::clone(slots))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}
