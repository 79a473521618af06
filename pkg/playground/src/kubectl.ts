/** Commands to copy. They only read. */
import type { Unread } from "./protocol";

/** The kinds of Cluster API that the policy reads, as kubectl names them without doubt. */
const KINDS: [string, string][] = [
  ["cluster.x-k8s.io", "Cluster"],
  ["controlplane.cluster.x-k8s.io", "KubeadmControlPlane"],
  ["cluster.x-k8s.io", "MachineDeployment"],
  ["cluster.x-k8s.io", "MachineSet"],
  ["cluster.x-k8s.io", "Machine"],
  ["cluster.x-k8s.io", "MachineHealthCheck"],
];

/** The command that reads a management cluster. JSON, because it is read a hundred times faster than YAML. */
export function readCommand(): string {
  return `kubectl get ${KINDS.map(([group, kind]) => resource(group, kind)).join(",")} -A -o json`;
}

/** The commands that read what is missing: from the management cluster, and Nodes from each workload cluster. */
export function missingCommands({ kinds }: Unread): string[] {
  const management = kinds.filter(({ workloadCluster }) => workloadCluster === undefined).map(({ group, kind }) => resource(group, kind));
  const nodes = kinds.flatMap(({ workloadCluster }) => (workloadCluster ? [nodeCommand(workloadCluster)] : []));
  return [...(management.length > 0 ? [`kubectl get ${management.join(",")} -A -o json`] : []), ...nodes];
}

/** The command that reads objects in the version that the policy reads. */
export function versionCommand({ outdated }: Unread): string {
  const resources = new Set(outdated.map(({ group, kind }) => resource(`v1beta2.${group}`, kind)));
  return `kubectl get ${[...resources].join(",")} -A -o json`;
}

function nodeCommand({ namespace = "default", name }: { namespace?: string; name: string }): string {
  return `kubectl get nodes -o json --kubeconfig <(clusterctl get kubeconfig ${name} -n ${namespace})`;
}

/** `machines.cluster.x-k8s.io`. */
function resource(group: string, kind: string): string {
  const word = kind.toLowerCase();
  const plural = word.endsWith("s") ? `${word}es` : word.endsWith("y") ? `${word.slice(0, -1)}ies` : `${word}s`;
  return group === "" ? plural : `${plural}.${group}`;
}
