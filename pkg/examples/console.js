// Snapshots in, views out: evaluate each object, show them all, and look at one closely.
import { catalog, evaluate, forecast, init } from "../dist/index.js";
import "../dist/elements/index.js";

const NOW = "2025-06-01T12:00:00Z";
const ready = (status, since) => ({ type: "Ready", status, reason: "Ready", message: "", lastTransitionTime: since });
const old = "2025-05-01T00:00:00Z";
const cluster = {
  metadata: { name: "prod", namespace: "default" },
  status: {
    conditions: ["InfrastructureReady", "ControlPlaneInitialized"].map((type) => ({
      type,
      status: "True",
      reason: type,
      message: "",
      lastTransitionTime: old,
    })),
  },
};
const machine = (name) => ({
  metadata: { name, namespace: "default", creationTimestamp: old, labels: { "cluster.x-k8s.io/cluster-name": "prod", pool: "workers" } },
  spec: { clusterName: "prod" },
  status: {
    nodeRef: { name },
    conditions: [{ type: "InfrastructureReady", status: "True", reason: "Ready", message: "", lastTransitionTime: old }],
  },
});
const node = (name, status, since) => ({ metadata: { name }, status: { conditions: [ready(status, since)] } });

const machines = ["m1", "m2", "m3"].map(machine);
const nodes = [node("m1", "True", old), node("m2", "False", "2025-06-01T11:58:00Z"), node("m3", "True", old)];
const common = { now: NOW, explain: true, cluster };
const snapshots = [
  {
    ...common,
    machineHealthCheck: {
      metadata: { name: "workers", namespace: "default" },
      spec: {
        clusterName: "prod",
        selector: { matchLabels: { pool: "workers" } },
        checks: { unhealthyNodeConditions: [{ type: "Ready", status: "False", timeoutSeconds: 300 }] },
        remediation: { triggerIf: { unhealthyLessThanOrEqualTo: "40%" } },
      },
    },
    machines,
    nodes,
  },
  ...machines.map((each, i) => ({ ...common, machine: each, node: nodes[i] })),
];

await init();
const tables = catalog();
const decided = snapshots.map((snapshot) => ({ snapshot, evaluation: evaluate(snapshot) }));
const view = (name) => document.querySelector(`capi-${name}`);

function show({ snapshot, evaluation }) {
  document.querySelector("#name").textContent = `${evaluation.kind} ${evaluation.namespace}/${evaluation.name}`;
  view("overview").selected = evaluation;
  view("threshold").threshold = evaluation.threshold;
  Object.assign(view("conditions"), { catalog: tables, evaluation });
  view("timeline").forecast = forecast(snapshot, "2025-06-02T12:00:00Z");
}

view("overview").evaluations = decided.map(({ evaluation }) => evaluation);
view("overview").addEventListener("capi-select", ({ detail: { kind, name } }) => {
  show(decided.find(({ evaluation }) => evaluation.kind === kind && evaluation.name === name));
});
show(decided[0]);
