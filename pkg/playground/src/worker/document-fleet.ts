/** The objects of the document, in the policy's fleet: it alone knows how they relate, and what was not read. */
import { type EvaluateOptions, Fleet, PolicyError, type Subject as FleetSubject, type Wanted } from "capi-policy";
import { summarize, type Summary } from "capi-policy/summaries";
import type { Fields, Found } from "../document/gather";
import type { Subject } from "../protocol";
import { type Candidate, fieldOf, get, identity, type Moment, type Place } from "./candidate";
import { changed } from "./what-if";

/** An object that the policy can't read. */
export class RefusedObject extends Error {
  constructor(
    readonly error: PolicyError,
    readonly place: Place,
  ) {
    super(error.message);
  }
}

/** Which of these kinds comes first where nobody chose. */
const ORDER = ["MachineHealthCheck", "MachineDeployment", "MachineSet", "KubeadmControlPlane", "Machine", "Cluster"];

export class DocumentFleet {
  private readonly fleet = new Fleet();
  private readonly held = new Map<string, Found>();
  /** Objects of Cluster API, by the id of a subject. */
  private subjects = new Map<string, Found>();
  private machines = 0;

  constructor() {
    this.fleet.assume("presentKindsAreComplete");
  }

  /** Takes in the objects of the document; only what has changed since the last time is passed on. */
  load(objects: Found[]): void {
    const next = new Map(objects.map((found) => [nameOf(found.object), found]));
    // An object that is no longer in the text was not read: to remove it would say that it does not exist.
    if ([...this.held.keys()].some((name) => !next.has(name))) this.forget();
    for (const [name, found] of next) {
      if (this.held.get(name)?.object !== found.object) this.upsert(found);
      this.held.set(name, found);
    }
    const own = [...next.values()].filter(({ object }) => /^(?:$|(?:[\w-]+\.)*cluster\.x-k8s\.io$)/.test(groupOf(object)));
    this.subjects = new Map(own.map((found) => [identity(String(found.object["kind"]), found.object).id, found]));
    this.machines = own.filter(({ object }) => object["kind"] === "Machine").length;
  }

  /** What is missing. */
  wanted(): Wanted {
    return this.fleet.wanted();
  }

  /** Everything that can be evaluated, the kinds that say the most first. */
  candidates(): Candidate[] {
    const rank = (kind: string): number => (ORDER.indexOf(kind) + ORDER.length + 1) % (ORDER.length + 1);
    const subjects = this.fleet
      .decidable()
      .map(({ kind, namespace = "", name }) => ({ id: `${kind}/${namespace}/${name}`, kind, namespace, name }));
    return subjects.toSorted((a, b) => rank(a.kind) - rank(b.kind)).map((subject) => this.candidate(subject));
  }

  private candidate(subject: Subject): Candidate {
    const found = (): Found => this.subjects.get(subject.id) ?? { object: {}, origin: { from: 0, to: 1, at: [] } };
    const place = (): Place => ({ origin: found().origin, path: [] });
    return {
      ...subject,
      now: undefined,
      profile: undefined,
      machines: subject.kind === "Machine" ? 1 : this.machines,
      object: () => found().object,
      evaluate: (moment) => this.trying(subject, found(), moment, (named, options) => this.fleet.evaluate(named, options)),
      snapshot: (moment) => this.trying(subject, found(), moment, (named, options) => JSON.stringify(this.fleet.snapshot(named, options))),
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

  private upsert({ object, origin }: Found): void {
    try {
      this.fleet.upsert(object);
    } catch (failure) {
      if (!(failure instanceof PolicyError)) throw failure;
      throw new RefusedObject(failure, { origin, path: [] });
    }
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

/** Every candidate in one line, in slices between which others may work; undefined when somebody asked to stop. */
export async function summaries(
  candidates: Candidate[],
  moment: Moment,
  pause: () => Promise<void>,
  stop: () => boolean,
): Promise<Summary[] | undefined> {
  const found: Summary[] = [];
  let last = performance.now();
  for (const candidate of candidates) {
    found.push(summary(candidate, moment));
    if (performance.now() - last < 50) continue;
    await pause();
    if (stop()) return undefined;
    last = performance.now();
  }
  return found;
}

function summary(candidate: Candidate, moment: Moment): Summary {
  try {
    return summarize(candidate.evaluate(moment));
  } catch (failure) {
    if (!(failure instanceof PolicyError)) throw failure;
    const { kind, namespace, name } = candidate;
    return { kind, namespace, name, tone: "bad", words: "Can't be evaluated", because: failure.message };
  }
}
