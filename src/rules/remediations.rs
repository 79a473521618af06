//! What an owner of Machines does about the unhealthy ones.

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

    /// What the machines to be remediated report can be aggregated into one message.
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

/// The table of `Remediating`. `first` are rows of the kind's own; `rows` has the codes of those that all kinds share, and the
/// row where the unhealthy Machines are not the owner's to remediate.
macro_rules! remediating {
    (
        id: $id:literal, kind: $kind:literal, source: $source:literal, first: [$($first:expr),*],
        rows: healthy $healthy:literal, left_alone $others:literal [$($left:tt)+], remediated $progress:literal, unclear $fails:literal,
    ) => {
        $crate::table::Table {
            id: $id,
            kind: $kind,
            condition: "Remediating",
            about: "A Machine is unhealthy when its `HealthCheckSucceeded` is False, and the owner's to remediate when its `OwnerRemediated` is False too. True is the transitional state.",
            source: $source,
            facts: $crate::table::facts![
                remediations.unhealthy_machines, remediations.to_be_remediated;
                remediations.not_healthy, remediations.progress
            ],
            rows: &[
                $($first,)*
                $crate::table::row!($healthy, remediations.nothing_unhealthy => False, "NotRemediating", ""),
                $crate::table::row!($others, remediations.nothing_to_be_remediated => $($left)+),
                $crate::table::row!($progress, remediations.progress_aggregated => True, "Remediating", "{remediations.progress}"),
                $crate::table::internal_error!($fails, otherwise),
            ],
        }
    };
}
pub(crate) use remediating;
