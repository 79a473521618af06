import { Fleet as Module } from "../wasm/capi_policy.js";
import { ask } from "./ask.js";
import { jsonText } from "./text.js";
import type { Evaluation } from "./evaluation.js";
import type { Forecast } from "./forecast.js";
import type { Snapshot } from "./snapshot.js";

/** A workload cluster: the namespace and the name of its Cluster. */
export interface WorkloadCluster {
  namespace?: string;
  name: string;
}

/** Objects that are listed together; without a namespace those of all namespaces. */
export interface Scope {
  /** The API group; that of Cluster API's own kinds may be left out. */
  group?: string;
  kind: string;
  namespace?: string;
  /** For Nodes: the workload cluster they are read from. */
  workloadCluster?: WorkloadCluster;
}

/** An object of any kind. */
export interface ObjectRef extends Scope {
  name: string;
}

/** An object that can be decided about. */
export interface Subject {
  kind: string;
  namespace?: string;
  name: string;
}

/** How to evaluate. */
export interface EvaluateOptions {
  /** RFC 3339. */
  now: string;
  profile?: string;
  explain?: boolean;
}

/** What the fleet needs to decide about everything it has. */
export interface Wanted {
  kinds: (Scope & { complete: boolean })[];
  objects: (ObjectRef & { presence: "found" | "missing" | "notRead" })[];
  /** Objects in a version that the policy does not read. */
  outdated: (ObjectRef & { version: string })[];
}

/** An evaluation, reduced to what differs from the last update of the object. */
export type Update = Evaluation & {
  reduced?: { conditions: boolean; targets: boolean; removedMachines: string[] };
};

/** What counts as completely listed where no host reported it. */
export type Assumption = "nothing" | "presentKindsAreComplete" | "everythingIsComplete";

/**
 * Objects that stay between decisions, and the one place that knows how they relate to each other. Objects may be given as
 * JSON text. Call `free` when it is no longer needed.
 */
export class Fleet {
  readonly #module: Module;

  constructor() {
    this.#module = ask(() => new Module());
  }

  /** Takes in an object as the API server serves it. A Node belongs to the workload cluster given here, else to the one that
   * Cluster API's annotations on it name. */
  upsert(object: object | string, workloadCluster?: WorkloadCluster): void {
    ask(() => {
      this.#module.upsert(jsonText(object, "object"), workloadCluster && JSON.stringify(workloadCluster));
    });
  }

  /** The object does not exist, or no longer. */
  remove(object: ObjectRef): void {
    ask(() => {
      this.#module.remove(JSON.stringify(object));
    });
  }

  /** Takes in the complete list of a scope, in place of what was there. */
  replace(scope: Scope, objects: readonly object[] | string): void {
    ask(() => {
      this.#module.replace(JSON.stringify(scope), jsonText(objects, "objects"));
    });
  }

  /** Everything in the scope has been passed in: what is not there does not exist. */
  markComplete(scope: Scope): void {
    ask(() => {
      this.#module.mark(JSON.stringify(scope), true);
    });
  }

  /** The reverse. */
  markIncomplete(scope: Scope): void {
    ask(() => {
      this.#module.mark(JSON.stringify(scope), false);
    });
  }

  /** Sets what counts as completely listed where no host reported it; `nothing` at first. */
  assume(assumption: Assumption): void {
    ask(() => {
      this.#module.assume(assumption);
    });
  }

  /** Reports what could and could not be read: for an object, a workload cluster, or everything (`{}`). */
  observe(audience: Subject | { workloadCluster: WorkloadCluster } | Record<string, never>, facts: object): void {
    ask(() => {
      this.#module.observe(JSON.stringify(audience), jsonText(facts, "observed"));
    });
  }

  /** What the fleet needs to decide about everything it has. */
  wanted(): Wanted {
    return ask(() => JSON.parse(this.#module.wanted()) as Wanted);
  }

  /** The objects that can be decided about. */
  decidable(): Subject[] {
    return ask(() => JSON.parse(this.#module.decidable()) as Subject[]);
  }

  /** The objects that have to be evaluated by now (RFC 3339). */
  due(now: string): Subject[] {
    return ask(() => JSON.parse(this.#module.due(now)) as Subject[]);
  }

  /** The decision about an object. */
  evaluate(object: Subject, options: EvaluateOptions): Evaluation {
    return ask(() => JSON.parse(this.#module.evaluate(JSON.stringify({ ...object, ...options }))) as Evaluation);
  }

  /** The decision about an object, reduced to what differs from the last update. */
  update(object: Subject, options: EvaluateOptions): Update {
    return ask(() => JSON.parse(this.#module.update(JSON.stringify({ ...object, ...options }))) as Update);
  }

  /** The decisions to come up to `until` (RFC 3339), if nothing but time changes. */
  forecast(object: Subject, options: EvaluateOptions, until: string): Forecast {
    return ask(() => JSON.parse(this.#module.forecast(JSON.stringify({ ...object, ...options, until }))) as Forecast);
  }

  /** The snapshot that the decision about an object reads. */
  snapshot(object: Subject, options: EvaluateOptions): Snapshot {
    return JSON.parse(this.snapshotText(object, options)) as Snapshot;
  }

  /** The same as JSON text, for whoever passes it on: it may be megabytes. */
  snapshotText(object: Subject, options: EvaluateOptions): string {
    return ask(() => this.#module.snapshot(JSON.stringify({ ...object, ...options })));
  }

  /** Forgets everything that was passed in. */
  clear(): void {
    this.#module.clear();
  }

  /** Gives its memory back; the fleet can't be used any more. */
  free(): void {
    this.#module.free();
  }
}

/**
 * The decisions about every object of a list that can be decided about, by kind, namespace and name. Kinds of which there is at least
 * one object count as completely listed, others as not read.
 */
export function decide(objects: Iterable<object | string>, options: EvaluateOptions): Evaluation[] {
  const fleet = new Fleet();
  try {
    fleet.assume("presentKindsAreComplete");
    for (const object of objects) fleet.upsert(object);
    return fleet.decidable().map((subject) => fleet.evaluate(subject, options));
  } finally {
    fleet.free();
  }
}
