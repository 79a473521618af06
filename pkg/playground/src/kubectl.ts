/** Commands to copy. */

/** The kinds of Cluster API that the policy reads, as kubectl names them without doubt. */
const KINDS = [
  "clusters.cluster.x-k8s.io",
  "kubeadmcontrolplanes.controlplane.cluster.x-k8s.io",
  "machinedeployments.cluster.x-k8s.io",
  "machinesets.cluster.x-k8s.io",
  "machines.cluster.x-k8s.io",
  "machinehealthchecks.cluster.x-k8s.io",
];

/** The command that reads a management cluster. JSON, because it is read a hundred times faster than YAML. */
export function readCommand(): string {
  return `kubectl get ${KINDS.join(",")} -A -o json`;
}
