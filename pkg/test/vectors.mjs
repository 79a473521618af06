// Questions and the library's answers, written by `cargo xtask vectors`.
import { readFileSync } from "node:fs";

const lines = (name) =>
  readFileSync(new URL(`../../target/${name}.jsonl`, import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean);

/** Every vector; `evaluation` is the library's own text, not a copy of it. */
export function readVectors() {
  return lines("vectors").map((line) => {
    const { id, snapshot, error } = JSON.parse(line);
    // Names and texts have their quotes escaped, so this can only be the field itself.
    const at = line.lastIndexOf(',"evaluation":{"kind":');
    return { id, snapshot, error, evaluation: at < 0 ? undefined : line.slice(at + ',"evaluation":'.length, -1) };
  });
}

/** Raw objects, and what the library's fleet decides about them. */
export const readFleets = () => lines("fleets").map((line) => JSON.parse(line));
