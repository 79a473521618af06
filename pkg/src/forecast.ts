import type { Evaluation } from "./evaluation.js";

/** The decisions to come if nothing but time changes. */
export interface Forecast {
  now: Evaluation;
  until: string;
  /** The moments at which something changes, in order. */
  moments: Moment[];
  /** False when there were too many moments to look at all of them. */
  complete: boolean;
}

/** A moment at which the decision changes. */
export interface Moment {
  at: string;
  changes: Change[];
}

/** One thing that changes. */
export interface Change {
  /** The name of the object or machine it is about. */
  subject: string;
  /** `verdict`, `action`, or the type of a condition. */
  what: string;
  from?: string;
  to?: string;
  row?: string;
}
