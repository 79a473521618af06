#![doc = include_str!("rolling_out.md")]

use super::{Facts, OfKubeadmControlPlane};
use crate::table::{Table, facts, otherwise, row};

/// Whether machines are being replaced because the spec changed.
#[rustfmt::skip]
pub static ROLLING_OUT: Table<OfKubeadmControlPlane> = Table {
    id: "KCP-ROL",
    kind: "KubeadmControlPlane",
    condition: "RollingOut",
    about: "A Machine is rolled out while its `UpToDate` is False; the lines of the messages are told once each, a change of the version first. True is the transitional state.",
    source: "Cluster API v1.13.6, KubeadmControlPlane controller",
    facts: facts![not_up_to_date_machines],
    rows: &[
        //   row          when                           status reason           message
        row!("KCP-ROL-1", some_machine_not_up_to_date => True,  "RollingOut",    rollout_progress),
        row!("KCP-ROL-2", otherwise                   => False, "NotRollingOut", none),
    ],
};

fn not_up_to_date_machines(s: &Facts<'_>) -> usize {
    s.rollout.machines()
}

fn some_machine_not_up_to_date(s: &Facts<'_>) -> bool {
    not_up_to_date_machines(s) > 0
}

fn rollout_progress(s: &Facts<'_>) -> String {
    s.rollout.progress()
}
