//! What the policy is and the tables it runs.

use super::evaluation::{all, some};
use super::{Policy, wit_catalog as wit};
use crate::catalog::{self, Description};
use crate::table::{OutcomeDescription, ProfileOutcome, RowDescription, TableDescription};

impl wit::Guest for Policy {
    fn describe() -> wit::Description {
        catalog::describe().into()
    }

    fn tables() -> Vec<wit::TableDescription> {
        all(catalog::tables())
    }
}

impl From<Description> for wit::Description {
    fn from(d: Description) -> Self {
        let owned = |list: &[&str]| list.iter().map(|&item| item.to_owned()).collect();
        Self {
            name: d.name.to_owned(),
            version: d.version.to_owned(),
            wit: d.wit.to_owned(),
            cluster_api: owned(&d.cluster_api),
            profiles: owned(&d.profiles),
        }
    }
}

impl From<TableDescription> for wit::TableDescription {
    fn from(t: TableDescription) -> Self {
        Self {
            code: t.id.to_owned(),
            kind: t.kind.to_owned(),
            condition: t.condition.to_owned(),
            about: t.about.to_owned(),
            source: t.source.to_owned(),
            rows: all(t.rows),
        }
    }
}

impl From<RowDescription> for wit::RowDescription {
    fn from(r: RowDescription) -> Self {
        Self {
            code: r.id.to_owned(),
            when: r.when,
            profiles: r.profiles.iter().map(|&profile| profile.to_owned()).collect(),
            then: r.then.into(),
            others: all(r.others),
        }
    }
}

impl From<ProfileOutcome> for wit::ProfileOutcome {
    fn from(o: ProfileOutcome) -> Self {
        Self { profile: o.profile.to_owned(), then: o.then.into() }
    }
}

impl From<OutcomeDescription> for wit::OutcomeDescription {
    fn from(o: OutcomeDescription) -> Self {
        Self { status: some(o.status), reason: some(o.reason), message: some(o.message), act: some(o.act) }
    }
}
