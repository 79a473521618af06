//! Cluster.

use super::{Conditions, Gate, ObjectRef, Str, VersionCount};
use capi_policy_json::fields;

kind!(Cluster: Spec<'a>, Status<'a>);

fields! {
    /// `spec` of a Cluster.
    pub struct Spec<'a> {
        "paused" => paused: bool,
        "infrastructureRef" => infrastructure_ref: ObjectRef<'a>,
        "controlPlaneRef" => control_plane_ref: ObjectRef<'a>,
        "controlPlaneEndpoint" => control_plane_endpoint: Endpoint<'a>,
        "topology" => topology: Topology<'a>,
        /// Those of the ClusterClass apply when there is no such list.
        "availabilityGates" => availability_gates: Option<Vec<Gate<'a>>>,
    }

    /// `spec.controlPlaneEndpoint` of a Cluster.
    pub struct Endpoint<'a> {
        "host" => host: Str<'a>,
        "port" => port: i64,
    }

    /// `spec.topology` of a Cluster: the two fields that every topology has.
    pub struct Topology<'a> {
        "classRef" => class_ref: ClassRef<'a>,
        "version" => version: Str<'a>,
    }

    /// `spec.topology.classRef` of a Cluster.
    pub struct ClassRef<'a> {
        "name" => name: Str<'a>,
        /// The Cluster's own where absent.
        "namespace" => namespace: Str<'a>,
    }

    /// `status` of a Cluster.
    pub struct Status<'a> {
        "conditions" => conditions: Conditions<'a>,
        "initialization" => initialization: Initialization,
        "phase" => phase: Str<'a>,
        "failureDomains" => failure_domains: Vec<FailureDomain<'a>>,
        "controlPlane" => control_plane: Counters<'a>,
        "workers" => workers: Counters<'a>,
    }

    /// One entry of `status.failureDomains` of a Cluster.
    pub struct FailureDomain<'a> {
        "name" => name: Str<'a>,
        /// Whether control-plane machines may be there.
        "controlPlane" => control_plane: bool,
    }

    /// `status.initialization` of a Cluster.
    pub struct Initialization {
        "infrastructureProvisioned" => infrastructure_provisioned: bool,
        "controlPlaneInitialized" => control_plane_initialized: bool,
    }

    /// `status.controlPlane` or `status.workers` of a Cluster.
    pub struct Counters<'a> {
        "desiredReplicas" => desired_replicas: Option<i64>,
        "replicas" => replicas: Option<i64>,
        "readyReplicas" => ready_replicas: Option<i64>,
        "availableReplicas" => available_replicas: Option<i64>,
        "upToDateReplicas" => up_to_date_replicas: Option<i64>,
        "versions" => versions: Vec<VersionCount<'a>>,
    }
}

impl Topology<'_> {
    /// Whether the Cluster is made from a ClusterClass.
    pub fn is_defined(&self) -> bool {
        !(self.class_ref.name.is_empty() && self.version.is_empty())
    }
}

impl Endpoint<'_> {
    /// Whether both parts are known.
    pub fn is_valid(&self) -> bool {
        !self.host.is_empty() && self.port != 0
    }
}
