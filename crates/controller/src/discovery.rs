//! How the server calls a kind, and whether it has it in a version that the policy reads.

use super::key::GroupKind;
use kube::core::ApiResource;
use kube::{Client, discovery};

/// The version of Cluster API's own kinds whose fields the rules read.
const VERSION: &str = "v1beta2";

/// What the server says about a kind.
#[derive(Debug)]
pub enum Served {
    As(ApiResource),
    /// Not in a version that the policy reads, but in these.
    InOtherVersions(Vec<String>),
    Not,
}

/// Asks the server. A provider's own kind is taken in the version that the server recommends: of those the rules read
/// only what Cluster API's contract fixes.
pub async fn discover(client: &Client, kind: &GroupKind) -> kube::Result<Served> {
    let group = match discovery::group(client, &kind.group).await {
        Ok(group) => group,
        Err(kube::Error::Discovery(_)) => return Ok(Served::Not),
        Err(kube::Error::Api(status)) if status.code == 404 => return Ok(Served::Not),
        Err(error) => return Err(error),
    };
    let in_version = |version: &str| {
        group.versioned_resources(version).into_iter().map(|(resource, _)| resource).find(|r| *r.kind == *kind.kind)
    };
    if !kind.is_cluster_api() {
        return Ok(group.recommended_kind(&kind.kind).map_or(Served::Not, |(resource, _)| Served::As(resource)));
    }
    if let Some(resource) = in_version(VERSION) {
        return Ok(Served::As(resource));
    }
    let others: Vec<String> = group.versions().filter(|v| in_version(v).is_some()).map(str::to_owned).collect();
    Ok(if others.is_empty() { Served::Not } else { Served::InOtherVersions(others) })
}
