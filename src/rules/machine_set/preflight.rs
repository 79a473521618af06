//! Preflight checks: what has to be true of the control plane before a MachineSet makes machines.

use super::Input;
use crate::rules::version::Version;
use crate::view::{ExternalObject, Metadata, ObjectRef, Str, annotation};
use capi_policy_json::Raw;
use std::cmp::Ordering;

/// How many minor versions a kubelet may be behind its control plane.
const MINOR_SKEW: u64 = 3;

/// Seconds until failed checks are run again.
pub const CHECKED_AGAIN_AFTER: i64 = 15;

/// The results of the checks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preflight {
    /// Checks that failed, as people read them.
    pub failures: Vec<String>,
    /// Why the checks could not be run.
    pub error: Option<String>,
}

impl Preflight {
    /// Runs the checks before an action of that name.
    pub fn of(input: &Input<'_>, action: &str) -> Self {
        match checks(input, action) {
            Ok(failures) => Self { failures, error: None },
            Err(error) => Self { failures: Vec::new(), error: Some(error) },
        }
    }

    /// Whether the action may go on.
    pub fn passes(&self) -> bool {
        self.failures.is_empty() && self.error.is_none()
    }

    /// Everything that stands in the way.
    pub fn obstacles(&self) -> Vec<String> {
        self.failures.iter().chain(&self.error).cloned().collect()
    }
}

/// What the checks look at.
struct Checks<'a> {
    input: &'a Input<'a>,
    enabled: &'a [Str<'a>],
    skipped: Vec<&'a str>,
    control_plane: &'a ExternalObject<'a>,
    version: Str<'a>,
}

fn checks(input: &Input<'_>, action: &str) -> Result<Vec<String>, String> {
    if !input.observed.feature_gates.machine_set_preflight_checks {
        return Ok(Vec::new());
    }
    let skipped = skipped(input)?;
    let all = [Str::from("All")];
    let enabled = input.observed.preflight_checks.as_deref().unwrap_or(&all);
    let reference = input.cluster.map(|cluster| &cluster.spec.control_plane_ref);
    let Some(reference) = reference.filter(|reference| reference.is_defined()) else { return Ok(Vec::new()) };
    if enabled.is_empty() || skipped.contains(&"All") {
        return Ok(Vec::new());
    }
    let failed = |error| format!("failed to perform \"{action}\": failed to perform preflight checks: {error}");
    let named = key(&input.object.metadata.namespace, &reference.name);
    let Some(control_plane) = input.control_plane else {
        return if input.observed.control_plane_not_found == Some(true) {
            let missing = not_found(reference, &input.object.metadata);
            Err(failed(format!("failed to get ControlPlane {named}: {missing}")))
        } else {
            Ok(Vec::new())
        };
    };
    if control_plane.spec.version.is_null() {
        return Ok(Vec::new());
    }
    let unreadable = || failed(format!("failed to get the version of ControlPlane {named}"));
    let version = control_plane.spec.version.as_str().ok_or_else(unreadable)?;
    let checks = Checks { input, enabled, skipped, control_plane, version };
    checks.run().map_err(failed)
}

impl Checks<'_> {
    fn run(&self) -> Result<Vec<String>, String> {
        let of = |what: &str, text: &str, object: &Metadata<'_>, error| {
            format!("failed to parse version {text:?} of {what} {}: {error}", object.key())
        };
        let wanted = Version::parse(&self.version)
            .map_err(|error| of("ControlPlane", &self.version, &self.control_plane.metadata, error))?;
        let mut failures = Vec::new();
        let stable = if self.applies("ControlPlaneIsStable") { self.unstable(&wanted) } else { Ok(None) };
        failures.extend(stable.as_ref().ok().cloned().flatten());
        let own = &*self.input.object.spec.template.spec.version;
        if !own.is_empty() {
            let parsed =
                Version::parse(own).map_err(|error| of("MachineSet", own, &self.input.object.metadata, error))?;
            failures.extend(Self::kubernetes_skew(&parsed, &wanted).filter(|_| self.applies("KubernetesVersionSkew")));
            failures.extend(self.kubeadm_skew(&parsed, &wanted).filter(|_| self.applies("KubeadmVersionSkew")));
            failures.extend(self.not_propagated(own).filter(|_| self.applies("ControlPlaneVersionSkew")));
        }
        stable.map(|_| failures)
    }

    fn applies(&self, check: &str) -> bool {
        self.enabled.iter().any(|enabled| *enabled == *"All" || *enabled == *check) && !self.skipped.contains(&check)
    }

    fn in_topology(&self) -> bool {
        self.input.observed.feature_gates.cluster_topology
            && self.input.cluster.is_some_and(|cluster| cluster.spec.topology.is_defined())
    }

    fn unstable(&self, wanted: &Version<'_>) -> Result<Option<String>, String> {
        let failed = |what: &str| {
            let Metadata { namespace, name, .. } = &self.control_plane.metadata;
            let control_plane = format!("{} {}", self.control_plane.kind, key(namespace, name));
            Some(format!("{control_plane} {what} (\"ControlPlaneIsStable\" preflight check failed)"))
        };
        if let Some(pending) = self.pending_upgrade() {
            return Ok(failed(&format!("has a pending version upgrade to {pending}")));
        }
        let versions = self.reported_versions();
        if versions.first().is_none_or(|version| version.is_empty()) {
            return Ok(failed("is provisioning"));
        }
        for version in &versions {
            let version = Version::parse(version).map_err(|error| {
                let control_plane = format!("{} {}", self.control_plane.kind, self.control_plane.metadata.key());
                format!(
                    "failed to perform \"ControlPlaneIsStable\" preflight check: failed to check if the {control_plane} \
                     is upgrading: failed to parse control plane status version: {error}"
                )
            })?;
            // What has no order is an upgrade too.
            if !matches!(wanted.compare(&version), Some(Ordering::Less | Ordering::Equal)) {
                return Ok(failed("is upgrading"));
            }
        }
        Ok(None)
    }

    /// The version that the topology has not handed to the control plane yet.
    fn pending_upgrade(&self) -> Option<&str> {
        let cluster = self.input.cluster.filter(|_| self.in_topology())?;
        let step = cluster.metadata.annotation(annotation::UPGRADE_STEP).filter(|step| !step.is_empty());
        let there = cluster.spec.topology.version == self.version || step.is_some_and(|step| *step == self.version);
        (!there).then(|| step.map_or(&*cluster.spec.topology.version, |step| step))
    }

    /// The versions that the control plane runs: every one of `status.versions`, else `status.version`.
    fn reported_versions(&self) -> Vec<Str<'_>> {
        let status = self.control_plane.status;
        let list = status.member("versions").and_then(Raw::items).unwrap_or_default();
        if list.is_empty() {
            return status.member("version").map(|version| version.as_str().unwrap_or_default()).into_iter().collect();
        }
        list.into_iter().map(|entry| entry.member("version").and_then(Raw::as_str).unwrap_or_default()).collect()
    }

    fn kubernetes_skew(own: &Version<'_>, wanted: &Version<'_>) -> Option<String> {
        let how = if own.minor() > wanted.minor() {
            "higher than ControlPlane version".to_owned()
        } else if own.minor() < wanted.minor().wrapping_sub(MINOR_SKEW) {
            format!("more than {MINOR_SKEW} minor versions older than the ControlPlane version")
        } else {
            return None;
        };
        Some(format!(
            "MachineSet version ({own}) and ControlPlane version ({wanted}) do not conform to the kubernetes version skew \
             policy as MachineSet version is {how} (\"KubernetesVersionSkew\" preflight check failed)"
        ))
    }

    fn kubeadm_skew(&self, own: &Version<'_>, wanted: &Version<'_>) -> Option<String> {
        let config = &self.input.object.spec.template.spec.bootstrap.config_ref;
        let kubeadm = config.kind == *"KubeadmConfigTemplate" && config.api_group == *"bootstrap.cluster.x-k8s.io";
        (kubeadm && own.minor() != wanted.minor()).then(|| {
            format!(
                "MachineSet version ({own}) and ControlPlane version ({wanted}) do not conform to kubeadm version skew \
                 policy as kubeadm only supports joining with the same major+minor version as the control plane \
                 (\"KubeadmVersionSkew\" preflight check failed)"
            )
        })
    }

    fn not_propagated(&self, own: &str) -> Option<String> {
        (self.in_topology() && self.version != *own).then(|| {
            format!(
                "MachineSet version ({own}) is not yet the same as the ControlPlane version ({}), waiting for version to be \
                 propagated to the MachineSet (\"ControlPlaneVersionSkew\" preflight check failed)",
                self.version
            )
        })
    }
}

/// Checks that don't apply: the MachineSet says so, else its bootstrap template.
fn skipped<'a>(input: &'a Input<'_>) -> Result<Vec<&'a str>, String> {
    let skipped = |metadata: &'a Metadata<'_>| {
        metadata.annotation(annotation::SKIP_PREFLIGHT_CHECKS).map(|list| &**list).filter(|list| !list.is_empty())
    };
    let config = &input.object.spec.template.spec.bootstrap.config_ref;
    let list = match skipped(&input.object.metadata) {
        None if config.is_defined() && input.observed.bootstrap_template_not_found => {
            let missing = not_found(config, &input.object.metadata);
            return Err(format!("failed to read {} annotation: {missing}", annotation::SKIP_PREFLIGHT_CHECKS));
        }
        None if config.is_defined() => input.bootstrap_template.and_then(|template| skipped(&template.metadata)),
        own => own,
    };
    Ok(list.into_iter().flat_map(|list| list.split(',')).map(str::trim).collect())
}

/// What Kubernetes says about an object that is not there.
pub fn not_found(reference: &ObjectRef<'_>, beside: &Metadata<'_>) -> String {
    let ObjectRef { api_group, kind, name, .. } = reference;
    let plural = plural(kind);
    format!("failed to retrieve {kind} {}: {plural}.{api_group} \"{name}\" not found", key(&beside.namespace, name))
}

fn plural(kind: &str) -> String {
    // The API takes no other letters.
    let kind = kind.to_ascii_lowercase();
    if kind.ends_with('s') {
        kind + "es"
    } else if let Some(stem) = kind.strip_suffix('y') {
        format!("{stem}ies")
    } else {
        kind + "s"
    }
}

fn key(namespace: &str, name: &str) -> String {
    if namespace.is_empty() { name.to_owned() } else { format!("{namespace}/{name}") }
}
