/** `virtual:gallery`: the stories of this folder and the cases of the policy's tests, read when the page is built. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { parse, stringify } from "yaml";
import type { Example } from "./src/examples.ts";

const STORIES = fileURLToPath(new URL("./stories", import.meta.url));
const CASES = fileURLToPath(new URL("../../tests/cases", import.meta.url));

interface CaseFile {
  cases: { title?: string; note: string; row?: string; input: Record<string, unknown>; want?: { invalid?: unknown } }[];
}

/** Every example, stories first. */
export function examples(): Example[] {
  return [...read(STORIES).map((story) => ({ ...story, story: true })), ...read(CASES)];
}

export function gallery(): Plugin {
  const id = "virtual:gallery";
  return {
    name: "gallery",
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => (source === `\0${id}` ? `export default JSON.parse(${JSON.stringify(JSON.stringify(examples()))})` : undefined),
  };
}

function read(folder: string): Example[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".yaml"))
    .toSorted();
  return files.flatMap((file) => {
    const { cases } = parse(readFileSync(join(folder, file), "utf8")) as CaseFile;
    const name = relative(folder, join(folder, file)).replace(/\.yaml$/, "");
    // What is refused has no decision to show.
    return cases
      .filter(({ want }) => want?.invalid === undefined)
      .map(({ title, note, row, input }) => ({
        id: `${name}: ${note}`,
        title: title ?? note,
        note,
        ...(row !== undefined && { row }),
        text: document(note, input),
      }));
  });
}

/** A snapshot as a document, with what to look at as its first line. */
function document(note: string, input: Record<string, unknown>): string {
  const { explain: _explain, ...snapshot } = input;
  return `# ${note}\n${stringify(snapshot, { lineWidth: 100, aliasDuplicateObjects: false })}`;
}
