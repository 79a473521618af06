import type { Profile } from "./snapshot.js";

/** What a policy is and every table it runs. */
export interface Catalog {
  name: string;
  version: string;
  /** The version of the WIT package it implements. */
  wit: string;
  /** The Cluster API versions that profile `cluster-api` gives the same answers as. */
  clusterApi: string[];
  profiles: Profile[];
  /** Sorted by id. */
  tables: Table[];
}

/** A transition table. */
export interface Table {
  /** The id that its rows start with. */
  id: string;
  /** The kind of the evaluated object, or `Every kind`. */
  kind: string;
  /** The condition it sets, or the name of what it decides. */
  condition: string;
  about: string;
  source: string;
  rows: Row[];
}

/** One row: the first whose guard holds decides. */
export interface Row extends RowOutcome {
  id: string;
  /** Its guard in words. */
  when: string;
  /** What follows under profile `cluster-api`, where that differs. */
  clusterApi?: RowOutcome;
}

/** What a row does; texts in angle brackets are made from the facts. */
export interface RowOutcome {
  /** The status it sets, `keep`, or the step that follows. */
  status: string;
  reason: string;
  message: string;
}
