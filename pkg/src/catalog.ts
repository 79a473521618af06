import type { Profile } from "./snapshot.js";

/** What a policy is and every table it runs. */
export interface Catalog {
  name: string;
  version: string;
  /** The version of the WIT package it implements. */
  wit: string;
  /** The Cluster API versions whose answers the profile of their release gives, byte for byte. */
  clusterApi: string[];
  /** The profiles it knows; `cluster-api` stands for the newest release among them. */
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
  /** The profiles that have this row; left out when all have it. */
  profiles?: Profile[];
  /** What follows under other profiles, where that differs. */
  others?: ProfileOutcome[];
}

/** What a row does under one profile. */
export interface ProfileOutcome extends RowOutcome {
  profile: Profile;
}

/** What a row does; in texts, names in braces stand for facts. */
export interface RowOutcome {
  /** The status it sets, `keep`, or `copy` and what is taken over; empty where it leaves the condition alone. */
  status: string;
  reason: string;
  message: string;
  /** What it decides beside the condition. */
  act?: string;
}
