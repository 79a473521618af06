/** YAML or JSON text in, values out, each with where it came from; a broken document is a problem at a position. */
import { CORE_SCHEMA, load } from "js-yaml";
import { type Document, Lexer, parseDocument } from "yaml";
import type { Span } from "./split";
import { splitDocuments } from "./split";

/** Where a value stands in the text: a stretch that can be parsed on its own, and the path inside. */
export interface Origin extends Span {
  at: (string | number)[];
}

/** A value of the document. */
export interface Value {
  value: unknown;
  origin: Origin;
}

/** Text that can't be read. */
export class BrokenText extends Error {
  constructor(
    message: string,
    readonly from: number,
    readonly to: number,
  ) {
    super(message);
  }
}

const OPTIONS = { logLevel: "silent", prettyErrors: false, uniqueKeys: true, maxAliasCount: 100 } as const;

/** Parses text again and again, and only what has changed since the last time. */
export class Parser {
  private known = new Map<string, unknown>();

  /** Every value of the text. Calls `progress` with the part that is done, and awaits it. */
  async parse(text: string, progress: (part: number) => Promise<void>): Promise<Value[]> {
    const used = new Map<string, unknown>();
    const values: Value[] = [];
    let last = performance.now();
    const pause = async (at: number): Promise<void> => {
      if (performance.now() - last > 200) {
        await progress(at / text.length);
        last = performance.now();
      }
    };
    for (const document of splitDocuments(text)) {
      if (document.lists.length === 0) {
        const span = { from: document.from, to: document.to };
        values.push({ value: this.value(text, span, used), origin: { ...span, at: [] } });
        continue;
      }
      const whole = this.skeleton(text, document, document.lists, used);
      for (const { key, items } of document.lists) {
        const list: unknown[] = [];
        for (const item of items) {
          list.push((this.value(text, item, used) as unknown[] | null)?.[0]);
          await pause(item.to);
        }
        whole[key] = list;
        origins.set(list, items);
      }
      values.push({ value: whole, origin: { from: document.from, to: document.to, at: [] } });
    }
    this.known = used;
    return values;
  }

  /** The document with its lists left empty. */
  private skeleton(text: string, document: Span, lists: { items: Span[] }[], used: Map<string, unknown>): Record<string, unknown> {
    const parts = around(document, lists);
    const rest = joined(text, parts);
    try {
      return { ...(this.remember(rest, used, () => read(rest, 0)) as Record<string, unknown>) };
    } catch (failure) {
      if (!(failure instanceof BrokenText)) throw failure;
      throw new BrokenText(failure.message, within(parts, failure.from), within(parts, failure.to));
    }
  }

  private value(text: string, { from, to }: Span, used: Map<string, unknown>): unknown {
    const part = text.slice(from, to);
    return this.remember(part, used, () => read(part, from));
  }

  private remember(part: string, used: Map<string, unknown>, parse: () => unknown): unknown {
    const value = this.known.has(part) ? this.known.get(part) : parse();
    used.set(part, value);
    return value;
  }
}

/** What is left of a document without the items of its lists. */
function around({ from, to }: Span, lists: { items: Span[] }[]): Span[] {
  const parts: Span[] = [];
  let at = from;
  for (const { items } of lists) {
    parts.push({ from: at, to: items[0]?.from ?? at });
    at = items.at(-1)?.to ?? at;
  }
  return [...parts, { from: at, to }];
}

function joined(text: string, parts: Span[]): string {
  return parts.map(({ from, to }) => text.slice(from, to)).join("");
}

/** A position in the text of these parts put together, as a position in the whole text. */
function within(parts: Span[], position: number): number {
  let passed = 0;
  for (const { from, to } of parts) {
    if (position < passed + to - from) return from + position - passed;
    passed += to - from;
  }
  return parts.at(-1)?.to ?? 0;
}

/** Where the items of a list that was parsed apart stand. */
export const origins = new WeakMap<unknown[], Span[]>();

/** As deep as the policy reads. */
const DEEPEST = 100;

function read(part: string, from: number): unknown {
  try {
    const value = readValue(part, from);
    if (!isDeeper(value, DEEPEST)) return value;
  } catch (failure) {
    // The parser's own stack: it goes deeper than any object does.
    if (!(failure instanceof RangeError)) throw failure;
  }
  throw new BrokenText(`Objects are nested at most ${DEEPEST} levels deep, this goes deeper`, from, from + 1);
}

/** Whether something lies below this many levels. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

/** Whether brackets are nested more than this many levels deep, also in text that is broken elsewhere. */
function hasDeeperBrackets(part: string, levels: number): boolean {
  let depth = 0;
  for (const token of new Lexer().lex(part)) {
    if (token === "[" || token === "{") depth++;
    else if (token === "]" || token === "}") depth--;
    if (depth > levels) return true;
  }
  return false;
}

function readValue(part: string, from: number): unknown {
  const quick = fromJson(part) ?? fromPlainYaml(part);
  if (quick !== undefined) return quick.value;
  // Whether the parser runs out of stack or finds the missing bracket first depends on how the browser has compiled it.
  if (hasDeeperBrackets(part, DEEPEST)) throw new RangeError("nested too deep");
  const document = parseDocument(part, OPTIONS);
  const [problem] = document.errors;
  if (problem?.message.includes("call stack")) throw new RangeError(problem.message);
  if (problem) {
    throw new BrokenText(problem.message, from + problem.pos[0], from + Math.max(problem.pos[1], problem.pos[0] + 1));
  }
  try {
    return document.toJS({ maxAliasCount: OPTIONS.maxAliasCount });
  } catch (failure) {
    if (failure instanceof RangeError) throw failure;
    throw new BrokenText(failure instanceof Error ? failure.message : String(failure), from, from + 1);
  }
}

/** JSON is YAML too, but its own parser is a hundred times faster. */
function fromJson(part: string): { value: unknown } | undefined {
  const item = /^\s*- (?=[{[])/.exec(part);
  const text = item ? part.slice(item[0].length) : part;
  if (!item && !/^\s*[{[]/.test(text.slice(0, 200))) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return { value: item ? [value] : value };
  } catch {
    return undefined;
  }
}

/**
 * The values alone, ten times as fast as with their places. What it refuses is left to the parser that knows where; so are anchors, because
 * only that one counts aliases, which can make a few lines into gigabytes.
 */
function fromPlainYaml(part: string): { value: unknown } | undefined {
  if (/(?:^|[\s,[{])[&*][^\s,[\]{}]/.test(part)) return undefined;
  try {
    return { value: load(part, { schema: CORE_SCHEMA }) };
  } catch {
    return undefined;
  }
}

/** The stretch of text that a path leads to: the innermost part of the path that is there. */
export function locate(text: string, origin: Origin, path: (string | number)[]): Span {
  // Of a large document only what stands around its lists: items have an origin of their own.
  const parts = around(origin, splitDocuments(text.slice(0, origin.to), origin.from)[0]?.lists ?? []);
  const document: Document = parseDocument(joined(text, parts), OPTIONS);
  for (let steps = [...origin.at, ...path]; ; steps = steps.slice(0, -1)) {
    const node = steps.length === 0 ? document.contents : document.getIn(steps, true);
    const range = (node as { range?: [number, number, number] } | null | undefined)?.range;
    if (range) return { from: within(parts, range[0]), to: within(parts, Math.max(range[1], range[0] + 1)) };
    if (steps.length === 0) return { from: origin.from, to: origin.from + 1 };
  }
}

/** The line of a position, from 1. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < position; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
