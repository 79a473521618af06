//! In: JSON text. Out: [`Snapshot`], the objects, what could be read of the world, and the time.

use crate::error::Error;
use crate::observed::Observed;
use crate::position::path_at;
use crate::time::Time;
use crate::view::{
    Cluster, ClusterClass, ExternalObject, KubeadmControlPlane, Machine, MachineDeployment, MachineHealthCheck,
    MachineSet, Metadata, Node, RemediationRequest, RemediationTemplate, null_is_default,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// The largest snapshot accepted, in bytes.
pub const MAX_BYTES: usize = 40 << 20;
/// The deepest nesting accepted.
pub const MAX_DEPTH: usize = 100;

/// What is evaluated: one kind's object with everything its decisions read.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot<'a> {
    /// Which object is evaluated; found from the objects when absent.
    #[serde(default)]
    pub kind: Option<Kind>,
    /// The time of the evaluation, RFC 3339.
    pub now: Time,
    /// Which rules apply.
    #[serde(default, deserialize_with = "null_is_default")]
    pub profile: Profile,
    /// Whether the evaluation says how each decision was made.
    #[serde(default)]
    pub explain: bool,
    /// The MachineDeployment.
    #[serde(borrow, default)]
    pub machine_deployment: Option<MachineDeployment<'a>>,
    /// The MachineSet.
    #[serde(borrow, default)]
    pub machine_set: Option<MachineSet<'a>>,
    /// The KubeadmControlPlane.
    #[serde(borrow, default)]
    pub kubeadm_control_plane: Option<KubeadmControlPlane<'a>>,
    /// The Machine.
    #[serde(borrow, default)]
    pub machine: Option<Machine<'a>>,
    /// The MachineHealthCheck.
    #[serde(borrow, default)]
    pub machine_health_check: Option<MachineHealthCheck<'a>>,
    /// The Cluster.
    #[serde(borrow, default)]
    pub cluster: Option<Cluster<'a>>,
    /// The ClusterClass of a Cluster.
    #[serde(borrow, default)]
    pub cluster_class: Option<ClusterClass<'a>>,
    /// The infrastructure of a Cluster.
    #[serde(borrow, default)]
    pub infra_cluster: Option<ExternalObject<'a>>,
    /// The control plane of a Cluster.
    #[serde(borrow, default)]
    pub control_plane: Option<ExternalObject<'a>>,
    /// The bootstrap config of a Machine.
    #[serde(borrow, default)]
    pub bootstrap_config: Option<ExternalObject<'a>>,
    /// The infrastructure of a Machine.
    #[serde(borrow, default)]
    pub infra_machine: Option<ExternalObject<'a>>,
    /// The Node of a Machine.
    #[serde(borrow, default)]
    pub node: Option<Node<'a>>,
    /// The MachineSet that owns a Machine.
    #[serde(borrow, default)]
    pub owning_machine_set: Option<MachineSet<'a>>,
    /// The MachineDeployment that owns a Machine's MachineSet.
    #[serde(borrow, default)]
    pub owning_machine_deployment: Option<MachineDeployment<'a>>,
    /// The MachineDeployments of a Cluster.
    #[serde(borrow, default, deserialize_with = "null_is_default")]
    pub machine_deployments: Vec<MachineDeployment<'a>>,
    /// The MachineSets of a MachineDeployment or Cluster.
    #[serde(borrow, default, deserialize_with = "null_is_default")]
    pub machine_sets: Vec<MachineSet<'a>>,
    /// The Machines: of the object, or for a health check those of the namespace.
    #[serde(borrow, default, deserialize_with = "null_is_default")]
    pub machines: Vec<Machine<'a>>,
    /// The Nodes of the workload cluster.
    #[serde(borrow, default, deserialize_with = "null_is_default")]
    pub nodes: Vec<Node<'a>>,
    /// The template of external remediation.
    #[serde(borrow, default)]
    pub remediation_template: Option<RemediationTemplate<'a>>,
    /// The remediation requests that exist, named like their machines.
    #[serde(borrow, default, deserialize_with = "null_is_default")]
    pub remediation_requests: Vec<RemediationRequest<'a>>,
    /// What could and could not be read.
    #[serde(borrow, default, deserialize_with = "null_is_default")]
    pub observed: Observed<'a>,
}

/// The kinds that can be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// MachineHealthCheck.
    MachineHealthCheck,
    /// MachineDeployment.
    MachineDeployment,
    /// MachineSet.
    MachineSet,
    /// KubeadmControlPlane.
    KubeadmControlPlane,
    /// Machine.
    Machine,
    /// Cluster.
    Cluster,
}

impl Kind {
    /// Every kind, in the order in which a snapshot without `kind` is searched.
    pub const ALL: &[Self] = &[
        Self::MachineHealthCheck,
        Self::MachineDeployment,
        Self::MachineSet,
        Self::KubeadmControlPlane,
        Self::Machine,
        Self::Cluster,
    ];

    /// The field of the snapshot that holds the object.
    pub fn field(self) -> &'static str {
        match self {
            Self::MachineHealthCheck => "machineHealthCheck",
            Self::MachineDeployment => "machineDeployment",
            Self::MachineSet => "machineSet",
            Self::KubeadmControlPlane => "kubeadmControlPlane",
            Self::Machine => "machine",
            Self::Cluster => "cluster",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Which rules apply where the documents and Cluster API differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// The documents, to the letter.
    #[default]
    Documented,
    /// What Cluster API really does.
    ClusterApi,
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Documented => "documented",
            Self::ClusterApi => "cluster-api",
        })
    }
}

impl<'a> Snapshot<'a> {
    /// Reads a snapshot.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        check_size(text)?;
        let snapshot: Self = serde_json::from_str(text).map_err(|error| locate(text, &error))?;
        snapshot.validate()?;
        Ok(snapshot)
    }

    /// What makes a snapshot ambiguous though it can be read.
    pub fn validate(&self) -> Result<(), Error> {
        unique("machines", self.machines.iter().map(|m| &m.metadata))?;
        unique("machineDeployments", self.machine_deployments.iter().map(|m| &m.metadata))?;
        unique("machineSets", self.machine_sets.iter().map(|m| &m.metadata))?;
        unique("nodes", self.nodes.iter().map(|n| &n.metadata))
    }

    /// Which object is evaluated.
    pub fn kind(&self) -> Result<Kind, Error> {
        let present = |kind: &Kind| match kind {
            Kind::MachineHealthCheck => self.machine_health_check.is_some(),
            Kind::MachineDeployment => self.machine_deployment.is_some(),
            Kind::MachineSet => self.machine_set.is_some(),
            Kind::KubeadmControlPlane => self.kubeadm_control_plane.is_some(),
            Kind::Machine => self.machine.is_some(),
            Kind::Cluster => self.cluster.is_some(),
        };
        match self.kind {
            Some(kind) if present(&kind) => Ok(kind),
            Some(kind) => Err(Error::expected(kind.field(), &format!("the {kind} to evaluate"), "none")),
            None => Kind::ALL.iter().copied().find(present).ok_or_else(|| {
                let fields: Vec<_> = Kind::ALL.iter().map(|kind| kind.field()).collect();
                Error::expected("snapshot", &format!("an object in one of {}", fields.join(", ")), "none")
            }),
        }
    }
}

fn unique<'m, 'a: 'm>(list: &str, items: impl Iterator<Item = &'m Metadata<'a>>) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    for (i, metadata) in items.enumerate() {
        if !seen.insert((&*metadata.namespace, &*metadata.name)) {
            let path = format!("{list}[{i}].metadata.name");
            return Err(Error::expected(path, "a unique name", format_args!("{:?} again", &*metadata.name)));
        }
    }
    Ok(())
}

/// Bounds size and depth before anything is built.
pub(crate) fn check_size(text: &str) -> Result<(), Error> {
    if text.len() > MAX_BYTES {
        return Err(Error::TooLarge { bytes: text.len(), limit: MAX_BYTES });
    }
    let mut depth = 0_usize;
    let mut rest = text.as_bytes();
    while let Some((byte, tail)) = rest.split_first() {
        rest = tail;
        match byte {
            b'"' => rest = after_string(tail),
            b'{' | b'[' => {
                depth = depth.saturating_add(1);
                if depth > MAX_DEPTH {
                    return Err(Error::TooDeep { limit: MAX_DEPTH, at: text.len().saturating_sub(tail.len()) });
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

/// What follows the end of a string that has just begun. Most of a snapshot is inside strings.
fn after_string(mut text: &[u8]) -> &[u8] {
    while let Some(at) = memchr::memchr2(b'"', b'\\', text) {
        let (escaped, next) = (text.get(at) == Some(&b'\\'), at.saturating_add(1));
        text = text.get(if escaped { next.saturating_add(1) } else { next }..).unwrap_or_default();
        if !escaped {
            return text;
        }
    }
    &[]
}

/// Turns a parser's error into one with a path. Reads the text a second time, which only failures pay for.
pub(crate) fn locate(text: &str, error: &serde_json::Error) -> Error {
    if error.is_syntax() || error.is_eof() {
        return Error::Syntax { detail: error.to_string() };
    }
    let path = path_at(text, error.line(), error.column());
    let path = if path.is_empty() { "snapshot".to_owned() } else { path };
    Error::Invalid { path, detail: expected_then_found(&error.to_string()) }
}

/// `invalid type: integer `5`, expected a string at line 1 column 9` as `expected a string, found integer `5` (line 1 column 9)`.
fn expected_then_found(message: &str) -> String {
    let (message, position) = match message.rsplit_once(" at line ") {
        Some((message, position)) => (message, format!(" (line {position})")),
        None => (message, String::new()),
    };
    let found = ["invalid type: ", "invalid value: "].iter().find_map(|prefix| message.strip_prefix(prefix));
    match found.and_then(|rest| rest.rsplit_once(", expected ")) {
        Some((found, expected)) => {
            let found = found.strip_prefix("string ").unwrap_or(found);
            format!("expected {expected}, found {found}{position}")
        }
        None => format!("{message}{position}"),
    }
}
