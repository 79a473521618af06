/** The text of the page in, what can be evaluated out; what can't be read becomes a problem on a line. */
import { PolicyError } from "capi-policy";
import { gather } from "../document/gather";
import { BrokenText, lineAt, locate, Parser } from "../document/parse";
import { type Candidate, candidates, isSnapshot } from "../document/snapshots";
import type { Problem } from "../protocol";

/** A document that could be read. */
export interface Reading {
  text: string;
  candidates: Candidate[];
}

/** Reads the same document again and again as it is typed. */
export class Reader {
  private readonly parser = new Parser();

  constructor(
    private readonly kinds: Set<string>,
    private readonly progress: (part: number) => Promise<void>,
  ) {}

  /** What the text holds, or what is wrong with it. */
  async read(text: string): Promise<Reading | Problem[]> {
    try {
      const contents = gather(await this.parser.parse(text, this.progress), isSnapshot);
      const found = candidates(contents, this.kinds);
      if (found.length > 0) return { text, candidates: found };
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

/** Where the policy's refusal stands in the text. */
export function refusal(error: unknown, candidate: Candidate, text: string): Problem {
  const message = error instanceof Error ? error.message : String(error);
  const path = error instanceof PolicyError ? steps(error.path ?? "") : [];
  const place = candidate.origin(path.length === 0 || path[0] === "snapshot" ? [candidate.field] : path);
  const { from, to } = locate(text, place.origin, place.path);
  return problem(text, from, to, withoutPosition(message));
}

/** `machines[2].metadata.name` as its steps. */
function steps(path: string): (string | number)[] {
  return path.split(/[.[\]]+/).filter(Boolean).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
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
