/** The objects of a document in, snapshots to evaluate out. */
import type { Subject } from "../protocol";
import { below, type Contents, type Fields, isFields, itemOrigin } from "./gather";
import type { Origin } from "./parse";
import { get, ObjectIndex, SUBJECTS } from "./relations";

/** A snapshot, put together when it is asked for. */
export interface Candidate extends Subject {
  /** The field of the snapshot that holds the object. */
  field: string;
  /** When the snapshot says so. */
  now: string | undefined;
  snapshot: () => Fields;
  /** Where a path of the snapshot stands in the text. */
  origin: (path: (string | number)[]) => { origin: Origin; path: (string | number)[] };
}

/** Whether plain data is a snapshot. */
export function isSnapshot(value: Fields): boolean {
  return Object.values(SUBJECTS).some(({ field }) => isFields(value[field]));
}

/** Everything that can be evaluated, by a policy that has tables for these kinds. */
export function candidates({ objects, snapshots }: Contents, kinds: Set<string>): Candidate[] {
  const found = snapshots.flatMap(({ object, origin }) => complete(object, origin, kinds));
  const where = new Map(objects.map(({ object, origin }) => [object, origin]));
  const index = new ObjectIndex(objects.map(({ object }) => object));
  for (const [kind, { field, relations }] of Object.entries(SUBJECTS)) {
    if (!kinds.has(kind)) continue;
    for (const subject of index.of(kind)) {
      const snapshot = once(() => {
        const snapshot: Fields = { kind, [field]: subject };
        for (const relation of relations) {
          const related = relation.find(subject, index, snapshot);
          if (relation.many) snapshot[relation.field] = related;
          else if (related[0]) snapshot[relation.field] = related[0];
        }
        return snapshot;
      });
      found.push({
        ...identity(kind, subject),
        field,
        now: undefined,
        snapshot,
        origin: (path) => inObjects(snapshot(), path, where),
      });
    }
  }
  return distinct(found);
}

/** Where a path stands when every object of the snapshot has a place of its own. */
function inObjects(snapshot: Fields, path: (string | number)[], where: Map<Fields, Origin>): ReturnType<Candidate["origin"]> {
  const [field = "", item] = path;
  const value = snapshot[field];
  const [object, rest] = Array.isArray(value) ? [value[Number(item)] as Fields, path.slice(2)] : [value as Fields, path.slice(1)];
  return { origin: where.get(object) ?? { from: 0, to: 1, at: [] }, path: rest };
}

function complete(snapshot: Fields, origin: Origin, kinds: Set<string>): Candidate[] {
  const wanted = snapshot["kind"];
  const [kind, subject] =
    Object.entries(SUBJECTS).find(([kind, { field }]) => kinds.has(kind) && (wanted === undefined ? isFields(snapshot[field]) : wanted === kind)) ?? [];
  if (kind === undefined || subject === undefined) return [];
  return [
    {
      ...identity(kind, snapshot[subject.field]),
      field: subject.field,
      now: typeof snapshot["now"] === "string" ? snapshot["now"] : undefined,
      snapshot: () => snapshot,
      origin: (path) => {
        const list = snapshot[path[0] ?? ""];
        return Array.isArray(list) && typeof path[1] === "number"
          ? { origin: itemOrigin(list, path[1], below(origin, path[0] ?? "")), path: path.slice(2) }
          : { origin, path };
      },
    },
  ];
}

function identity(kind: string, object: unknown): Subject {
  const [namespace, name] = ["namespace", "name"].map((field) => String(get(object, "metadata", field) ?? ""));
  return { id: `${kind}/${namespace}/${name}`, kind, namespace: namespace ?? "", name: name ?? "" };
}

/** Two snapshots of one object are told apart by a number. */
function distinct(found: Candidate[]): Candidate[] {
  const seen = new Map<string, number>();
  return found.map((candidate) => {
    const times = (seen.get(candidate.id) ?? 0) + 1;
    seen.set(candidate.id, times);
    return times === 1 ? candidate : { ...candidate, id: `${candidate.id}#${times}` };
  });
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
