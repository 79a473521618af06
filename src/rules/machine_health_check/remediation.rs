#![doc = include_str!("remediation.md")]

use super::target::Target;
use crate::outcome::Verdict;
use crate::table::{Table, facts, otherwise, row, subject};

/// What is done about a machine.
#[rustfmt::skip]
pub static REMEDIATION: Table<OfRemediation> = Table {
    id: "MHC-REM",
    kind: "MachineHealthCheck",
    condition: "Remediation",
    about: "What follows for one Machine. With a template an external controller remediates; else the Machine's owner does; a Machine that nobody owns is deleted. A request for a Machine that is healthy again is deleted even while remediation is not allowed; Cluster API leaves it there until then.",
    source: "docs/documents.md, MachineHealthCheck, remediation execution",
    facts: facts![allowed, template_configured, request_exists, owned],
    rows: &[
        //   row           when                                     action
        row!("MHC-REM-11", only cluster_api, not allowed and healthy_with_request => nothing),
        row!("MHC-REM-1",  not allowed and not healthy_with_request => nothing),
        row!("MHC-REM-2",  healthy_with_request                     => act DeleteRequest),
        row!("MHC-REM-3",  not unhealthy                            => nothing),
        row!("MHC-REM-4",  request_exists                           => act UnderWay;      cluster_api: act Stop),
        row!("MHC-REM-5",  template_not_found                       => act ReportFailure; cluster_api: act ReportFailureAndStop),
        row!("MHC-REM-6",  request_refused                          => act ReportFailure; cluster_api: act ReportFailureAndStop),
        row!("MHC-REM-7",  template_configured                      => act CreateRequest),
        row!("MHC-REM-8",  in_deletion                              => act UnderWay),
        row!("MHC-REM-9",  not owned                                => act DeleteMachine; cluster_api: act MarkForOwner),
        row!("MHC-REM-10", otherwise                                => act MarkForOwner),
    ],
};

/// A machine that may need remediation.
pub struct OfRemediation;

subject!(OfRemediation, Target, Act);

/// The threshold allows remediation.
fn allowed(t: &Target<'_>) -> bool {
    t.allowed
}

/// The Machine has an owner that is its controller.
fn owned(t: &Target<'_>) -> bool {
    t.machine.metadata.has_controller()
}

/// `spec.remediation.templateRef` is set.
fn template_configured(t: &Target<'_>) -> bool {
    t.health_check.spec.template().is_some()
}

/// A template is configured, and there is a remediation request named like the Machine.
fn request_exists(t: &Target<'_>) -> bool {
    template_configured(t) && t.request.is_some()
}

/// The Machine is healthy and still has a remediation request that is not being deleted.
fn healthy_with_request(t: &Target<'_>) -> bool {
    t.verdict == Verdict::Healthy
        && template_configured(t)
        && t.request.is_some_and(|request| !request.metadata.in_deletion())
}

/// The verdict of the health check.
fn unhealthy(t: &Target<'_>) -> bool {
    t.verdict == Verdict::Unhealthy
}

/// The template is configured, but does not exist.
pub fn template_not_found(t: &Target<'_>) -> bool {
    template_configured(t) && t.template.is_none()
}

/// The API server refuses new requests.
pub fn request_refused(t: &Target<'_>) -> bool {
    template_configured(t) && t.request_refused
}

/// The Machine has a deletion timestamp.
fn in_deletion(t: &Target<'_>) -> bool {
    t.machine.metadata.in_deletion()
}

/// What is done about a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Create a remediation request.
    CreateRequest,
    /// Delete the remediation request.
    DeleteRequest,
    /// Report that there can't be a request.
    ReportFailure,
    /// Report it, and remediate no further machine.
    ReportFailureAndStop,
    /// Nothing more: the machine is being remediated or deleted already.
    UnderWay,
    /// Remediate no further machine.
    Stop,
    /// Leave it to the machine's owner.
    MarkForOwner,
    /// Delete the machine.
    DeleteMachine,
}
