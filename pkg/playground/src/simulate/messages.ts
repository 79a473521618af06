/** What the page and the worker that simulates say to each other. */

export type ToSimulator =
  { type: "run"; text: string; seeds: string; compare: string | undefined; objects: string | undefined } | { type: "json" };

export type FromSimulator =
  | { type: "progress"; done: number; pieces: number }
  | { type: "result"; view: RunView; svg: string }
  | { type: "json"; text: string }
  | { type: "failed"; message: string; trap: boolean };

/** A run, as `Run::view` gives it. */
export interface RunView {
  demands: string[];
  variants: VariantView[];
}

export interface VariantView {
  name: string;
  summary: { days: number; columns: Column[] };
  /** Empty where there are several. */
  days: Day[];
  /** On how many days each demand is not met. */
  failing: number[];
}

export interface Column {
  name: string;
  seconds: boolean;
  median: number;
  p90: number;
  worst: number;
  days: number;
}

export interface Blocked {
  by: string;
  from: number;
  until?: number;
  why: string;
  endedBy?: string;
}

export interface Day {
  seed: number;
  machines: number;
  replaced: number;
  needless: number;
  rolledOut: number;
  belowSeconds: number;
  missingMachineSeconds: number;
  blocked: Blocked[];
  held: Blocked[];
  storms: { from: number; until: number; machines: number }[];
  loops: { slot: string; replaced: number }[];
  starved: number;
  quorumLostSeconds: number;
  events?: { at: number; what: string; by?: string; row?: string }[];
}
