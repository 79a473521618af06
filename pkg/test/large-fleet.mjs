// A management cluster with thousands of machines, as `kubectl get -A -o yaml` prints it.
const OLD = "2026-01-01T00:00:00Z";
const CLUSTER = "prod";
const POOL = "prod-md-0";
const SET = `${POOL}-x7k2p`;
const GROUP = "cluster.x-k8s.io/v1beta2";

const condition = (type, status = "True", reason = type) => ({
  lastTransitionTime: OLD,
  message: "",
  observedGeneration: 1,
  reason,
  status,
  type,
});
const object = (kind, name, metadata, spec, status) => ({
  apiVersion: GROUP,
  kind,
  metadata: {
    creationTimestamp: OLD,
    generation: 1,
    name,
    namespace: "default",
    resourceVersion: "1000001",
    uid: `${kind}-${name}`,
    ...metadata,
  },
  spec: { clusterName: CLUSTER, ...spec },
  status,
});
const ownedBy = (kind, name) => [{ apiVersion: GROUP, blockOwnerDeletion: true, controller: true, kind, name, uid: `${kind}-${name}` }];
const labels = {
  "cluster.x-k8s.io/cluster-name": CLUSTER,
  "cluster.x-k8s.io/deployment-name": POOL,
  "cluster.x-k8s.io/set-name": SET,
  "machine-template-hash": "123456789-x7k2p",
  pool: "workers",
};
const FINE = "Available Ready UpToDate BootstrapConfigReady InfrastructureReady NodeHealthy NodeReady HealthCheckSucceeded".split(" ");
const OFF = ["Deleting", "Paused", "Updating"];

function machine(name) {
  const reference = (group, kind) => ({ apiGroup: `${group}.cluster.x-k8s.io`, kind, name });
  return object(
    "Machine",
    name,
    { annotations: { note: "" }, finalizers: ["machine.cluster.x-k8s.io"], labels, ownerReferences: ownedBy("MachineSet", SET) },
    {
      bootstrap: { configRef: reference("bootstrap", "KubeadmConfig"), dataSecretName: name },
      deletion: { nodeDeletionTimeoutSeconds: 10 },
      infrastructureRef: reference("infrastructure", "DockerMachine"),
      providerID: `docker:////${name}`,
      version: "v1.34.0",
    },
    {
      addresses: ["InternalIP", "ExternalIP", "InternalDNS"].map((type) => ({ address: "172.18.0.7", type })),
      conditions: [...FINE.map((type) => condition(type)), ...OFF.map((type) => condition(type, "False", `Not${type}`))],
      initialization: { bootstrapDataSecretCreated: true, infrastructureProvisioned: true },
      nodeInfo: {
        architecture: "amd64",
        bootID: "9d4e5a0c-c1a5-4e85-b7b7-b4b0c1f2e3d4",
        containerRuntimeVersion: "containerd://2.1.3",
        kernelVersion: "6.8.0-45-generic",
        kubeletVersion: "v1.34.0",
        machineID: "8f1d0e2c3b4a59687776655443322110",
        operatingSystem: "linux",
        osImage: "Debian GNU/Linux 12 (bookworm)",
        systemUUID: "d2f1f7a0-5b6c-4a7d-9e8f-001122334455",
      },
      nodeRef: { name },
      observedGeneration: 1,
      phase: "Running",
    },
  );
}

/** The list. */
export function largeFleet(machines) {
  const names = Array.from({ length: machines }, (_, i) => `${SET}-${String(i).padStart(5, "0")}`);
  const pool = { replicas: machines, selector: { matchLabels: { pool: "workers" } } };
  const items = [
    object("Cluster", CLUSTER, {}, {}, { conditions: [condition("InfrastructureReady"), condition("ControlPlaneInitialized")] }),
    object(
      "MachineHealthCheck",
      "workers",
      {},
      {
        selector: { matchLabels: { pool: "workers" } },
        checks: { unhealthyNodeConditions: [{ type: "Ready", status: "False", timeoutSeconds: 300 }] },
        remediation: { triggerIf: { unhealthyLessThanOrEqualTo: "40%" } },
      },
      { conditions: [condition("Paused", "False", "NotPaused")] },
    ),
    object("MachineDeployment", POOL, { labels }, pool, { replicas: machines }),
    object("MachineSet", SET, { labels, ownerReferences: ownedBy("MachineDeployment", POOL) }, pool, { replicas: machines }),
    ...names.map(machine),
  ];
  return { apiVersion: "v1", items, kind: "List", metadata: { resourceVersion: "" } };
}
