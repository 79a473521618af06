/** What the page and its worker say to each other. Everything is small, whatever the size of the document. */
import type { Catalog, Change, Condition, Evaluation, Explanation, MachineEvaluation, Profile } from "capi-policy";
import type { Summary, Timeline } from "capi-policy/summaries";

/** The profiles that can be tried out. */
export const PROFILES: readonly Profile[] = ["documented", "cluster-api-v1.13", "cluster-api-v1.14"];

/** The profile that a text names; `cluster-api` is the newest release. */
export function profileNamed(name: unknown): Profile | undefined {
  return name === "cluster-api" ? PROFILES.at(-1) : PROFILES.find((profile) => profile === name);
}

/** Changes to the rules and the health check that are tried out beside the document. */
export interface WhatIf {
  profile?: Profile;
  /** `spec.remediation.triggerIf.unhealthyLessThanOrEqualTo`. */
  limit?: string;
  /** `spec.remediation.triggerIf.unhealthyInRange`. */
  range?: string;
  /** `spec.checks.nodeStartupTimeoutSeconds`. */
  startup?: number;
  /** Timeouts of unhealthy conditions, by `Timeout.key`. */
  timeouts?: Record<string, number>;
}

/** What the page wants to know. */
export interface Question {
  /** The object to evaluate, by `Subject.id`; absent: the first. */
  object?: string;
  /** Where time starts; absent: where the document says, else when it was opened. */
  start?: string;
  /** Seconds after the start. */
  offset: number;
  whatIf: WhatIf;
  /** The machine to look at closely. */
  machine?: string;
  /** A row to look at: while no machine is chosen, one that it decided about is. */
  row?: string;
  /** How far the timeline looks ahead, in seconds; 0: as far as something changes. */
  horizon: number;
  /** Kinds that count as completely listed because somebody said that there are no more, by `scopeId`. */
  complete?: string[];
}

/** An object that can be evaluated. */
export interface Subject {
  id: string;
  kind: string;
  namespace: string;
  name: string;
}

/** Something wrong with the document. */
export interface Problem {
  from: number;
  to: number;
  line: number;
  message: string;
}

/** A stretch of the document and what should stand there. */
export interface Replacement {
  from: number;
  to: number;
  insert: string;
}

/** A timeout that the page can change. */
export interface Timeout {
  key: string;
  label: string;
  seconds: number;
}

/** What a health check says in the document, for the controls beside it. */
export interface Controls {
  profile: Profile;
  healthCheck?: { limit: string; range: string; startup: number; timeouts: Timeout[] };
}

/** What could be read of the document. */
export interface DocumentView {
  version: number;
  /** The first objects that can be evaluated. */
  subjects: Subject[];
  subjectCount: number;
  chosen: Subject;
  start: string;
  /** Where the start comes from: the document, the moment it was opened, or whoever uses the page. */
  startOf: "document" | "opening" | "choice";
  controls: Controls;
  unread: Unread;
}

/** A kind of object, Nodes for each workload cluster. */
export interface UnreadKind {
  group: string;
  kind: string;
  workloadCluster?: { namespace?: string; name: string };
}

/** What decisions need and the document does not hold. */
export interface Unread {
  /** Kinds of which there is no object. */
  kinds: UnreadKind[];
  /** Objects of a version that the policy does not read. */
  outdated: { group: string; kind: string; version: string; count: number }[];
}

/** Every machine of a health check, in three columns. */
export interface MachineColumns {
  /** One name per line. */
  names: string;
  /** Indexes into `VERDICTS` of the summaries. */
  verdicts: Uint8Array;
  /** Seconds since 1970, NaN where there is none. */
  deadlines: Float64Array;
}

/** A decision, cut down to what a page can show. */
export interface Decision {
  version: number;
  /** The version of the object, where the policy does not read it. */
  outdated?: string;
  evaluation: Evaluation;
  actionCount: number;
  eventCount: number;
  /** How the tables of the object itself decided; absent while that is being worked out. */
  explanations?: Explanation[];
  machines?: MachineColumns;
  /** The machine that was chosen; one that the health check passes over has no evaluation. */
  machine?: { name: string; conditions: Condition[]; evaluation?: MachineEvaluation; explanations?: Explanation[] };
  /** What is different from the document as it stands; absent when nothing is tried out. */
  flips?: { changes: Change[]; count: number };
  milliseconds: number;
}

/** Where a document comes from: a text, a file, objects, a draft, or a fleet of so many machines that is made on the spot. */
export type Source = string | Blob | { objects: unknown[] } | { draft: string } | { machines: number };

export type ToWorker =
  /** A new document. `now`: when it was opened, where that is not this moment. */
  | { type: "open"; source: Source; now?: string }
  /** The document as the editor shows it, after the worker was started again. */
  | { type: "resume"; text: string; version: number; now: string }
  /** The name under which the document is kept from now on, and what is kept beside it; none: not at all. */
  | { type: "draft"; id: string | undefined; view: unknown }
  | { type: "edit"; changes: unknown; version: number }
  | { type: "ask"; question: Question }
  | { type: "request"; id: number; what: Request };

/** Texts that the worker makes on demand; `apply` gives JSON of `Replacement[]`. */
export type Request =
  | { what: "evaluation" }
  | { what: "testCase"; note: string; row?: string }
  | { what: "pack"; view: unknown }
  | { what: "unpack"; packed: string }
  /** JSON of a `Draft` without its text: the one of this name, else the last. */
  | { what: "draft"; id?: string }
  | { what: "apply" };

export type FromWorker =
  /** `alive` is a lock that the worker holds for as long as it lives. */
  | { type: "ready"; catalog: Catalog; alive: string }
  | { type: "failed"; message: string }
  /** The worker can't go on: the policy trapped, or the worker has a bug. */
  | { type: "crashed"; message: string }
  /** Whether the browser keeps the draft. */
  | { type: "kept"; failure?: string }
  /** The text of an opened document, in pieces. */
  | { type: "text"; text: string; first: boolean; last: boolean; version: number; large: boolean }
  | { type: "document"; document: DocumentView }
  /** `decided`: there is a decision all the same, without the objects that are refused here. */
  | { type: "problems"; version: number; problems: Problem[]; decided: boolean }
  /** Every object of the document in one line; none where there is only one. */
  | { type: "overview"; version: number; objects: Summary[] }
  | { type: "decision"; decision: Decision }
  | { type: "timeline"; timeline: Timeline }
  | { type: "noTimeline"; message: string }
  | { type: "reading"; part: number }
  | { type: "answer"; id: number; text?: string; failure?: string };
