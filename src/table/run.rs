//! Running a table: one pass over its rows finds the row that decides and, on request, how it was found.

use super::describe::in_words;
use super::{Effect, Outcome, Says, Subject, Table, Written};
use crate::outcome::{Condition, ConditionStatus, Explanation, Fact, Step, Text};
use crate::profile::Profile;
use crate::time::Time;
use crate::view;

/// The answer of a table. `progress::decide` records it.
pub struct Answer<Act> {
    /// The row that decided.
    pub row: &'static str,
    /// What becomes of the condition.
    pub condition: Decided,
    /// What else follows.
    pub act: Option<Act>,
    /// How the row was found, where that was wanted.
    pub explanation: Option<Explanation>,
}

/// What a table decided about its condition.
#[derive(Debug, PartialEq, Eq)]
pub enum Decided {
    /// Set it so.
    Set(Copied),
    /// Keep it as it is stored.
    Keep,
    /// Nothing.
    Nothing,
}

/// What a condition is to say; taken over from another object, also since when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Its status.
    pub status: ConditionStatus,
    /// Its reason.
    pub reason: Text,
    /// Its message.
    pub message: Text,
    /// Its time of transition, which is kept.
    pub since: Option<Time>,
}

impl<S: Subject + 'static> Table<S> {
    /// Decides for these facts; `explain` says how, about the machine of that name.
    pub(crate) fn run(&self, facts: &S::Facts<'_>, profile: Profile, explain: Option<&str>) -> Answer<S::Act> {
        let mut decides = None;
        for (number, row) in self.rows.iter().enumerate().filter(|(_, row)| row.head.belongs_to(profile)) {
            decides = Some((number, row));
            if (row.holds)(facts) {
                break;
            }
        }
        let Some((number, row)) = decides else {
            return Answer { row: self.id, condition: Decided::Keep, act: None, explanation: None };
        };
        let outcome = row.outcome(row.head.column(profile));
        let case = Case { table: self, outcome, facts };
        Answer {
            row: row.head.id,
            condition: decided(&outcome.says, &case),
            act: outcome.act,
            explanation: explain.map(|machine| explanation(self.id, self, &case, profile, number, machine)),
        }
    }

    /// The guard of a row in words.
    pub(crate) fn why(&self, row: &str) -> String {
        self.rows.iter().find(|other| other.head.id == row).map(|row| in_words(row.head.when)).unwrap_or_default()
    }
}

/// A table, its facts and what it decides for them.
struct Case<'c, 'f, S: Subject + 'static> {
    table: &'c Table<S>,
    outcome: &'c Outcome<S>,
    facts: &'c S::Facts<'f>,
}

/// What only the table's own functions can say about its facts.
trait Speaks {
    /// The value of a fact.
    fn value(&self, fact: usize) -> String;

    /// The value of the fact of that name. A test holds that every name is one of the table's facts.
    fn named(&self, name: &str) -> String;

    /// What the outcome takes over.
    fn copied(&self) -> Option<Copied>;
}

impl<S: Subject + 'static> Speaks for Case<'_, '_, S> {
    fn value(&self, fact: usize) -> String {
        self.table.facts.get(fact).map(|fact| (fact.value)(self.facts)).unwrap_or_default()
    }

    fn named(&self, name: &str) -> String {
        let fact = self.table.facts.iter().find(|fact| fact.name == name);
        fact.map(|fact| (fact.value)(self.facts)).unwrap_or_default()
    }

    fn copied(&self) -> Option<Copied> {
        self.outcome.copied.map(|copied| copied(self.facts))
    }
}

fn decided(says: &Says, case: &dyn Speaks) -> Decided {
    match says.condition {
        Effect::Set(status, reason, message) => {
            Decided::Set(Copied { status, reason: fill(reason, case), message: fill(message, case), since: None })
        }
        Effect::Copy(_) => case.copied().map_or(Decided::Nothing, Decided::Set),
        Effect::Keep => Decided::Keep,
        Effect::Nothing => Decided::Nothing,
    }
}

/// Puts the values of facts in the place of their names.
fn fill(template: &'static str, case: &dyn Speaks) -> Text {
    let Some((before, mut rest)) = template.split_once('{') else { return Text::Borrowed(template) };
    let mut text = before.to_owned();
    while let Some((name, after)) = rest.split_once('}') {
        let value = case.named(name);
        if text.is_empty() {
            text = value;
        } else {
            text.push_str(&value);
        }
        let (between, next) = after.split_once('{').unwrap_or((after, ""));
        text.push_str(between);
        rest = next;
    }
    text.into()
}

/// How a table came to a row: none before it held, and it did, or is the last one.
#[cold]
fn explanation(
    id: &'static str,
    table: &dyn Written,
    case: &dyn Speaks,
    profile: Profile,
    decides: usize,
    machine: &str,
) -> Explanation {
    let tried = (0..=decides).filter_map(|row| Some((row, table.head(row)?)));
    let trace = tried
        .filter(|(_, head)| head.belongs_to(profile))
        .map(|(row, head)| Step { row: head.id, when: in_words(head.when), holds: row == decides })
        .collect();
    let facts = (0..).map_while(|fact| Some((fact, table.fact(fact)?)));
    Explanation {
        table: id,
        machine: machine.to_owned(),
        row: table.head(decides).map_or(id, |head| head.id),
        facts: facts
            .filter(|(_, (_, explained))| *explained)
            .map(|(fact, (name, _))| Fact { name: in_words(name), value: case.value(fact) })
            .collect(),
        trace,
    }
}

impl Copied {
    /// The condition to store, given what the object carries now.
    pub fn onto(
        self,
        kind: &'static str,
        stored: Option<&view::Condition<'_>>,
        generation: i64,
        now: Time,
        row: &'static str,
    ) -> Condition {
        let kept = stored.filter(|c| c.status == self.status.as_str()).and_then(|c| c.last_transition_time);
        Condition {
            kind,
            status: self.status,
            reason: self.reason,
            message: self.message,
            observed_generation: generation,
            last_transition_time: kept.or(self.since).unwrap_or(now),
            row,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{facts, otherwise, row};

    struct Numbers;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Act {
        Count(i64),
        Stop,
    }

    struct Both {
        left: i64,
        right: i64,
    }

    impl Both {
        fn equal(&self) -> bool {
            self.left == self.right
        }

        fn differ_by(&self, number: i64) -> bool {
            (self.left - self.right).abs() == number
        }
    }

    struct Facts {
        both: Both,
    }

    impl Subject for Numbers {
        type Facts<'a> = Facts;
        type Act = Act;
    }

    fn left(f: &Facts) -> i64 {
        f.both.left
    }

    fn right(f: &Facts) -> i64 {
        f.both.right
    }

    fn left_negative(f: &Facts) -> bool {
        left(f) < 0
    }

    #[rustfmt::skip]
    static NUMBERS: Table<Numbers> = Table {
        id: "N",
        kind: "Numbers",
        condition: "Sum",
        about: "",
        source: "",
        facts: facts![left; right],
        rows: &[
            row!("N-1", left_negative and not both.equal => False, "Negative", "{left} and {right}, {left}"),
            row!("N-6", only cluster_api_v1_14, both.differ_by(3) => Unknown, "Three", "{right}!"),
            row!("N-2", except cluster_api_v1_14, left > 7 or right == 7 => keep, act Count(7)),
            row!("N-3", both.equal                       => act Stop; cluster_api: True, "Equal", none; cluster_api_v1_14: keep),
            row!("N-5", left_negative                    => nothing),
        ],
    };

    fn run(left: i64, right: i64, profile: Profile) -> (&'static str, Decided, Option<Act>) {
        let decision = NUMBERS.run(&Facts { both: Both { left, right } }, profile, None);
        (decision.row, decision.condition, decision.act)
    }

    fn set(status: ConditionStatus, reason: &'static str, message: &str) -> Decided {
        Decided::Set(Copied { status, reason: reason.into(), message: message.to_owned().into(), since: None })
    }

    #[test]
    fn the_first_row_that_holds_decides_and_the_last_one_when_none_does() {
        let documented = Profile::Documented;
        assert_eq!(run(-1, 2, documented), ("N-1", set(ConditionStatus::False, "Negative", "-1 and 2, -1"), None));
        assert_eq!(run(8, 9, documented), ("N-2", Decided::Keep, Some(Act::Count(7))));
        assert_eq!(run(1, 7, documented), ("N-2", Decided::Keep, Some(Act::Count(7))));
        assert_eq!(run(2, 2, documented), ("N-3", Decided::Nothing, Some(Act::Stop)));
        assert_eq!(run(1, 2, documented), ("N-5", Decided::Nothing, None));
    }

    #[test]
    fn profiles_have_columns_and_rows_of_their_own() {
        let (v1_13, v1_14) = (Profile::ClusterApiV1_13, Profile::ClusterApiV1_14);
        assert_eq!(run(2, 2, v1_13), ("N-3", set(ConditionStatus::True, "Equal", ""), None));
        assert_eq!(run(2, 2, v1_14), ("N-3", Decided::Keep, None));
        assert_eq!(run(1, 4, v1_13).0, "N-5");
        assert_eq!(run(1, 4, v1_14), ("N-6", set(ConditionStatus::Unknown, "Three", "4!"), None));
        assert_eq!((run(8, 9, v1_13).0, run(8, 9, v1_14).0), ("N-2", "N-5"));
    }

    #[test]
    fn an_explanation_shows_the_rows_up_to_the_one_that_decided() {
        let explain = |left, right, profile| {
            let decision = NUMBERS.run(&Facts { both: Both { left, right } }, profile, Some("m1"));
            decision.explanation.expect("an explanation")
        };
        let explanation = explain(2, 2, Profile::Documented);
        let trace: Vec<_> = explanation.trace.iter().map(|step| (step.row, &*step.when, step.holds)).collect();
        let expected = [
            ("N-1", "left negative and not both equal", false),
            ("N-2", "left > 7 or right == 7", false),
            ("N-3", "both equal", true),
        ];
        assert_eq!(trace, expected);
        assert_eq!((explanation.row, &*explanation.machine), ("N-3", "m1"));
        assert_eq!(explanation.facts, [Fact { name: "left".to_owned(), value: "2".to_owned() }]);

        let when_none_holds = explain(1, 2, Profile::NEWEST);
        let rows: Vec<_> = when_none_holds.trace.iter().map(|step| (step.row, step.holds)).collect();
        assert_eq!(rows, [("N-1", false), ("N-6", false), ("N-3", false), ("N-5", true)]);
    }

    #[test]
    fn values_are_not_templates() {
        struct Braces;
        impl Subject for Braces {
            type Facts<'a> = &'static str;
            type Act = ();
        }
        fn text(f: &&'static str) -> &'static str {
            f
        }
        static BRACES: Table<Braces> = Table {
            id: "B",
            kind: "",
            condition: "B",
            about: "",
            source: "",
            facts: facts![; text],
            rows: &[row!("B-1", otherwise => True, "B", "a {text} b {text}")],
        };
        let decision = BRACES.run(&"{text}", Profile::Documented, None);
        assert_eq!(decision.condition, set(ConditionStatus::True, "B", "a {text} b {text}"));
    }
}
