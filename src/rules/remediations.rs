//! Machines in, what their owner does about the unhealthy ones out.

use crate::aggregate::{Aggregate, Polarity, Source, Unaggregatable, aggregate};
use crate::text::machines_are;
use crate::view::{ConditionsExt, Machine};

/// The unhealthy machines of one owner.
pub struct Remediations<'a> {
    unhealthy: Vec<&'a str>,
    to_be_remediated: usize,
    aggregate: Result<Option<Aggregate>, Unaggregatable>,
}

impl<'a> Remediations<'a> {
    /// Sorts the machines of an owner.
    pub fn of(machines: &[&'a Machine<'a>]) -> Self {
        let all = machines.iter().copied();
        let unhealthy: Vec<_> = all.filter(|m| m.status.conditions.has("HealthCheckSucceeded", "False")).collect();
        let marked = || unhealthy.iter().copied().filter(|m| m.status.conditions.has("OwnerRemediated", "False"));
        Self {
            to_be_remediated: marked().count(),
            aggregate: aggregate(marked().map(Source::from), "OwnerRemediated", Polarity::Positive),
            unhealthy: unhealthy.iter().map(|m| &*m.metadata.name).collect(),
        }
    }

    /// No machine is unhealthy.
    pub fn nothing_unhealthy(&self) -> bool {
        self.unhealthy.is_empty()
    }

    /// No unhealthy machine is the owner's to remediate.
    pub fn nothing_to_be_remediated(&self) -> bool {
        self.to_be_remediated == 0
    }

    /// What the machines to be remediated report can be told in one message.
    pub fn progress_aggregated(&self) -> bool {
        self.aggregate.is_ok()
    }

    /// That message.
    pub fn progress(&self) -> String {
        match &self.aggregate {
            Ok(Some(aggregate)) => aggregate.message.clone(),
            _ => String::new(),
        }
    }

    /// `Machines m1, m2 are not healthy`.
    pub fn not_healthy(&self) -> String {
        format!("{} not healthy", machines_are(self.unhealthy.clone()))
    }

    /// How many machines are unhealthy.
    pub fn unhealthy_machines(&self) -> usize {
        self.unhealthy.len()
    }

    /// How many of these are the owner's to remediate.
    pub fn to_be_remediated(&self) -> usize {
        self.to_be_remediated
    }
}
