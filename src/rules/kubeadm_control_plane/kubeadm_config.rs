//! Whether a Machine's KubeadmConfig is what its control plane wants now.

use crate::rules::versions;
use crate::view::{KubeadmConfig, KubeadmControlPlane, Str, joins};
use capi_policy_json::Raw;

/// A feature gate of kubeadm that control planes switch on, unless they are configured otherwise: from the first of these versions on,
/// before the second one, which no longer has it.
const LOCAL_MODE: (&str, &str, &str) = ("ControlPlaneKubeletLocalMode", "v1.31.0", "v1.36.0");

const INIT: &str = "initConfiguration";
const JOIN: &str = "joinConfiguration";
const CLUSTER: &str = "clusterConfiguration";

/// Whether the two make the same Node. A Machine that started the control plane may be compared with the way in which
/// Machines join it, as long as both are configured the same.
pub fn same_as_wanted(config: &KubeadmConfig<'_>, control_plane: &KubeadmControlPlane<'_>) -> bool {
    let started = !joins(config.spec);
    let current = Setup { spec: config.spec, start: if started { INIT } else { JOIN }, local_mode: false };
    let version = &control_plane.spec.version;
    let local_mode = versions::at_least(version, LOCAL_MODE.1) && !versions::at_least(version, LOCAL_MODE.2);
    let wanted = |start| Setup { spec: control_plane.spec.kubeadm_config_spec, start, local_mode };
    current.same_as(&wanted(JOIN)) || started && current.same_as(&wanted(INIT))
}

/// A `spec`, and which of its parts says how the Machine is started.
struct Setup<'a> {
    spec: Raw<'a>,
    start: &'static str,
    local_mode: bool,
}

/// The members of an object.
type Members<'a> = Vec<(Str<'a>, Raw<'a>)>;

impl<'a> Setup<'a> {
    fn at(&self, path: &[&str]) -> Option<Raw<'a>> {
        path.iter().try_fold(self.spec, |value, member| value.member(member)).filter(|value| !value.is_null())
    }

    fn members(&self, path: &[&str]) -> Members<'a> {
        self.at(path).and_then(Raw::members).unwrap_or_default()
    }

    fn text_or(&self, path: &[&str], default: &'static str) -> &'a str {
        self.at(path).map_or(default, Raw::text)
    }

    /// Compares everything that makes a difference to the Node.
    fn same_as(&self, wanted: &Self) -> bool {
        let apart = |name: &str| !matches!(name, INIT | JOIN | CLUSTER | "format");
        let rebuilt = |name: &str| !matches!(name, "controlPlaneEndpoint" | "dns" | "featureGates");
        same_members(&self.members(&[]), &wanted.members(&[]), apart)
            && self.text_or(&["format"], "\"cloud-config\"") == wanted.text_or(&["format"], "\"cloud-config\"")
            && same_members(&self.members(&[CLUSTER]), &wanted.members(&[CLUSTER]), rebuilt)
            && self.same_gates(wanted)
            && self.same_start(wanted)
    }

    /// Feature gates of kubeadm, with the one that control planes add.
    fn same_gates(&self, wanted: &Self) -> bool {
        let gates = [self, wanted].into_iter().flat_map(|setup| setup.members(&[CLUSTER, "featureGates"]));
        gates.chain([(LOCAL_MODE.0.into(), Raw::default())]).all(|(name, _)| self.gate(&name) == wanted.gate(&name))
    }

    fn gate(&self, name: &str) -> Option<&'a str> {
        let set = self.at(&[CLUSTER, "featureGates", name]).map(Raw::text);
        set.or((self.local_mode && name == LOCAL_MODE.0).then_some("true"))
    }

    /// How the Machine is started: by `kubeadm init` or `kubeadm join`. How to find the cluster is only for joining.
    fn same_start(&self, wanted: &Self) -> bool {
        let same_field = |field: &str| same(self.at(&[self.start, field]), wanted.at(&[wanted.start, field]));
        let started = |field: &str| (self.members(&[self.start, field]), wanted.members(&[wanted.start, field]));
        let (timeouts, others) = started("timeouts");
        let (registration, other) = started("nodeRegistration");
        same_members(&timeouts, &others, |name| name != "controlPlaneComponentHealthCheckSeconds")
            && same_members(&registration, &other, |name| name != "imagePullPolicy")
            && self.pull_policy() == wanted.pull_policy()
            && same(self.endpoint(), wanted.endpoint())
            && ["patches", "skipPhases"].into_iter().all(same_field)
            // Only one of the two ways to start has these.
            && (self.start == INIT || same_field("caCertPath"))
            && (wanted.start == JOIN || same_field("bootstrapTokens"))
    }

    fn pull_policy(&self) -> &'a str {
        self.text_or(&[self.start, "nodeRegistration", "imagePullPolicy"], "\"IfNotPresent\"")
    }

    fn endpoint(&self) -> Option<Raw<'a>> {
        let path: &[&str] = if self.start == INIT { &[INIT] } else { &[JOIN, "controlPlane"] };
        self.at(&[path, &["localAPIEndpoint"]].concat())
    }
}

/// Compares two values; what is empty is the same as what is not there.
fn same(current: Option<Raw<'_>>, wanted: Option<Raw<'_>>) -> bool {
    let (Some(current), Some(wanted)) = (current, wanted) else {
        return current.or(wanted).is_none_or(is_empty);
    };
    if current.text() == wanted.text() {
        return true;
    }
    if let (Some(current), Some(wanted)) = (current.members(), wanted.members()) {
        return same_members(&current, &wanted, |_| true);
    }
    match (current.items(), wanted.items()) {
        (Some(current), Some(wanted)) => {
            current.len() == wanted.len() && current.iter().zip(&wanted).all(|(a, b)| same(Some(*a), Some(*b)))
        }
        _ => current.as_str().is_some_and(|text| wanted.as_str() == Some(text)),
    }
}

/// Compares those members of two objects that count. No taints at all is something else than kubeadm's own.
fn same_members(current: &Members<'_>, wanted: &Members<'_>, counts: impl Fn(&str) -> bool) -> bool {
    let names = current.iter().chain(wanted).map(|(name, _)| &**name).filter(|name| counts(name));
    names.into_iter().all(|name| {
        let (current, wanted) = (find(current, name), find(wanted, name));
        same(current, wanted) && (name != "taints" || current.is_some() == wanted.is_some())
    })
}

fn find<'a>(members: &Members<'a>, name: &str) -> Option<Raw<'a>> {
    members.iter().find(|(other, _)| *other == *name).map(|(_, value)| *value)
}

fn is_empty(value: Raw<'_>) -> bool {
    value.is_null()
        || value.items().is_some_and(|items| items.is_empty())
        || value.members().is_some_and(|members| members.iter().all(|(_, value)| is_empty(*value)))
}
