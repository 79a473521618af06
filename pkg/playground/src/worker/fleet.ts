/** A fleet of any size, as a list of objects: what the page is measured with. */

/** The moment that it is about. */
export const FLEET_NOW = "2025-06-01T12:00:00Z";

const CLUSTER = "fleet";
const POOL = "workers";

const moment = (secondsBefore: number): string =>
  new Date(Date.parse(FLEET_NOW) - secondsBefore * 1000).toISOString().replace(".000Z", "Z");
const condition = (type: string, status: string, secondsBefore: number, reason = type): object => ({
  type,
  status,
  reason,
  message: "",
  lastTransitionTime: moment(secondsBefore),
});
const labels = { "cluster.x-k8s.io/cluster-name": CLUSTER, "cluster.x-k8s.io/deployment-name": POOL, pool: POOL };
const ownedBy = (kind: string): object[] => [
  { apiVersion: "cluster.x-k8s.io/v1beta2", kind, name: POOL, uid: `${kind}-1`, controller: true },
];

/** An object as an item of a list, one line per field: JSON, which is YAML too. */
function item(kind: string, metadata: object, rest: object): string {
  const object = {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind,
    metadata: { namespace: "default", uid: `${kind}-1`, creationTimestamp: moment(9e5), generation: 1, ...metadata },
    ...rest,
  };
  const fields = Object.entries(object).map(([field, value]) => `"${field}": ${JSON.stringify(value)}`);
  return `- {${fields.join(",\n   ")}}`;
}

/** The text of a fleet with this many machines; every 50th has a Node that is not ready. */
export function fleet(machines: number): string {
  const names = Array.from({ length: machines }, (_, i) => `${POOL}-${String(i).padStart(5, "0")}`);
  return [
    `# ${machines} machines. One in fifty has a Node that went down within the last five minutes.`,
    "apiVersion: v1",
    "kind: List",
    "items:",
    ...frame(machines),
    ...names.map(machine),
    ...names.map(node),
    "",
  ].join("\n");
}

/** Everything but machines and Nodes. */
function frame(replicas: number): string[] {
  const template = { metadata: { labels }, spec: { clusterName: CLUSTER } };
  const pool = { clusterName: CLUSTER, replicas, selector: { matchLabels: { pool: POOL } }, template };
  const status = { replicas, readyReplicas: replicas, availableReplicas: replicas, upToDateReplicas: replicas, observedGeneration: 1 };
  return [
    item(
      "MachineHealthCheck",
      { name: POOL },
      {
        spec: {
          clusterName: CLUSTER,
          selector: { matchLabels: { pool: POOL } },
          checks: { unhealthyNodeConditions: ["False", "Unknown"].map((status) => ({ type: "Ready", status, timeoutSeconds: 300 })) },
          remediation: { triggerIf: { unhealthyLessThanOrEqualTo: "5%" } },
        },
        // Without it, Cluster API would write this condition first and check nothing.
        status: { conditions: [{ ...condition("Paused", "False", 8e5, "NotPaused"), observedGeneration: 1 }] },
      },
    ),
    item(
      "Cluster",
      { name: CLUSTER },
      { spec: {}, status: { conditions: ["InfrastructureReady", "ControlPlaneInitialized"].map((type) => condition(type, "True", 8e5)) } },
    ),
    item("MachineDeployment", { name: POOL, labels }, { spec: pool, status }),
    item("MachineSet", { name: POOL, labels, ownerReferences: ownedBy("MachineDeployment") }, { spec: pool, status }),
  ];
}

const FINE = ["Available", "Ready", "UpToDate", "BootstrapConfigReady", "InfrastructureReady", "NodeHealthy", "NodeReady"];

function machine(name: string): string {
  return item(
    "Machine",
    { name, uid: name, labels, ownerReferences: ownedBy("MachineSet") },
    {
      spec: { clusterName: CLUSTER, bootstrap: { dataSecretName: name } },
      status: {
        nodeRef: { name },
        initialization: { infrastructureProvisioned: true, bootstrapDataSecretCreated: true },
        conditions: FINE.map((type) => condition(type, "True", 8e5)),
      },
    },
  );
}

function node(name: string, i: number, names: string[]): string {
  const down = i % 50 === 49;
  const since = down ? Math.round((i / names.length) * 20) * 15 : 8e5;
  const conditions = [
    condition("Ready", down ? "False" : "True", since),
    ...["MemoryPressure", "DiskPressure", "PIDPressure"].map((type) => condition(type, "False", 8e5)),
  ];
  const annotations = { "cluster.x-k8s.io/cluster-name": CLUSTER, "cluster.x-k8s.io/cluster-namespace": "default" };
  return `- ${JSON.stringify({ apiVersion: "v1", kind: "Node", metadata: { name, annotations }, status: { conditions } })}`;
}
