// Objects as an API server would list them.
import { readFileSync } from "node:fs";
import { parse } from "yaml";

const text = (file) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

/** The objects of the repository's example fleet, and the moment that it is about. */
export const exampleFleet = () => parse(text("examples/fleet.yaml")).items;
export const EXAMPLE_NOW = /--now (\S+Z)/.exec(text("examples/fleet.yaml"))[1];

/** Whether the README's `kubectl get` would have read an object. */
const README_KINDS = /^kubectl get (\S+) -A/m.exec(text("README.md"))[1].split(",");
export const isOfReadme = ({ kind }) => README_KINDS.includes(`${kind.toLowerCase()}s`);

export const NOW = "2025-06-01T12:00:00Z";

const condition = (type, status, lastTransitionTime) => ({ type, status, reason: type, message: "", lastTransitionTime });
const object = (kind, metadata, rest) => ({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind,
  metadata: { namespace: "default", ...metadata },
  ...rest,
});
const owner = (kind, name) => [{ apiVersion: "cluster.x-k8s.io/v1beta2", kind, name, uid: name, controller: true }];

/** A cluster with a deployment of three machines, one of them with a Node that went down two minutes before noon. */
export function cluster() {
  const labels = { "cluster.x-k8s.io/cluster-name": "c1", pool: "a" };
  const old = "2025-05-01T00:00:00Z";
  const machine = (name) =>
    object(
      "Machine",
      { name, labels, creationTimestamp: old, ownerReferences: owner("MachineSet", "md-1-x") },
      {
        spec: { clusterName: "c1" },
        status: {
          nodeRef: { name: `node-${name}` },
          conditions: [condition("InfrastructureReady", "True", old), condition("Ready", "True", old)],
        },
      },
    );
  const node = (name, ready, since) => ({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name },
    status: { conditions: [condition("Ready", ready, since)] },
  });
  return [
    object(
      "MachineHealthCheck",
      { name: "hc", generation: 1 },
      {
        spec: {
          clusterName: "c1",
          selector: { matchLabels: { pool: "a" } },
          checks: { unhealthyNodeConditions: [{ type: "Ready", status: "False", timeoutSeconds: 300 }] },
          remediation: { triggerIf: { unhealthyLessThanOrEqualTo: "40%" } },
        },
        // Without it, Cluster API would write this condition first and judge nothing.
        status: { conditions: [{ ...condition("Paused", "False", old), reason: "NotPaused", observedGeneration: 1 }] },
      },
    ),
    object(
      "Cluster",
      { name: "c1" },
      { status: { conditions: [condition("InfrastructureReady", "True", old), condition("ControlPlaneInitialized", "True", old)] } },
    ),
    object("MachineDeployment", { name: "md-1", labels, generation: 2 }, { spec: { clusterName: "c1", replicas: 3 } }),
    object(
      "MachineSet",
      { name: "md-1-x", labels, ownerReferences: owner("MachineDeployment", "md-1") },
      { spec: { clusterName: "c1", replicas: 3 }, status: { replicas: 3 } },
    ),
    ...["m1", "m2", "m3"].map(machine),
    node("node-m1", "True", old),
    node("node-m2", "False", "2025-06-01T11:58:00Z"),
    node("node-m3", "True", old),
  ];
}

/** The snapshot that the page should make of them for one object. */
export function snapshotFor(kind, now = NOW) {
  const objects = cluster();
  const all = (kind) => objects.filter((object) => object.kind === kind);
  const one = (kind) => all(kind)[0];
  const common = { kind, now, cluster: one("Cluster") };
  switch (kind) {
    case "MachineHealthCheck":
      return { ...common, machineHealthCheck: one(kind), machines: all("Machine"), nodes: all("Node") };
    case "MachineDeployment":
      return { ...common, machineDeployment: one(kind), machineSets: all("MachineSet"), machines: all("Machine") };
    case "MachineSet":
      return { ...common, machineSet: one(kind), machines: all("Machine") };
    case "Machine":
      return {
        ...common,
        machine: one(kind),
        owningMachineSet: one("MachineSet"),
        owningMachineDeployment: one("MachineDeployment"),
        node: one("Node"),
      };
    case "Cluster":
      return { ...common, machineDeployments: all("MachineDeployment"), machineSets: all("MachineSet"), machines: all("Machine") };
  }
}
