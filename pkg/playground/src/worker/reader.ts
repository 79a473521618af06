/** Reads the text of the page: what can be evaluated, what was not read, and on which line something is wrong. */
import type { PolicyError } from "capi-policy";
import { gather } from "../document/gather";
import { BrokenText, lineAt, locate, Parser } from "../document/parse";
import type { Problem, Unread } from "../protocol";
import type { Candidate, Place } from "./candidate";
import { DocumentFleet } from "./document-fleet";
import { isSnapshot, snapshotCandidates } from "./snapshot-candidates";
import { unread } from "./unread";

/** A document that could be read. */
export interface Reading {
  text: string;
  candidates: Candidate[];
  unread: Unread;
  /** Objects that the policy refuses; the candidates are decided without them. */
  refused: Problem[];
}

/** Reads the same document again and again as it is typed. */
export class Reader {
  private readonly parser = new Parser();
  private readonly fleet = new DocumentFleet();

  constructor(
    private readonly kinds: Set<string>,
    private readonly progress: (part: number) => Promise<void>,
  ) {}

  /** What the text holds, or what is wrong with it; these kinds count as completely listed. */
  async read(text: string, complete: readonly string[]): Promise<Reading | Problem[]> {
    try {
      const contents = gather(await this.parser.parse(text, this.progress), (value) => isSnapshot(value, this.kinds));
      const refused = this.fleet.load(contents.objects, complete).map(({ error, place }) => refusal(error, place, text));
      const wanted = this.fleet.wanted();
      const candidates = [...snapshotCandidates(contents.snapshots, this.kinds), ...this.fleet.candidates(wanted)];
      // A snapshot states itself what was not read.
      const missing = contents.objects.length > 0 ? unread(wanted) : { kinds: [], outdated: [] };
      if (candidates.length > 0) return { text, candidates, unread: missing, refused };
      if (refused.length > 0) return refused;
      return [problem(text, 0, firstLineEnd(text), this.nothingFound(contents.objects.length))];
    } catch (failure) {
      if (failure instanceof BrokenText) return [problem(text, failure.from, failure.to, failure.message)];
      throw failure;
    }
  }

  private nothingFound(objects: number): string {
    const kinds = [...this.kinds].join(", ");
    return objects === 0
      ? `Nothing to evaluate yet: paste objects (kubectl get … -o yaml) with one of ${kinds}`
      : `None of the ${objects} objects can be evaluated: add one of ${kinds}`;
  }
}

/** Where the policy's refusal of an evaluation stands in the text. */
export function refusedEvaluation(error: PolicyError, candidate: Candidate, text: string): Problem {
  const path = steps(error.path ?? "");
  return refusal(error, path.length === 0 || path[0] === "snapshot" ? candidate.place : candidate.locate(path), text, true);
}

/** Where a refusal stands; `located`: the place is where the path leads already. */
function refusal(error: PolicyError, place: Place, text: string, located = false): Problem {
  const path = located ? place.path : [...place.path, ...steps(error.path ?? "").filter((step, i) => i > 0 || step !== "snapshot")];
  const { from, to } = locate(text, place.origin, path);
  return problem(text, from, to, withoutPosition(error.message));
}

/** `machines[2].metadata.name` as its steps. */
function steps(path: string): (string | number)[] {
  return path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** Line and column of the text that the policy saw mean nothing in the text that a person sees. */
function withoutPosition(message: string): string {
  return message.replace(/ \(line \d+ column \d+\)$/, "");
}

function problem(text: string, from: number, to: number, message: string): Problem {
  const end = Math.max(from, Math.min(to, text.length));
  const newline = text.indexOf("\n", from);
  return { from, to: newline < 0 ? end : Math.max(from, Math.min(end, newline)), line: lineAt(text, from), message };
}

function firstLineEnd(text: string): number {
  const newline = text.indexOf("\n");
  return newline < 0 ? text.length : newline;
}
