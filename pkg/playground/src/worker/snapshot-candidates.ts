/** Snapshots that stand in the document as they are: examples, test cases, captures. */
import { evaluate, type Profile } from "capi-policy";
import { below, type Fields, type Found, isFields, itemOrigin } from "../document/gather";
import { type Candidate, fieldOf, identity, type Moment, rank } from "./candidate";
import { changed } from "./what-if";

/** Whether plain data is a snapshot of one of these kinds. */
export function isSnapshot(value: Fields, kinds: Set<string>): boolean {
  return [...kinds].some((kind) => isFields(value[fieldOf(kind)]));
}

/** What a snapshot is about; several snapshots of one object are told apart by a number. */
export function snapshotCandidates(snapshots: Found[], kinds: Set<string>): Candidate[] {
  const seen = new Map<string, number>();
  return snapshots.flatMap(({ object, origin }) => {
    const kind = subjectKind(object, kinds);
    if (kind === undefined) return [];
    const subject = identity(kind, object[fieldOf(kind)]);
    const times = (seen.get(subject.id) ?? 0) + 1;
    seen.set(subject.id, times);
    return [candidate(object, origin, times === 1 ? subject : { ...subject, id: `${subject.id}#${times}` })];
  });
}

function subjectKind(snapshot: Fields, kinds: Set<string>): string | undefined {
  const stated = snapshot["kind"];
  if (typeof stated === "string") return kinds.has(stated) ? stated : undefined;
  const held = [...kinds].filter((kind) => isFields(snapshot[fieldOf(kind)]));
  return held.toSorted((a, b) => rank(a) - rank(b))[0];
}

function candidate(snapshot: Fields, origin: Found["origin"], subject: ReturnType<typeof identity>): Candidate {
  const field = fieldOf(subject.kind);
  const { kind: _kind, now, profile, explain: _explain, [field]: object, ...others } = snapshot;
  let rest: string | undefined;
  // Only what time and trials change is written anew: the rest may be megabytes.
  const text = ({ now, explain, whatIf }: Moment): string => {
    rest ??= JSON.stringify(others);
    const used = whatIf.profile ?? profile;
    const itself = subject.kind === "MachineHealthCheck" && isFields(object) ? changed(object, whatIf) : object;
    const head = JSON.stringify({
      kind: subject.kind,
      now,
      ...(used !== undefined && { profile: used }),
      ...(explain && { explain }),
      [field]: itself,
    });
    return rest === "{}" ? head : `${head.slice(0, -1)},${rest.slice(1)}`;
  };
  const machines = others["machines"];
  return {
    ...subject,
    now: typeof now === "string" ? now : undefined,
    profile: profile as Profile | undefined,
    outdated: undefined,
    machines: Array.isArray(machines) ? machines.length : 0,
    object: () => (isFields(object) ? object : {}),
    evaluate: (moment) => evaluate(text(moment)),
    snapshot: text,
    place: { origin, path: [field] },
    locate: (path) => {
      const list = snapshot[path[0] ?? ""];
      return Array.isArray(list) && typeof path[1] === "number"
        ? { origin: itemOrigin(list, path[1], below(origin, path[0] ?? "")), path: path.slice(2) }
        : { origin, path };
    },
  };
}
