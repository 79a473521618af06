//! The decisions to come.

use super::abi::{Made, made, record, variant};
use super::evaluation::{Decision, some};
use crate::forecast::{Change, Forecast, Moment};

record! {
    Forecast { f:
        now: Decision<'_> = Decision(&f.now),
        until: Made = made(f.until.to_string()),
        moments: &Vec<Moment> = &f.moments,
        complete: bool = f.complete,
    }
    Moment { m:
        at: Made = made(m.at.to_string()),
        changes: &Vec<Change> = &m.changes,
    }
    Change { c:
        subject: &str = &c.subject,
        what: Changed<'_> = Changed(&c.what),
        from: Option<&str> = c.from.as_deref(),
        to: Option<&str> = c.to.as_deref(),
        row: Option<&str> = some(c.row),
    }
}

struct Changed<'a>(&'a str);

variant! {
    Changed<'_> { what, case: [(), &str] match what.0 {
        "verdict" => case.is(0, ()),
        "action" => case.is(1, ()),
        condition => case.is(2, condition),
    } }
}
