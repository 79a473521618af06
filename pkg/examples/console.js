// Objects in, views out: the policy's fleet finds out how they relate; show them all, and look at one closely.
import { catalog, Fleet, init } from "../dist/index.js";
import "../dist/elements/index.js";

const NOW = "2025-06-01T12:00:00Z";
const TOMORROW = "2025-06-02T12:00:00Z";
const OLD = "2025-05-01T00:00:00Z";

const condition = (type, status = "True", since = OLD) => ({ type, status, reason: type, message: "", lastTransitionTime: since });
const object = (kind, name, rest) => ({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind,
  metadata: { name, namespace: "default", creationTimestamp: OLD, ...rest.metadata },
  spec: rest.spec,
  status: rest.status,
});
const machine = (name) =>
  object("Machine", name, {
    metadata: { labels: { "cluster.x-k8s.io/cluster-name": "prod", pool: "workers" } },
    spec: { clusterName: "prod" },
    status: { nodeRef: { name }, conditions: [condition("InfrastructureReady")] },
  });
const node = (name, ...ready) => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name },
  status: { conditions: [condition("Ready", ...ready)] },
});

// A console has these from its API server or its own backend.
const objects = [
  object("Cluster", "prod", { status: { conditions: [condition("InfrastructureReady"), condition("ControlPlaneInitialized")] } }),
  object("MachineHealthCheck", "workers", {
    spec: {
      clusterName: "prod",
      selector: { matchLabels: { pool: "workers" } },
      checks: { unhealthyNodeConditions: [{ type: "Ready", status: "False", timeoutSeconds: 300 }] },
      remediation: { triggerIf: { unhealthyLessThanOrEqualTo: "40%" } },
    },
  }),
  ...["m1", "m2", "m3"].map(machine),
  node("m1"),
  node("m2", "False", "2025-06-01T11:58:00Z"),
  node("m3"),
];

await init();
const tables = catalog();
const fleet = new Fleet();
// Kinds of which there is an object are complete, others were not read.
fleet.assume("presentKindsAreComplete");
for (const each of objects) fleet.upsert(each);

const view = (name) => document.querySelector(`capi-${name}`);

function show({ kind, namespace, name }) {
  const subject = { kind, namespace, name };
  const evaluation = fleet.evaluate(subject, { now: NOW, explain: true });
  document.querySelector("#name").textContent = `${kind} ${namespace}/${name}`;
  view("overview").selected = subject;
  view("threshold").threshold = evaluation.threshold;
  Object.assign(view("conditions"), { catalog: tables, evaluation });
  view("timeline").forecast = fleet.forecast(subject, { now: NOW }, TOMORROW);
}

view("overview").evaluations = fleet.decidable().map((subject) => fleet.evaluate(subject, { now: NOW }));
view("overview").addEventListener("capi-select", ({ detail }) => show(detail));
show({ kind: "MachineHealthCheck", namespace: "default", name: "workers" });
