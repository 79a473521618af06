/** The kinds that can be evaluated. */
export type Kind =
  "MachineHealthCheck" | "MachineDeployment" | "MachineSet" | "KubeadmControlPlane" | "MachinePool" | "Machine" | "Cluster";

/** Which rules apply where the documents and Cluster API differ. */
export type Profile = "documented" | "cluster-api" | "cluster-api-v1.13" | "cluster-api-v1.14";

/** A Kubernetes object as the API server serves it. Fields that no rule reads are ignored. */
export interface KubernetesObject {
  apiVersion?: string;
  kind?: string;
  metadata?: Metadata;
  spec?: unknown;
  status?: unknown;
  [field: string]: unknown;
}

/** An object's metadata. */
export interface Metadata {
  name?: string;
  namespace?: string;
  uid?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string | null;
  labels?: Record<string, string> | null;
  annotations?: Record<string, string> | null;
  ownerReferences?: OwnerReference[] | null;
  [field: string]: unknown;
}

/** A reference to an owner. */
export interface OwnerReference {
  apiVersion?: string;
  kind?: string;
  name?: string;
  uid?: string;
  controller?: boolean;
  [field: string]: unknown;
}

/** What is evaluated: one object with everything its decisions read. */
export interface Snapshot {
  /** Which object is evaluated; found from the objects when absent. */
  kind?: Kind | null;
  /** The time of the evaluation, RFC 3339. */
  now: string;
  /** Which rules apply; `documented` when absent. */
  profile?: Profile | null;
  /** Whether the evaluation says how each decision was made. */
  explain?: boolean;

  machineHealthCheck?: KubernetesObject | null;
  machineDeployment?: KubernetesObject | null;
  machineSet?: KubernetesObject | null;
  kubeadmControlPlane?: KubernetesObject | null;
  machinePool?: KubernetesObject | null;
  machine?: KubernetesObject | null;
  cluster?: KubernetesObject | null;

  clusterClass?: KubernetesObject | null;
  infraCluster?: KubernetesObject | null;
  controlPlane?: KubernetesObject | null;
  /** The bootstrap template of a MachineSet. */
  bootstrapTemplate?: KubernetesObject | null;
  bootstrapConfig?: KubernetesObject | null;
  infraMachine?: KubernetesObject | null;
  /** The infrastructure of a MachinePool. */
  infraMachinePool?: KubernetesObject | null;
  node?: KubernetesObject | null;
  owningMachineSet?: KubernetesObject | null;
  owningMachineDeployment?: KubernetesObject | null;
  machineDeployments?: KubernetesObject[] | null;
  machinePools?: KubernetesObject[] | null;
  machineSets?: KubernetesObject[] | null;
  /** The other MachineSets of a MachineSet's MachineDeployment. */
  otherMachineSets?: KubernetesObject[] | null;
  machines?: KubernetesObject[] | null;
  nodes?: KubernetesObject[] | null;
  /** The static Pods of a control plane; absent when they were not read. */
  pods?: KubernetesObject[] | null;
  kubeadmConfigs?: KubernetesObject[] | null;
  infraMachines?: KubernetesObject[] | null;
  remediationTemplate?: KubernetesObject | null;
  remediationRequests?: KubernetesObject[] | null;

  /** What the host could and could not read; absent: it read everything. */
  observed?: Observed | null;
}

/** What the host could and could not read, and what it found out on the way. */
export interface Observed {
  machineSetsListed?: boolean;
  machinesListed?: boolean;
  descendantsListed?: boolean;
  clusterFound?: boolean;
  workloadClusterConnected?: boolean;
  nodeReadErrors?: string[] | null;
  nodeGetError?: string;
  remediationRequestCreateFails?: boolean;
  bootstrapTemplateNotFound?: boolean;
  infrastructureTemplateNotFound?: boolean;
  scaleUpPreflightCheckErrMessages?: string[] | null;
  bootstrapConfigNotFound?: boolean | null;
  infraMachineNotFound?: boolean | null;
  infraClusterNotFound?: boolean | null;
  controlPlaneNotFound?: boolean | null;
  controlPlaneContractVersion?: string;
  featureGates?: { clusterTopology?: boolean; inPlaceUpdates?: boolean; machineSetPreflightChecks?: boolean };
  preflightChecks?: string[] | null;
  etcdAlarms?: { memberID: string; type: string }[] | null;
  etcdLeaderID?: string | null;
  nodeListFails?: boolean;
  workloadClientFails?: boolean;
  moveEtcdLeadershipFails?: string[] | null;
  removeEtcdMemberFails?: boolean;
  machinesNotUpToDate?: { machine: string; eligibleForInPlaceUpdate?: boolean; canUpdateInPlace?: boolean }[] | null;
  machinesNotCompared?: string[] | null;
  canUpdateInPlace?: string[] | null;
  canUpdateInPlaceFails?: string[] | null;
  machineDeleteFails?: string[] | null;
  deletingReason?: string;
  deletingMessage?: string;
  updatingReason?: string;
  updatingMessage?: string;
  [fact: string]: unknown;
}
