//! What the policy is and the tables it runs.

use super::abi::{answers, record};
use super::evaluation::some;
use crate::catalog::{self, Description};
use crate::table::{OutcomeDescription, ProfileOutcome, RowDescription, TableDescription};

answers! {
    "capi:policy/catalog@0.2.0":
    "describe" () nothing => catalog::describe(),
    "tables" () nothing => catalog::tables(),
}

record! {
    Description { d:
        name: &str = d.name,
        version: &str = d.version,
        wit: &str = d.wit,
        cluster_api: &Vec<&'static str> = &d.cluster_api,
        profiles: &Vec<&'static str> = &d.profiles,
    }
    TableDescription { t:
        code: &str = t.id,
        kind: &str = t.kind,
        condition: &str = t.condition,
        about: &str = t.about,
        source: &str = t.source,
        rows: &Vec<RowDescription> = &t.rows,
    }
    RowDescription { r:
        code: &str = r.id,
        when: &str = &r.when,
        profiles: &Vec<&'static str> = &r.profiles,
        then: &OutcomeDescription = &r.then,
        others: &Vec<ProfileOutcome> = &r.others,
    }
    ProfileOutcome { o:
        profile: &str = o.profile,
        then: &OutcomeDescription = &o.then,
    }
    OutcomeDescription { o:
        status: Option<&str> = some(&o.status),
        reason: Option<&str> = some(&o.reason),
        message: Option<&str> = some(&o.message),
        act: Option<&str> = some(&o.act),
    }
}
