import type { KubernetesObject, Profile } from "./snapshot.js";

/** The decision about one object. Fields that hold nothing are absent. */
export interface Evaluation {
  kind: string;
  namespace: string;
  name: string;
  profile: Profile;
  now: string;
  /** The conditions that the policy owns, complete, in the order Cluster API stores them. */
  conditions: Condition[];
  /** Counters and lists of the object's status. */
  status: Record<string, unknown>;
  /** For a health check: each selected machine. */
  machines?: MachineEvaluation[];
  /** For a control plane: the conditions that it decides about its machines. */
  machineConditions?: MachineConditions[];
  /** For a health check: the arithmetic behind `RemediationAllowed`. */
  threshold?: Threshold;
  /** What the host should do, in order. */
  actions?: Action[];
  /** What the owner of machines does next, in the order of its reconcile. Never the host's work. */
  ownerActions?: OwnerAction[];
  /** Events to record. */
  events?: PolicyEvent[];
  /** Seconds until the host should evaluate again; absent: when something changes. */
  requeueAfterSeconds?: number;
  /** The earliest moment at which time alone can change this decision. */
  nextChange?: string;
  /** What kept the policy from deciding everything. */
  error?: string;
  /** How each decision was made; only when the snapshot says `explain`. */
  explanations?: Explanation[];
}

/** A condition to store on the object. */
export interface Condition {
  type: string;
  status: ConditionStatus;
  reason: string;
  message: string;
  observedGeneration?: number;
  lastTransitionTime: string;
  /** The id of the table row that decided. */
  row: string;
}

/** The conditions to store on a machine of a control plane. */
export interface MachineConditions {
  name: string;
  conditions: Condition[];
}

/** The status of a condition. */
export type ConditionStatus = "True" | "False" | "Unknown";

/** The judgement of one machine. */
export type Verdict = "healthy" | "unhealthy" | "waiting" | "notEvaluated" | "skipped";

/** What a timeout counts from. */
export type Clock =
  "machineCreated" | "clusterInfrastructureReady" | "controlPlaneInitialized" | "machineInfrastructureReady" | "conditionTransition";

/** What a health check says about one selected machine. */
export interface MachineEvaluation {
  name: string;
  verdict: Verdict;
  row: string;
  cause?: "RemediateAnnotation" | "NodeStartupTimeout" | "NodeNotFound" | "UnhealthyCondition";
  checks?: MatchedCheck[];
  since?: string;
  clock?: Clock;
  /** The moment at which the machine turns, or turned, unhealthy. */
  deadline?: string;
  remediationRow?: string;
  conditions: Condition[];
}

/** One check of the health check that matched the machine. */
export interface MatchedCheck {
  /** `Machine` or `Node` for a condition, `startup` for the startup timeout. */
  on: string;
  type?: string;
  status?: string;
  since: string;
  clock: Clock;
  timeoutSeconds: number;
  deadline: string;
  expired: boolean;
}

/** The arithmetic behind `RemediationAllowed`. */
export interface Threshold {
  targets: number;
  healthy: number;
  waiting: number;
  unhealthy: number;
  notEvaluated: number;
  /** The number compared with the limit: targets that are not healthy. */
  counted: number;
  min?: number;
  limit: number;
  /** The field the limit came from, or `default`. */
  source: string;
  configured: string;
  allowed: boolean;
  /** What would turn that around, as a sentence. */
  flips: string;
}

/** Something the host should do; `type` says what. */
export type Action =
  | { type: "setOwnerReference"; owner: { apiVersion: string; kind: string; name: string; uid: string } }
  | { type: "addLabel"; key: string; value: string }
  | { type: "createRemediationRequest"; machine: string; object: KubernetesObject }
  | {
      type: "deleteRemediationRequest";
      machine: string;
      apiVersion: string;
      kind: string;
      namespace: string;
      name: string;
    }
  | { type: "deleteMachine"; namespace: string; name: string };

/** One decision of an owner of machines. */
export interface OwnerAction {
  /** What was decided: the name of the table. */
  decision: string;
  /** The row that decided. */
  row: string;
  /** The row's guard in words. */
  why: string;
  /** What the owner does, in order; absent when it waits. */
  steps?: OwnerStep[];
  /** The machines concerned, with the conditions that the owner sets on them. */
  machines?: MachineConditions[];
  /** Whom the choice was between, in the order in which they would be taken. */
  candidates?: string[];
  /** The arithmetic behind it. */
  numbers?: { name: string; value: number }[];
  /** What stands in the way, as people read it. */
  obstacles?: string[];
  /** Milliseconds until the owner looks again; absent: when something changes. */
  requeueAfterMilliseconds?: number;
  /** The earliest moment at which time alone can change this decision. */
  nextChange?: string;
  /** What kept the owner from going on. */
  error?: string;
}

/** Something an owner does. */
export type OwnerStep =
  | { type: "deleteMachine"; machine: string }
  | { type: "createMachines"; count: number; failureDomain?: string }
  | { type: "moveMachine"; machine: string; to: string; uniqueLabel: string }
  | { type: "acknowledgeMove"; machine: string }
  | { type: "startInPlaceUpdate"; machine: string }
  | { type: "moveEtcdLeadership"; from: string; to: string }
  | { type: "removeEtcdMember"; member: string }
  | { type: "removePreTerminateHook"; machine: string }
  | { type: "setAnnotation"; key: string; value: string }
  | { type: "removeAnnotation"; key: string }
  | { type: "setLastRemediation"; machine: string; time: string; retryCount: number }
  | {
      type: "applyMachineSet";
      machineSet: string;
      current: boolean;
      created: boolean;
      from: number;
      replicas: number;
      notes?: string[];
      object: KubernetesObject;
    }
  | { type: "deleteMachineSet"; machineSet: string };

/** A Kubernetes event to record. */
export interface PolicyEvent {
  type: "Normal" | "Warning";
  reason: string;
  message: string;
  objectKind: string;
  objectName: string;
}

/** How a table came to its decision. */
export interface Explanation {
  table: string;
  /** The machine it is about, for tables that judge machines for another object. */
  machine?: string;
  row: string;
  facts: { name: string; value: string }[];
  /** The rows in order up to the one that decided. */
  trace: { row: string; when: string; holds: boolean }[];
}
