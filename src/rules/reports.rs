//! What many objects report about one condition, taken together.

use crate::aggregate::{Aggregate, Polarity, Priority, Source, Unaggregatable, aggregate};
use crate::time::Time;
use crate::view::{ConditionsExt, Machine};

/// A machine this young may lack its `UpToDate` condition without being mentioned, in seconds.
const UP_TO_DATE_EXPECTED_AFTER: i64 = 10;

/// One condition of many machines.
pub struct Reports {
    aggregate: Result<Option<Aggregate>, Unaggregatable>,
}

impl Reports {
    /// What the machines say about being ready.
    pub fn ready(machines: &[&Machine<'_>]) -> Self {
        Self::on("Ready", machines.iter().copied())
    }

    /// What the machines report about being up to date. New machines that report nothing yet are left out.
    pub fn up_to_date(machines: &[&Machine<'_>], now: Time) -> Self {
        Self::on("UpToDate", machines.iter().copied().filter(|m| expected_later(m, now).is_none()))
    }

    /// What objects of any kind report about one condition.
    pub fn of<'a>(sources: impl Iterator<Item = Source<'a>>, condition: &str, polarity: Polarity) -> Self {
        Self { aggregate: aggregate(sources, condition, polarity) }
    }

    fn on<'m>(condition: &str, machines: impl Iterator<Item = &'m Machine<'m>>) -> Self {
        Self::of(machines.map(Source::from), condition, Polarity::Positive)
    }

    /// No object reports anything, because there is none.
    pub fn nothing_to_aggregate(&self) -> bool {
        self.aggregate == Ok(None)
    }

    /// What the objects report can't be aggregated.
    pub fn aggregation_fails(&self) -> bool {
        self.aggregate.is_err()
    }

    /// Some object reports an issue.
    pub fn some_issue_reported(&self) -> bool {
        self.priority() == Some(Priority::Issue)
    }

    /// No object reports an issue, and some report Unknown or nothing.
    pub fn some_status_unknown(&self) -> bool {
        self.priority() == Some(Priority::Unknown)
    }

    /// Who reports what.
    pub fn message(&self) -> String {
        self.aggregated().map(|aggregate| aggregate.message.clone()).unwrap_or_default()
    }

    fn priority(&self) -> Option<Priority> {
        self.aggregated().map(|aggregate| aggregate.priority)
    }

    fn aggregated(&self) -> Option<&Aggregate> {
        self.aggregate.as_ref().ok()?.as_ref()
    }
}

/// A table that takes together what many objects report. `first` are rows of the kind's own; the last line names the part of the
/// facts that holds the [`Reports`], and code, status and reason of the rows that all such tables share. `later` says that new
/// Machines are left out at first.
macro_rules! reported {
    (
        id: $id:literal, kind: $kind:literal, condition: $condition:literal, source: $source:literal,
        takes: $takes:literal $(and $more:tt)?, facts: [$($fact:tt)+], first: [$($first:expr),*],
        $part:ident: $none:literal $fine:ident $nothing:literal, $fails:literal fails, $some:literal $issue:ident $reported:literal,
        $unclear:literal Unknown $unknown:literal, $all:literal $well:ident $settled:literal,
    ) => {
        $crate::table::Table {
            id: $id,
            kind: $kind,
            condition: $condition,
            about: concat!("Takes the ", $takes, $crate::rules::reports::reported!(@how $issue) $(, $crate::rules::reports::reported!(@more $more))?),
            source: $source,
            facts: $crate::table::facts![$($fact)+; $part.message],
            rows: &[
                $($first,)*
                $crate::table::row!($none, $part.nothing_to_aggregate => $fine, $nothing, ""),
                $crate::table::row!($fails, $part.aggregation_fails => Unknown, "InternalError", CHECK_CONTROLLER_LOGS),
                $crate::table::row!($some, $part.some_issue_reported => $issue, $reported, (concat!("{", stringify!($part), ".message}"))),
                $crate::table::row!($unclear, $part.some_status_unknown => Unknown, $unknown, (concat!("{", stringify!($part), ".message}"))),
                $crate::table::row!($all, otherwise => $well, $settled, (concat!("{", stringify!($part), ".message}"))),
            ],
        }
    };
    (@how False) => { ": an issue goes before unknown, and the message says who reports what." };
    (@more later) => { " A Machine that does not have it yet is looked at once it is more than 10 seconds old." };
    (@more $more:literal) => { $more };
    (@how True) => { ". True is the transitional state." };
}
pub(crate) use reported;

/// When a machine that is too new to have `UpToDate` should have it; `None` for one that has it or is old enough.
fn expected_later(machine: &Machine<'_>, now: Time) -> Option<Time> {
    let moment = machine.metadata.creation_timestamp?.plus(UP_TO_DATE_EXPECTED_AFTER + 1);
    (moment > now && machine.status.conditions.of_type("UpToDate").is_none()).then_some(moment)
}

/// The next moment at which another machine should report whether it is up to date.
pub fn next_change(machines: &[&Machine<'_>], now: Time) -> Option<Time> {
    machines.iter().filter_map(|m| expected_later(m, now)).min()
}

#[cfg(test)]
mod tests {
    use super::{Reports, next_change};
    use crate::time::Time;
    use crate::view::Machine;

    #[test]
    fn a_silent_machine_counts_when_more_than_ten_seconds_have_passed() {
        let created = Time::ZERO.plus(1_000);
        let mut machine = Machine::default();
        machine.metadata.creation_timestamp = Some(created);
        let at = |seconds| {
            let now = created.plus(seconds);
            (Reports::up_to_date(&[&machine], now).nothing_to_aggregate(), next_change(&[&machine], now))
        };
        assert_eq!(at(10), (true, Some(created.plus(11))));
        assert_eq!(at(11), (false, None));
    }

    #[test]
    fn a_machine_that_says_nothing_leaves_it_unknown() {
        let mut machine = Machine::default();
        machine.metadata.name = "m1".into();
        let reports = Reports::ready(&[&machine]);
        assert!(reports.some_status_unknown() && !reports.some_issue_reported() && !reports.aggregation_fails());
        assert_eq!(reports.message(), "* Machine m1: Condition Ready not yet reported");
        assert!(Reports::ready(&[]).nothing_to_aggregate());
    }
}
