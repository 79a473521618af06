//! The profile of the Cluster API that is installed: `--profile auto`.
//!
//! clusterctl's inventory says which versions of the core and of the kubeadm control-plane provider there are; without it, the
//! images of their Deployments do. The two may differ while an upgrade is under way, so each has a profile of its own.

use anyhow::{Context, Result, ensure};
use kube::api::{DynamicObject, ListParams};
use kube::core::{ApiResource, GroupVersionKind};
use kube::{Api, Client};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;

/// What `--profile` says when the installed version decides.
pub const AUTO: &str = "auto";
/// What the profiles of releases start with.
const RELEASE: &str = "cluster-api-v";
/// The label that clusterctl and the operator give everything of a provider.
const PROVIDER_LABEL: &str = "cluster.x-k8s.io/provider";

/// A part of Cluster API that decides about kinds of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Cluster, MachineDeployment, MachineSet, MachinePool, Machine, MachineHealthCheck.
    Core,
    /// KubeadmControlPlane.
    KubeadmControlPlane,
}

impl Part {
    fn of(kind: &str) -> Self {
        if kind == "KubeadmControlPlane" { Self::KubeadmControlPlane } else { Self::Core }
    }

    /// Its type and name in clusterctl's inventory.
    fn inventory(self) -> (&'static str, &'static str) {
        match self {
            Self::Core => ("CoreProvider", "cluster-api"),
            Self::KubeadmControlPlane => ("ControlPlaneProvider", "kubeadm"),
        }
    }

    /// The value of its label.
    fn label(self) -> &'static str {
        match self {
            Self::Core => "cluster-api",
            Self::KubeadmControlPlane => "control-plane-kubeadm",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Core => "Cluster API",
            Self::KubeadmControlPlane => "the kubeadm control-plane provider",
        })
    }
}

/// Which rules apply to which kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profiles {
    core: String,
    control_plane: String,
}

impl Profiles {
    /// One for all kinds.
    pub fn named(profile: &str) -> Self {
        Self { core: profile.to_owned(), control_plane: profile.to_owned() }
    }

    /// The profile for decisions about a kind.
    pub fn of(&self, kind: &str) -> &str {
        match Part::of(kind) {
            Part::Core => &self.core,
            Part::KubeadmControlPlane => &self.control_plane,
        }
    }
}

impl fmt::Display for Profiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.core)?;
        if self.control_plane == self.core { Ok(()) } else { write!(f, ", KubeadmControlPlane {}", self.control_plane) }
    }
}

/// What `--profile` asks for. `known` are the profiles that the policy has; where none of them is the installed version's, the
/// nearest one will do unless decisions are written.
pub async fn resolve(asked: &str, client: &Client, known: &[String], writes: bool) -> Result<Profiles> {
    if asked != AUTO {
        return Ok(Profiles::named(asked));
    }
    let (profiles, doubts) = installed(client, known).await?;
    for doubt in &doubts {
        tracing::warn!("{doubt}");
    }
    ensure!(
        doubts.is_empty() || !writes,
        "{}; to apply decisions all the same, name one of them: --profile {}",
        doubts.join("; "),
        known.join(", --profile ")
    );
    tracing::info!(%profiles, "rules of the installed release");
    Ok(profiles)
}

/// The profiles of what is installed, and what speaks against them.
pub async fn installed(client: &Client, known: &[String]) -> Result<(Profiles, Vec<String>)> {
    Installed::read(client).await?.profiles(known)
}

/// The versions that are installed, as they are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Installed {
    core: BTreeSet<String>,
    control_plane: BTreeSet<String>,
}

impl Installed {
    async fn read(client: &Client) -> Result<Self> {
        let inventory = list(client, ("clusterctl.cluster.x-k8s.io", "v1alpha3", "Provider"), "").await;
        let mut installed = Self::of_inventory(&inventory.context("clusterctl's inventory")?);
        if installed.core.is_empty() {
            let labels = [Part::Core, Part::KubeadmControlPlane].map(Part::label).join(",");
            let selector = format!("{PROVIDER_LABEL} in ({labels})");
            let deployments = list(client, ("apps", "v1", "Deployment"), &selector).await;
            installed = Self::of_deployments(&deployments.context("the Deployments of Cluster API")?);
        }
        Ok(installed)
    }

    fn of_inventory(providers: &[Value]) -> Self {
        let versions = |part: Part| {
            let of_part = providers.iter().filter(|p| (text(p, "/type"), text(p, "/providerName")) == part.inventory());
            of_part
                .map(|provider| text(provider, "/version").to_owned())
                .filter(|version| !version.is_empty())
                .collect()
        };
        Self { core: versions(Part::Core), control_plane: versions(Part::KubeadmControlPlane) }
    }

    fn of_deployments(deployments: &[Value]) -> Self {
        let versions = |part: Part| {
            let labelled = |deployment: &&Value| deployment["metadata"]["labels"][PROVIDER_LABEL] == part.label();
            deployments.iter().filter(labelled).filter_map(image_version).collect()
        };
        Self { core: versions(Part::Core), control_plane: versions(Part::KubeadmControlPlane) }
    }

    /// The profiles, and what speaks against them.
    fn profiles(&self, known: &[String]) -> Result<(Profiles, Vec<String>)> {
        let releases: Vec<_> =
            known.iter().filter_map(|name| Some((minor(name.strip_prefix(RELEASE)?)?, name))).collect();
        let newest = releases.iter().max().context("the policy knows no release of Cluster API")?;
        let mut doubts = Vec::new();
        let core = nearest(&self.core, Part::Core, &releases, newest.1, &mut doubts);
        // Where another control-plane provider is installed, nobody decides about KubeadmControlPlanes.
        let control_plane = if self.control_plane.is_empty() {
            core.clone()
        } else {
            nearest(&self.control_plane, Part::KubeadmControlPlane, &releases, newest.1, &mut doubts)
        };
        Ok((Profiles { core, control_plane }, doubts))
    }
}

/// Major and minor version.
type Minor = (u64, u64);

/// The profile for one of the installed versions, the newest if there are several.
fn nearest(
    installed: &BTreeSet<String>,
    part: Part,
    releases: &[(Minor, &String)],
    newest: &str,
    doubts: &mut Vec<String>,
) -> String {
    let versions: BTreeSet<Minor> = installed.iter().filter_map(|version| minor(version)).collect();
    let Some(version) = versions.last().filter(|_| versions.len() == 1) else {
        let found = if installed.is_empty() { "no version".to_owned() } else { joined(installed) };
        let last = versions.last().and_then(|version| closest(*version, releases));
        let profile = last.map_or_else(|| newest.to_owned(), |(_, profile)| (*profile).clone());
        doubts.push(format!("{part}: found {found}; the nearest rules are those of {profile}"));
        return profile;
    };
    let Some((release, profile)) = closest(*version, releases) else { return newest.to_owned() };
    if release != version {
        doubts.push(format!(
            "{part} is {}, which this policy does not know; the nearest rules are those of {profile}",
            joined(installed)
        ));
    }
    (*profile).clone()
}

fn closest<'r>((major, minor): Minor, releases: &'r [(Minor, &'r String)]) -> Option<&'r (Minor, &'r String)> {
    let before = releases.iter().filter(|(release, _)| *release <= (major, minor));
    // A release keeps what the one before it did; what is older than all has the oldest.
    before.max_by_key(|(release, _)| *release).or_else(|| releases.iter().min_by_key(|(release, _)| *release))
}

/// `v1.14.2`, `1.14` and `v1.14.0-rc.1` are of v1.14.
fn minor(version: &str) -> Option<Minor> {
    let mut numbers = version.trim_start_matches('v').split(['.', '-', '+']);
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// The tag of the image of a Deployment's manager.
fn image_version(deployment: &Value) -> Option<String> {
    let containers = deployment.pointer("/spec/template/spec/containers")?.as_array()?;
    let manager = containers.iter().find(|container| container["name"] == "manager").or_else(|| containers.first())?;
    let image = manager["image"].as_str()?.split('@').next()?;
    let (_, tag) = image.rsplit('/').next()?.split_once(':')?;
    Some(tag.to_owned())
}

fn joined(versions: &BTreeSet<String>) -> String {
    versions.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

fn text<'v>(value: &'v Value, path: &str) -> &'v str {
    value.pointer(path).and_then(Value::as_str).unwrap_or_default()
}

/// Objects of a kind in all namespaces; none when the kind is not served or may not be listed.
async fn list(client: &Client, (group, version, kind): (&str, &str, &str), selector: &str) -> Result<Vec<Value>> {
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, kind));
    let api: Api<DynamicObject> = Api::all_with(client.clone(), &resource);
    match api.list(&ListParams::default().labels(selector)).await {
        Ok(objects) => Ok(objects.items.iter().map(serde_json::to_value).collect::<Result<_, _>>()?),
        Err(kube::Error::Api(status)) if status.code == 404 => Ok(Vec::new()),
        Err(kube::Error::Api(status)) if status.code == 403 => {
            tracing::warn!(kind, error = status.message, "may not be listed");
            Ok(Vec::new())
        }
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn known() -> Vec<String> {
        ["documented", "cluster-api-v1.13", "cluster-api-v1.14"].map(ToOwned::to_owned).to_vec()
    }

    fn provider(of_type: &str, name: &str, version: &str) -> Value {
        json!({ "type": of_type, "providerName": name, "version": version })
    }

    fn deployment(label: &str, image: &str) -> Value {
        json!({ "metadata": { "labels": { PROVIDER_LABEL: label } },
                "spec": { "template": { "spec": { "containers": [{ "name": "proxy", "image": "proxy:v9.9.9" }, { "name": "manager", "image": image }] } } } })
    }

    #[test]
    fn each_provider_has_the_profile_of_its_version() {
        let inventory = [
            provider("CoreProvider", "cluster-api", "v1.14.2"),
            provider("BootstrapProvider", "kubeadm", "v1.12.0"),
            provider("ControlPlaneProvider", "kubeadm", "v1.13.6"),
            provider("ControlPlaneProvider", "rke2", "v0.20.0"),
        ];
        let (profiles, doubts) = Installed::of_inventory(&inventory).profiles(&known()).expect("profiles");
        assert_eq!(doubts, Vec::<String>::new());
        assert_eq!(
            (profiles.of("Machine"), profiles.of("KubeadmControlPlane")),
            ("cluster-api-v1.14", "cluster-api-v1.13")
        );
        assert_eq!(profiles.to_string(), "cluster-api-v1.14, KubeadmControlPlane cluster-api-v1.13");
    }

    #[test]
    fn images_tell_where_there_is_no_inventory() {
        let deployments = [
            deployment("cluster-api", "registry.example:5000/cluster-api-controller:v1.13.6@sha256:0123"),
            deployment("control-plane-kubeadm", "kubeadm-control-plane-controller:v1.13.6"),
            deployment("infrastructure-docker", "capd:v1.14.2"),
        ];
        let (profiles, doubts) = Installed::of_deployments(&deployments).profiles(&known()).expect("profiles");
        assert_eq!((profiles.to_string(), doubts.len()), ("cluster-api-v1.13".to_owned(), 0));
    }

    #[test]
    fn another_control_plane_provider_leaves_the_core_to_decide() {
        let inventory = [provider("CoreProvider", "cluster-api", "v1.13.0")];
        let (profiles, doubts) = Installed::of_inventory(&inventory).profiles(&known()).expect("profiles");
        assert_eq!((profiles, doubts.len()), (Profiles::named("cluster-api-v1.13"), 0));
    }

    #[test]
    fn an_unknown_version_gets_the_nearest_rules_and_a_doubt() {
        for (version, profile) in [
            ("v1.15.0", "cluster-api-v1.14"),
            ("v1.12.9", "cluster-api-v1.13"),
            ("v2.0.0", "cluster-api-v1.14"),
            ("main", "cluster-api-v1.14"),
        ] {
            let inventory = [provider("CoreProvider", "cluster-api", version)];
            let (profiles, doubts) = Installed::of_inventory(&inventory).profiles(&known()).expect("profiles");
            assert_eq!((profiles.of("Cluster"), doubts.len()), (profile, 1), "{version}: {doubts:?}");
            assert!(doubts[0].contains(version) && doubts[0].contains(profile), "{doubts:?}");
        }
    }

    #[test]
    fn nothing_found_and_two_versions_are_doubts() {
        let (profiles, doubts) = Installed::default().profiles(&known()).expect("profiles");
        assert_eq!(profiles, Profiles::named("cluster-api-v1.14"));
        assert_eq!(doubts, ["Cluster API: found no version; the nearest rules are those of cluster-api-v1.14"]);
        let two = ["v1.13.6", "v1.14.2"].map(|version| provider("CoreProvider", "cluster-api", version));
        let (profiles, doubts) = Installed::of_inventory(&two).profiles(&known()).expect("profiles");
        assert_eq!(profiles, Profiles::named("cluster-api-v1.14"));
        assert_eq!(doubts, ["Cluster API: found v1.13.6, v1.14.2; the nearest rules are those of cluster-api-v1.14"]);
        assert!(Installed::default().profiles(&["documented".to_owned()]).is_err());
    }
}
