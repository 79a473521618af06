/** What the fragment of the address names. Every example, every draft and every shared session is an entry of the browser's history. */

/** Something that an address leads to. */
export type Place =
  | { type: "example"; id: string }
  | { type: "draft"; id: string }
  | { type: "session"; packed: string }
  | { type: "simulate"; id: string }
  | { type: "scenario"; packed: string }
  | { type: "unknown" };

/** What the address names now; undefined when it names nothing. */
export function place(): Place | undefined {
  const [, name, value] = /^#(?:(\w+)=)?(.*)$/s.exec(location.hash) ?? [];
  if (value === undefined || value === "") return undefined;
  if (name === "example") return { type: "example", id: decoded(value) };
  if (name === "draft" && /^[\w-]+$/.test(value)) return { type: "draft", id: value };
  if (name === "s" && /^[\w-]+$/.test(value)) return { type: "session", packed: value };
  if (name === "simulate") return { type: "simulate", id: decoded(value) };
  if (name === "scenario" && /^[\w-]+$/.test(value)) return { type: "scenario", packed: value };
  return { type: "unknown" };
}

/** Makes this place the address: as a new entry of the history, or in place of the one that is shown. */
export function enter(to: Exclude<Place, { type: "unknown" }>, how: "push" | "replace" = "push"): void {
  const fragment = "packed" in to ? `#${to.type === "session" ? "s" : to.type}=${to.packed}` : `#${to.type}=${encodeURIComponent(to.id)}`;
  if (fragment === location.hash || isFlood()) return;
  if (how === "push") history.pushState(null, "", fragment);
  else history.replaceState(null, "", fragment);
}

/** Browsers refuse a page that changes its address more than 200 times in ten seconds: only a script opens examples that fast. */
const entered: number[] = [];

function isFlood(): boolean {
  const now = performance.now();
  while (entered[0] !== undefined && entered[0] < now - 10_000) entered.shift();
  if (entered.length >= 100) return true;
  entered.push(now);
  return false;
}

/** A name for a draft that no other has. */
export function newDraft(): string {
  return `${Date.now().toString(36)}-${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36)}`;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
