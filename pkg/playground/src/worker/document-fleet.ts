/** The objects of the document, in the policy's fleet: it alone knows how they relate, and what was not read. */
import { type EvaluateOptions, Fleet, PolicyError, type Subject as FleetSubject, type Wanted } from "capi-policy";
import type { Fields, Found } from "../document/gather";
import type { Subject } from "../protocol";
import { type Candidate, fieldOf, get, identity, type Moment, type Place, rank } from "./candidate";
import { scopeOf } from "./unread";
import { changed } from "./what-if";

/** An object that the policy can't read. */
export interface Refusal {
  error: PolicyError;
  place: Place;
}

/** Groups of the kinds that can be decided about; a text may leave them out. */
const OWN_GROUPS = new Set(["", "cluster.x-k8s.io", "controlplane.cluster.x-k8s.io"]);

export class DocumentFleet {
  private readonly fleet = new Fleet();
  private readonly held = new Map<string, Found>();
  /** Objects of Cluster API, by the id of a subject. */
  private subjects = new Map<string, Found>();
  private machines = 0;
  private complete: readonly string[] = [];

  constructor() {
    this.forget();
  }

  /**
   * Takes in the objects of the document, and which kinds are complete beyond what it shows; only what has changed since the last time
   * is passed on. Gives what the policy refuses: everything else is there without it.
   */
  load(objects: Found[], complete: readonly string[]): Refusal[] {
    const next = new Map(objects.map((found) => [nameOf(found.object), found]));
    // An object that is no longer in the text was not read: to remove it would say that it does not exist.
    if (this.complete.some((scope) => !complete.includes(scope)) || [...this.held.keys()].some((name) => !next.has(name))) this.forget();
    let refused = this.passOn(next);
    if (refused.some(([name]) => this.held.has(name))) {
      this.forget();
      refused = this.passOn(next);
    }
    for (const scope of complete) this.fleet.markComplete(scopeOf(scope));
    this.complete = complete;
    const own = [...next.values()].filter(({ object }) => OWN_GROUPS.has(groupOf(object)));
    this.subjects = new Map(own.map((found) => [identity(String(found.object["kind"]), found.object).id, found]));
    this.machines = own.filter(({ object }) => object["kind"] === "Machine").length;
    return refused.map(([, refusal]) => refusal);
  }

  /** What the decisions need, and what of it is there. */
  wanted(): Wanted {
    return this.fleet.wanted();
  }

  /** Everything that can be evaluated, the kinds that say the most first. */
  candidates({ outdated }: Wanted): Candidate[] {
    const versions = new Map(outdated.map(({ kind, namespace = "", name, version }) => [`${kind}/${namespace}/${name}`, version]));
    const subjects = this.fleet
      .decidable()
      .map(({ kind, namespace = "", name }) => ({ id: `${kind}/${namespace}/${name}`, kind, namespace, name }));
    return subjects.toSorted((a, b) => rank(a.kind) - rank(b.kind)).map((subject) => this.candidate(subject, versions.get(subject.id)));
  }

  private candidate(subject: Subject, outdated: string | undefined): Candidate {
    const found = (): Found => this.subjects.get(subject.id) ?? { object: {}, origin: { from: 0, to: 1, at: [] } };
    const place = (): Place => ({ origin: found().origin, path: [] });
    return {
      ...subject,
      now: undefined,
      profile: undefined,
      outdated,
      machines: subject.kind === "Machine" ? 1 : this.machines,
      object: () => found().object,
      evaluate: (moment) => this.trying(subject, found(), moment, (named, options) => this.fleet.evaluate(named, options)),
      snapshot: (moment) => this.trying(subject, found(), moment, (named, options) => this.fleet.snapshotText(named, options)),
      get place() {
        return place();
      },
      locate: (path) => this.locate(subject, place(), path),
    };
  }

  /** Asks with what is tried out in place of the document's health check, which comes back afterwards. */
  private trying<Answer>(
    { kind, namespace, name }: Subject,
    { object }: Found,
    { now, explain, whatIf }: Moment,
    ask: (subject: FleetSubject, options: EvaluateOptions) => Answer,
  ): Answer {
    const named = { kind, name, ...(namespace !== "" && { namespace }) };
    const options = { now, explain, ...(whatIf.profile !== undefined && { profile: whatIf.profile }) };
    const tried = kind === "MachineHealthCheck" ? changed(object, whatIf) : object;
    if (tried === object) return ask(named, options);
    try {
      this.fleet.upsert(tried);
      return ask(named, options);
    } finally {
      this.fleet.upsert(object);
    }
  }

  private passOn(objects: Map<string, Found>): [string, Refusal][] {
    const refused: [string, Refusal][] = [];
    for (const [name, found] of objects) {
      const { object, origin } = found;
      try {
        if (this.held.get(name)?.object !== object) this.fleet.upsert(object);
        this.held.set(name, found);
      } catch (error) {
        if (!(error instanceof PolicyError)) throw error;
        refused.push([name, { error, place: { origin, path: [] } }]);
      }
    }
    return refused;
  }

  private forget(): void {
    this.fleet.clear();
    this.fleet.assume("presentKindsAreComplete");
    this.held.clear();
  }

  /** Where a path of the snapshot stands: in the object that it leads into. */
  private locate(subject: Subject, itself: Place, path: (string | number)[]): Place {
    const [field = "", item] = path;
    if (field === fieldOf(subject.kind)) return { ...itself, path: path.slice(1) };
    const { kind, namespace, name } = subject;
    const snapshot = this.fleet.snapshot({ kind, name, ...(namespace !== "" && { namespace }) }, { now: "1970-01-01T00:00:00Z" });
    const value: unknown = snapshot[field as keyof typeof snapshot];
    const object = Array.isArray(value) ? (value[Number(item)] as Fields | undefined) : (value as Fields | undefined);
    const found = object && this.held.get(nameOf(object));
    return found ? { origin: found.origin, path: path.slice(Array.isArray(value) ? 2 : 1) } : { ...itself, path };
  }
}

function groupOf(object: Fields): string {
  const version = String(object["apiVersion"] ?? "");
  return version.includes("/") ? (version.split("/")[0] ?? "") : "";
}

/** What tells objects apart: group, kind, namespace and name, and for a Node the cluster that it says it belongs to. */
function nameOf(object: Fields): string {
  const annotations = get(object, "metadata", "annotations") as Fields | undefined;
  const cluster =
    object["kind"] === "Node"
      ? `${String(annotations?.["cluster.x-k8s.io/cluster-namespace"] ?? "")}/${String(annotations?.["cluster.x-k8s.io/cluster-name"] ?? "")}`
      : "";
  const { kind, namespace, name } = identity(String(object["kind"]), object);
  return [groupOf(object), kind, namespace, name, cluster].join("/");
}
