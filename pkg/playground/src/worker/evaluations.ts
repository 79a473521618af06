/** A snapshot and a moment in, its evaluation out; what was asked last is not worked out again. */
import { evaluate, type Evaluation, type Profile } from "capi-policy";
import type { Candidate } from "../document/snapshots";
import type { Fields } from "../document/gather";
import type { WhatIf } from "../protocol";
import { changed } from "./what-if";

/** When and how to evaluate. */
export interface Moment {
  now: string;
  explain: boolean;
  whatIf: WhatIf;
}

/** The evaluations of one object of a document. */
export class Evaluations {
  private readonly snapshot: Fields;
  private rest: string | undefined;
  private readonly known = new Map<string, Evaluation>();

  /** How long the last evaluation took. */
  milliseconds = 0;

  constructor(readonly candidate: Candidate) {
    this.snapshot = candidate.snapshot();
  }

  /** The whole snapshot as it stands at a moment. */
  at({ now, explain, whatIf }: Moment): Fields {
    return { ...this.head(now, explain, whatIf), ...this.others() };
  }

  /** The same as text. Only what time and trials change is written anew: the rest may be megabytes. */
  text({ now, explain, whatIf }: Moment): string {
    this.rest ??= JSON.stringify(this.others());
    const head = JSON.stringify(this.head(now, explain, whatIf));
    return this.rest === "{}" ? head : `${head.slice(0, -1)},${this.rest.slice(1)}`;
  }

  /** The evaluation; throws a PolicyError. */
  evaluate(moment: Moment): Evaluation {
    const key = JSON.stringify(moment);
    const known = this.known.get(key);
    if (known) return known;
    const text = this.text(moment);
    const began = performance.now();
    const evaluation = evaluate(text);
    this.milliseconds = performance.now() - began;
    // Four: with and without explanations, with and without what is tried out.
    if (this.known.size >= 4) this.known.delete(this.known.keys().next().value ?? "");
    this.known.set(key, evaluation);
    return evaluation;
  }

  private head(now: string, explain: boolean, whatIf: WhatIf): Fields {
    const { field, kind } = this.candidate;
    const subject = this.snapshot[field] as Fields;
    const profile = whatIf.profile ?? (this.snapshot["profile"] as Profile | undefined);
    const head: Fields = { kind, now };
    if (profile !== undefined) head["profile"] = profile;
    if (explain) head["explain"] = true;
    head[field] = field === "machineHealthCheck" ? changed(subject, whatIf) : subject;
    return head;
  }

  private others(): Fields {
    const { kind: _kind, now: _now, profile: _profile, explain: _explain, [this.candidate.field]: _subject, ...others } = this.snapshot;
    return others;
  }
}
