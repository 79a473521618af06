//! What the policy reads: the views of `src/view`, written down a second time.

use super::Shape::{self, Any, Flag, Limit, List, Moment, Number, Object, Word};

pub static NAME: Shape = Word(&["a", "b", "c", "", "m0", "m1", "c1", "ms0", "md0"]);
static TEXT: Shape = Word(&["", "something is wrong", "* a\n* b", "Waiting for c"]);
static NAMES: Shape = List(&NAME);
static VERSION: Shape = Word(&["v1.33.1", "v1.33.0-rc.1", "1.32", "v1.33.1+build.5", "latest", ""]);
static STATUS: Shape = Word(&["True", "False", "Unknown", "", "true"]);
static KIND: Shape =
    Word(&["MachineSet", "MachineDeployment", "KubeadmControlPlane", "Cluster", "DockerMachine", "DockerCluster"]);
static CONDITION_TYPE: Shape = Word(&[
    "Ready",
    "Available",
    "UpToDate",
    "HealthCheckSucceeded",
    "OwnerRemediated",
    "Paused",
    "Deleting",
    "Updating",
    "InfrastructureReady",
    "BootstrapConfigReady",
    "NodeReady",
    "NodeHealthy",
    "ControlPlaneInitialized",
    "RemediationAllowed",
    "ExternallyRemediated",
    "RollingOut",
    "ScalingUp",
    "ScalingDown",
    "Remediating",
    "MachinesReady",
    "MachinesUpToDate",
    "ControlPlaneAvailable",
    "WorkersAvailable",
    "RemoteConnectionProbe",
    "TopologyReconciled",
    "EtcdClusterHealthy",
    "ControlPlaneComponentsHealthy",
    "APIServerPodHealthy",
    "ControllerManagerPodHealthy",
    "SchedulerPodHealthy",
    "EtcdPodHealthy",
    "EtcdMemberHealthy",
    "MemoryPressure",
    "DiskPressure",
    "PIDPressure",
    "CertificatesAvailable",
    "Initialized",
    "MachinesCreated",
    "Custom",
]);
static REASON: Shape = Word(&["", "R", "NotReady", "InternalError", "NotDeleting", "WaitingForRemediation"]);

static CONDITION: Shape = Object(&[
    ("type", &CONDITION_TYPE),
    ("status", &STATUS),
    ("reason", &REASON),
    ("message", &TEXT),
    ("lastTransitionTime", &Moment),
    ("observedGeneration", &Number),
]);
static CONDITIONS: Shape = List(&CONDITION);

static OWNER: Shape =
    Object(&[("kind", &KIND), ("name", &NAME), ("uid", &NAME), ("controller", &Flag), ("apiVersion", &NAME)]);
static LABELS: Shape =
    Shape::Map(&["cluster.x-k8s.io/cluster-name", "cluster.x-k8s.io/control-plane", "cluster.x-k8s.io/pool-name", "a"]);
static ANNOTATIONS: Shape = Shape::Map(&[
    "cluster.x-k8s.io/paused",
    "cluster.x-k8s.io/skip-remediation",
    "cluster.x-k8s.io/remediate-machine",
    "in-place-updates.internal.cluster.x-k8s.io/update-in-progress",
    "runtime.cluster.x-k8s.io/pending-hooks",
    "in-place-updates.internal.cluster.x-k8s.io/pending-acknowledge-move",
    "controlplane.cluster.x-k8s.io/remediation-in-progress",
    "controlplane.cluster.x-k8s.io/remediation-for",
    "topology.internal.cluster.x-k8s.io/upgrade-step",
]);
static METADATA: Shape = Object(&[
    ("name", &NAME),
    ("namespace", &NAME),
    ("uid", &NAME),
    ("generation", &Number),
    ("creationTimestamp", &Moment),
    ("deletionTimestamp", &Moment),
    ("labels", &LABELS),
    ("annotations", &ANNOTATIONS),
    ("ownerReferences", &List(&OWNER)),
]);

static REFERENCE: Shape = Object(&[("apiGroup", &NAME), ("kind", &KIND), ("name", &NAME)]);
static GATES: Shape =
    List(&Object(&[("conditionType", &CONDITION_TYPE), ("polarity", &Word(&["Positive", "Negative", ""]))]));
pub static SELECTOR: Shape = Object(&[("matchLabels", &LABELS), ("matchExpressions", &List(&REQUIREMENT))]);
static REQUIREMENT: Shape = Object(&[
    ("key", &Word(&["a", "b", "cluster.x-k8s.io/cluster-name"])),
    ("operator", &Word(&["In", "NotIn", "Exists", "DoesNotExist"])),
    ("values", &NAMES),
]);

static MACHINE_SPEC: Shape = Object(&[
    ("clusterName", &NAME),
    ("version", &VERSION),
    ("bootstrap", &Object(&[("configRef", &REFERENCE), ("dataSecretName", &NAME)])),
    ("infrastructureRef", &REFERENCE),
    ("failureDomain", &NAME),
    ("providerID", &NAME),
    ("minReadySeconds", &Number),
    ("readinessGates", &GATES),
]);
static MACHINE: Shape = Object(&[
    ("metadata", &METADATA),
    ("spec", &MACHINE_SPEC),
    (
        "status",
        &Object(&[
            ("conditions", &CONDITIONS),
            ("nodeRef", &Object(&[("name", &NAME)])),
            ("deletion", &Object(&[("nodeDrainStartTime", &Moment)])),
            ("initialization", &Object(&[("bootstrapDataSecretCreated", &Flag), ("infrastructureProvisioned", &Flag)])),
            ("phase", &NAME),
            ("lastUpdated", &Moment),
        ]),
    ),
]);

static REPLICAS: Shape = Object(&[
    ("conditions", &CONDITIONS),
    ("replicas", &Number),
    ("readyReplicas", &Number),
    ("availableReplicas", &Number),
    ("upToDateReplicas", &Number),
    ("desiredReplicas", &Number),
]);
static ROLLOUT: Shape = Object(&[
    ("after", &Moment),
    (
        "strategy",
        &Object(&[
            ("type", &Word(&["RollingUpdate", "OnDelete"])),
            ("rollingUpdate", &Object(&[("maxSurge", &Limit), ("maxUnavailable", &Limit)])),
        ]),
    ),
]);
static MACHINE_SET: Shape = Object(&[
    ("metadata", &METADATA),
    (
        "spec",
        &Object(&[
            ("replicas", &Number),
            ("selector", &SELECTOR),
            ("template", &Object(&[("spec", &MACHINE_SPEC)])),
            ("rollout", &ROLLOUT),
        ]),
    ),
    ("status", &REPLICAS),
]);

static CONTROL_PLANE: Shape = Object(&[
    ("kind", &KIND),
    ("metadata", &METADATA),
    (
        "spec",
        &Object(&[
            ("replicas", &Number),
            ("machineTemplate", &Object(&[("spec", &Object(&[("infrastructureRef", &REFERENCE)]))])),
            (
                "kubeadmConfigSpec",
                &Object(&[(
                    "clusterConfiguration",
                    &Object(&[(
                        "etcd",
                        &Object(&[(
                            "external",
                            &Object(&[
                                ("endpoints", &NAMES),
                                ("caFile", &NAME),
                                ("certFile", &NAME),
                                ("keyFile", &NAME),
                            ]),
                        )]),
                    )]),
                )]),
            ),
        ]),
    ),
    (
        "status",
        &Object(&[
            ("conditions", &CONDITIONS),
            ("initialization", &Object(&[("controlPlaneInitialized", &Flag)])),
            ("version", &VERSION),
            ("lastRemediation", &Object(&[("machine", &NAME), ("time", &Moment), ("retryCount", &Number)])),
        ]),
    ),
]);

static UNHEALTHY: Shape = List(&Object(&[
    ("type", &CONDITION_TYPE),
    ("status", &STATUS),
    ("timeoutSeconds", &Number),
    ("unhealthyTimeoutSeconds", &Number),
]));
static TEMPLATE_REFERENCE: Shape =
    Object(&[("apiVersion", &NAME), ("kind", &Word(&["RemediationTemplate", "Remediation"])), ("name", &NAME)]);
static HEALTH_CHECK: Shape = Object(&[
    ("metadata", &METADATA),
    (
        "spec",
        &Object(&[
            ("clusterName", &NAME),
            ("selector", &SELECTOR),
            (
                "checks",
                &Object(&[
                    ("nodeStartupTimeoutSeconds", &Number),
                    ("unhealthyNodeConditions", &UNHEALTHY),
                    ("unhealthyMachineConditions", &UNHEALTHY),
                ]),
            ),
            (
                "remediation",
                &Object(&[
                    (
                        "triggerIf",
                        &Object(&[
                            ("unhealthyInRange", &Word(&["[1-3]", "[0-0]", "[3-1]", "[0-4294967295]", "3"])),
                            ("unhealthyLessThanOrEqualTo", &Limit),
                        ]),
                    ),
                    ("templateRef", &TEMPLATE_REFERENCE),
                ]),
            ),
            ("remediationTemplate", &TEMPLATE_REFERENCE),
        ]),
    ),
    (
        "status",
        &Object(&[
            ("conditions", &CONDITIONS),
            ("expectedMachines", &Number),
            ("currentHealthy", &Number),
            ("remediationsAllowed", &Number),
            ("observedGeneration", &Number),
            ("targets", &NAMES),
        ]),
    ),
]);

static CLUSTER: Shape = Object(&[
    ("metadata", &METADATA),
    (
        "spec",
        &Object(&[
            ("paused", &Flag),
            ("infrastructureRef", &REFERENCE),
            ("controlPlaneRef", &REFERENCE),
            ("controlPlaneEndpoint", &Object(&[("host", &NAME), ("port", &Number)])),
            ("topology", &Object(&[("classRef", &Object(&[("name", &NAME)])), ("version", &VERSION)])),
            ("availabilityGates", &GATES),
        ]),
    ),
    (
        "status",
        &Object(&[
            ("conditions", &CONDITIONS),
            ("initialization", &Object(&[("infrastructureProvisioned", &Flag), ("controlPlaneInitialized", &Flag)])),
            ("phase", &NAME),
            ("controlPlane", &REPLICAS),
            ("workers", &REPLICAS),
        ]),
    ),
]);

static EXTERNAL: Shape = Object(&[
    ("apiVersion", &NAME),
    ("kind", &KIND),
    ("metadata", &METADATA),
    ("spec", &Object(&[("replicas", &Number), ("template", &Any)])),
    (
        "status",
        &Object(&[
            ("conditions", &CONDITIONS),
            ("v1beta2", &Object(&[("conditions", &CONDITIONS)])),
            (
                "initialization",
                &Object(&[("provisioned", &Flag), ("controlPlaneInitialized", &Flag), ("dataSecretCreated", &Flag)]),
            ),
            ("ready", &Flag),
            ("initialized", &Flag),
            ("externalManagedControlPlane", &Flag),
            ("replicas", &Number),
            ("readyReplicas", &Number),
            ("version", &VERSION),
        ]),
    ),
]);
static NODE: Shape = Object(&[("metadata", &METADATA), ("status", &Object(&[("conditions", &CONDITIONS)]))]);

pub static OBSERVED: Shape = Object(&[
    ("machineSetsListed", &Flag),
    ("machinesListed", &Flag),
    ("clusterFound", &Flag),
    ("workloadClusterConnected", &Flag),
    ("nodeReadErrors", &NAMES),
    ("remediationRequestCreateFails", &Flag),
    ("bootstrapTemplateNotFound", &Flag),
    ("infrastructureTemplateNotFound", &Flag),
    ("scaleUpPreflightCheckErrMessages", &List(&TEXT)),
    ("bootstrapConfigNotFound", &Flag),
    ("infraMachineNotFound", &Flag),
    ("infraClusterNotFound", &Flag),
    ("controlPlaneNotFound", &Flag),
    ("controlPlaneContractVersion", &Word(&["v1beta1", "v1beta2"])),
    ("descendantsListed", &Flag),
    ("nodeGetError", &TEXT),
    (
        "healthCheckingState",
        &Object(&[("lastProbeTime", &Moment), ("lastProbeSuccessTime", &Moment), ("consecutiveFailures", &Number)]),
    ),
    ("remoteConditionsGracePeriodSeconds", &Number),
    ("remoteConnectionGracePeriodSeconds", &Number),
    (
        "preflightCheckResults",
        &Object(&[
            ("hasDeletingMachine", &Flag),
            ("certificateMissing", &Flag),
            ("controlPlaneComponentsNotHealthy", &Flag),
            ("etcdClusterNotHealthy", &Flag),
            ("topologyVersionMismatch", &Flag),
        ]),
    ),
    ("etcdMembers", &List(&Object(&[("name", &NAME), ("isLearner", &Flag)]))),
    ("etcdMembersAndMachinesAreMatching", &Flag),
    ("hasKubeadmConfig", &NAME),
    ("deletingReason", &REASON),
    ("deletingMessage", &TEXT),
    ("updatingReason", &REASON),
    ("updatingMessage", &TEXT),
]);

/// Everything a snapshot may have beside `kind`, `now`, `profile` and `explain`.
pub static SNAPSHOT: &[(&str, &Shape)] = &[
    ("machines", &List(&MACHINE)),
    ("machineSets", &List(&MACHINE_SET)),
    ("machineDeployments", &List(&MACHINE_SET)),
    ("nodes", &List(&NODE)),
    ("observed", &OBSERVED),
    ("machineHealthCheck", &HEALTH_CHECK),
    ("machineDeployment", &MACHINE_SET),
    ("machineSet", &MACHINE_SET),
    ("kubeadmControlPlane", &CONTROL_PLANE),
    ("machine", &MACHINE),
    ("cluster", &CLUSTER),
    ("clusterClass", &Object(&[("spec", &Object(&[("availabilityGates", &GATES)]))])),
    ("infraCluster", &EXTERNAL),
    ("controlPlane", &EXTERNAL),
    ("bootstrapConfig", &EXTERNAL),
    ("infraMachine", &EXTERNAL),
    ("node", &NODE),
    ("owningMachineSet", &MACHINE_SET),
    ("owningMachineDeployment", &MACHINE_SET),
    ("remediationTemplate", &EXTERNAL),
    ("remediationRequests", &List(&EXTERNAL)),
];
