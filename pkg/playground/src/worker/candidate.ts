/** Something that can be evaluated, whether it stands in a snapshot or among objects. */
import type { Evaluation, Profile } from "capi-policy";
import type { Fields } from "../document/gather";
import type { Origin } from "../document/parse";
import type { Subject, WhatIf } from "../protocol";

/** When and how to evaluate. */
export interface Moment {
  now: string;
  explain: boolean;
  whatIf: WhatIf;
}

/** Where a value stands in the text. */
export interface Place {
  origin: Origin;
  path: (string | number)[];
}

/** An object of the document, with everything that its decision reads. */
export interface Candidate extends Subject {
  /** The time that the document states. */
  now: string | undefined;
  /** The profile that the document states. */
  profile: Profile | undefined;
  /** The version of the object, where the policy does not read it. */
  outdated: string | undefined;
  /** How many machines its decision may be about. */
  machines: number;
  /** The object itself. */
  object: () => Fields;
  /** The decision; throws a PolicyError. */
  evaluate: (moment: Moment) => Evaluation;
  /** The snapshot behind it, as JSON text. */
  snapshot: (moment: Moment) => string;
  /** Where the object itself stands. */
  place: Place;
  /** Where a path of the snapshot, or of an object that was refused, stands. */
  locate: (path: (string | number)[]) => Place;
}

/** Kinds in the order in which the policy looks for what a snapshot is about; they say the most about others first. */
const ORDER = ["MachineHealthCheck", "MachineDeployment", "MachineSet", "KubeadmControlPlane", "MachinePool", "Machine", "Cluster"];

/** Which kind comes first where nobody chose. */
export function rank(kind: string): number {
  return (ORDER.indexOf(kind) + ORDER.length + 1) % (ORDER.length + 1);
}

/** The field of a snapshot that holds an object of this kind. */
export function fieldOf(kind: string): string {
  return `${kind.charAt(0).toLowerCase()}${kind.slice(1)}`;
}

/** A value deep in an object. */
export function get(object: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (value, field) => (typeof value === "object" && value !== null ? (value as Fields)[field] : undefined),
    object,
  );
}

/** What an object is called. */
export function identity(kind: string, object: unknown): Subject {
  const [namespace, name] = ["namespace", "name"].map((field) => String(get(object, "metadata", field) ?? ""));
  return { id: `${kind}/${namespace}/${name}`, kind, namespace: namespace ?? "", name: name ?? "" };
}

/** The evaluations of one candidate; what was asked last is not worked out again. */
export class Evaluations {
  private readonly known = new Map<string, Evaluation>();

  /** How long the last evaluation took. */
  milliseconds = 0;

  constructor(readonly candidate: Candidate) {}

  /** The evaluation; throws a PolicyError. */
  evaluate(moment: Moment): Evaluation {
    const key = JSON.stringify(moment);
    const known = this.known.get(key);
    if (known) return known;
    const began = performance.now();
    const evaluation = this.candidate.evaluate(moment);
    this.milliseconds = performance.now() - began;
    // Four: with and without explanations, with and without what is tried out.
    if (this.known.size >= 4) this.known.delete(this.known.keys().next().value ?? "");
    this.known.set(key, evaluation);
    return evaluation;
  }
}
