#![doc = include_str!("externally_remediated.md")]

use super::remediation::{request_refused, template_not_found};
use super::target::{OfTarget, Target};
use crate::table::{Table, facts, otherwise, row};

/// Tells how far an external remediation has come.
#[rustfmt::skip]
pub static EXTERNALLY_REMEDIATED: Table<OfTarget> = Table {
    id: "MHC-EXT",
    kind: "MachineHealthCheck",
    condition: "ExternallyRemediated",
    about: "Set when a remediation request is made, or can't be made.",
    source: "docs/documents.md, MachineHealthCheck, external remediation",
    facts: facts![template_not_found, request_refused; template],
    rows: &[
        //   row          when                     status reason                              message
        row!("MHC-EXT-1", template_not_found => False, "RemediationTemplateNotFound",      "Error retrieving remediation template {template}"),
        row!("MHC-EXT-2", request_refused    => False, "RemediationRequestCreationFailed", CHECK_CONTROLLER_LOGS),
        row!("MHC-EXT-3", otherwise          => False, "WaitingForRemediation",            ""),
    ],
};

/// Kind, namespace and name of the configured template.
fn template(t: &Target<'_>) -> String {
    let template = t.health_check.spec.template();
    let (kind, name) = template.map_or(("", ""), |template| (&*template.kind, &*template.name));
    format!("{kind} {}/{name}", t.health_check.metadata.namespace)
}
