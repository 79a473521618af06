// Questions and the library's answers, written by `cargo xtask vectors`.
import { readFileSync } from "node:fs";

const FILE = new URL("../../target/vectors.jsonl", import.meta.url);

/** Every vector; `evaluation` is the library's own text, not a copy of it. */
export function readVectors() {
  const lines = readFileSync(FILE, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => {
    const { id, snapshot, error } = JSON.parse(line);
    // Names and texts have their quotes escaped, so this can only be the field itself.
    const at = line.lastIndexOf(',"evaluation":{"kind":');
    return { id, snapshot, error, evaluation: at < 0 ? undefined : line.slice(at + ',"evaluation":'.length, -1) };
  });
}
