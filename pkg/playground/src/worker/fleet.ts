/** A number in, a fleet of so many machines out, as lists of objects: what the page is measured with. */

const CLUSTER = "fleet";
const START = Date.parse("2025-06-01T12:00:00Z");

const moment = (secondsBefore: number): string => new Date(START - secondsBefore * 1000).toISOString().replace(".000Z", "Z");
const condition = (type: string, status: string, secondsBefore: number): object => ({
  type,
  status,
  reason: type,
  message: "",
  lastTransitionTime: moment(secondsBefore),
});

/** An object as an item of a list, one line per field: JSON, which is YAML too. */
const item = (object: object): string =>
  `- {${Object.entries(object)
    .map(([field, value]) => `"${field}": ${JSON.stringify(value)}`)
    .join(",\n   ")}}`;

/** The text of a snapshot with this many machines; every 50th has a Node that is not ready. */
export function fleet(machines: number): string {
  const lines = [
    `# ${machines} machines. One in fifty has a Node that went down within the last five minutes.`,
    `now: ${moment(0)}`,
    "machineHealthCheck:",
    "  metadata: { name: workers, namespace: default, generation: 1 }",
    "  spec:",
    `    clusterName: ${CLUSTER}`,
    "    selector: { matchLabels: { pool: workers } }",
    "    checks:",
    "      unhealthyNodeConditions:",
    '        - { type: Ready, status: "False", timeoutSeconds: 300 }',
    "        - { type: Ready, status: Unknown, timeoutSeconds: 300 }",
    '    remediation: { triggerIf: { unhealthyLessThanOrEqualTo: "5%" } }',
    `  status: { conditions: ${JSON.stringify([{ ...condition("Paused", "False", 1e6), reason: "NotPaused", observedGeneration: 1 }])} }`,
    "cluster:",
    `  metadata: { name: ${CLUSTER}, namespace: default }`,
    `  status: { conditions: ${JSON.stringify([condition("InfrastructureReady", "True", 1e6), condition("ControlPlaneInitialized", "True", 1e6)])} }`,
    "machines:",
  ];
  const name = (i: number): string => `workers-${String(i).padStart(5, "0")}`;
  for (let i = 0; i < machines; i++) {
    lines.push(
      item({
        metadata: {
          name: name(i),
          namespace: "default",
          creationTimestamp: moment(9e5),
          labels: { "cluster.x-k8s.io/cluster-name": CLUSTER, pool: "workers" },
          ownerReferences: [{ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "MachineSet", name: "workers", uid: "1", controller: true }],
        },
        spec: { clusterName: CLUSTER },
        status: {
          nodeRef: { name: name(i) },
          conditions: [condition("InfrastructureReady", "True", 8e5), condition("Ready", "True", 8e5)],
        },
      }),
    );
  }
  lines.push("nodes:");
  for (let i = 0; i < machines; i++) {
    const down = i % 50 === 49;
    const since = down ? Math.round((i / machines) * 20) * 15 : 8e5;
    lines.push(item({ metadata: { name: name(i) }, status: { conditions: [condition("Ready", down ? "False" : "True", since)] } }));
  }
  return `${lines.join("\n")}\n`;
}
